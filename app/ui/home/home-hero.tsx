import type { PageText } from "../../domain/page-text.ts";
import { ButtonLink } from "../button.tsx";
import { SectionText } from "../section-text.tsx";
import { AnimatedScript } from "./animated-script.tsx";
import { DemoVideo } from "./demo-video.tsx";

export function Hero({ text }: { text: PageText<"home"> }) {
  const { title, html, note } = text.sections.hero;
  return (
    <section className="hero" aria-labelledby="hero-title">
      <div className="page halves">
        <div>
          <SectionText as="h1" id="hero-title" html={title} />
          <SectionText className="lead flush" html={html} />
          <div className="actions">
            <ButtonLink href="#demo">Try Free Demo</ButtonLink>
            <ButtonLink href="#contact" quiet>
              Contact Us
            </ButtonLink>
          </div>
          <SectionText className="hint flush" html={note} />
        </div>
        <AnimatedScript />
      </div>
      <DemoVideo />
    </section>
  );
}
