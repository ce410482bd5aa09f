import type { PageText } from "../../domain/page-text.ts";
import { ButtonLink } from "../button.tsx";
import { SectionText } from "../section-text.tsx";

export function WhyItMatters({ text }: { text: PageText<"latest-feature"> }) {
  const { title, html } = text.sections.why;
  return (
    <section className="why-it-matters" aria-labelledby="why-title">
      <div className="page wide-first">
        <div>
          <SectionText as="h2" id="why-title" html={title} />
          <SectionText html={html} />
          <div className="actions">
            <ButtonLink href="#upload">Get Started Now</ButtonLink>
          </div>
        </div>
        <Scale />
      </div>
    </section>
  );
}

/** A scale from 20 to 30 out of 50, with the boundary between two levels at 25. */
function Scale() {
  return (
    <svg
      className="scale"
      viewBox="0 10 360 174"
      role="img"
      aria-label="A scale of marks out of 50. Level 3 ends and Level 4 begins at 25, which is 50 per cent. 24 and 26, by the old memo and the old rubric, lie on either side of that line; a red ring is around 25."
    >
      <path d="M20 120h320M20 112v16M52 116v8M84 116v8M116 116v8M148 112v16M180 116v8M212 112v16M244 116v8M276 116v8M308 116v8M340 112v16" />
      <path d="M180 20v116" />
      <g>
        <text x="168" y="36" textAnchor="end" className="term">
          Level 3
        </text>
        <text x="192" y="36" className="term">
          Level 4
        </text>
        <text x="168" y="56" textAnchor="end" className="faded">
          40–49%
        </text>
        <text x="192" y="56" className="faded">
          50–59%
        </text>
        <text x="20" y="146" className="faded">
          20
        </text>
        <text x="340" y="146" textAnchor="end" className="faded">
          30
        </text>
        <text x="204" y="159" className="faded">
          out of 50
        </text>
      </g>
      <g>
        <path
          className="pencil"
          d="M130 102c-7-17 8-28 23-25 16 3 19 20 8 27-10 7-27 6-31-2zM196 101c-5-16 9-27 24-24 15 4 17 21 5 27-12 6-26 4-29-3z"
        />
        <text x="147" y="97" textAnchor="middle" className="pencil">
          24
        </text>
        <text x="213" y="97" textAnchor="middle" className="pencil">
          26
        </text>
        <path className="pen" d="M163 163c-7-17 8-28 23-25 16 3 19 20 8 27-10 7-27 6-31-2z" />
        <text x="180" y="160" textAnchor="middle" className="pen">
          25
        </text>
      </g>
    </svg>
  );
}
