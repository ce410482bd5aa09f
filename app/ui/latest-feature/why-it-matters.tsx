import type { PageText } from "../../domain/page-text.ts";
import { ButtonLink } from "../button.tsx";
import { Drawing } from "../drawing.tsx";
import { SectionText } from "../section-text.tsx";
import levelScale from "./level-scale.svg?raw";

export function WhyItMatters({ text }: { text: PageText<"latest-feature"> }) {
  const { title, html } = text.sections.why;
  return (
    <section aria-labelledby="why-title">
      <div className="page wide-first centred">
        <div>
          <SectionText as="h2" id="why-title" html={title} />
          <SectionText html={html} />
          <div className="actions">
            <ButtonLink href="#upload">Get Started Now</ButtonLink>
          </div>
        </div>
        <Drawing
          svg={levelScale}
          className="scale"
          role="img"
          aria-label="A scale of marks out of 50. Level 3 ends and Level 4 begins at 25, which is 50 per cent. 24 and 26, by the old memo and the old rubric, lie on either side of that line; a red ring is around 25."
        />
      </div>
    </section>
  );
}
