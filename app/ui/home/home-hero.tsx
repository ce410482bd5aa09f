import type { Brand } from "../../brand.ts";
import type { PageText } from "../../domain/page-text.ts";
import { ButtonLink } from "../button.tsx";
import { demoLabel } from "../demo-label.ts";
import { SectionText } from "../section-text.tsx";
import { AnimatedScript } from "./animated-script.tsx";
import { DemoVideo } from "./demo-video.tsx";

export function Hero({ text, brand }: { text: PageText<"home">; brand: Brand }) {
  const { title, html, note } = text.sections.hero;
  return (
    <section className="hero" aria-labelledby="hero-title">
      <div className="page halves centred">
        <div>
          <SectionText as="h1" id="hero-title" html={title} />
          <SectionText className="lead flush" html={html} />
          <div className="actions">
            <ButtonLink href="#demo">{demoLabel(brand)}</ButtonLink>
            <ButtonLink href="#contact" quiet>
              Contact Us
            </ButtonLink>
          </div>
          <SectionText className="hint flush" html={note} />
        </div>
        <AnimatedScript hasModel={Boolean(brand.model)} />
      </div>
      {/* The video shows proposals, so it is left out if there is no model. */}
      {brand.model && <DemoVideo />}
    </section>
  );
}
