import type { Brand } from "../../brand.ts";
import type { PageText } from "../../domain/page-text.ts";
import { Fold } from "../fold.tsx";
import { SectionText } from "../section-text.tsx";

export function Platforms({ text, brand }: { text: PageText<"features">; brand: Brand }) {
  const { integrations } = brand;
  if (integrations.length === 0) return null;
  const { title, html, items } = text.sections.platforms;
  return (
    <section aria-labelledby="platforms-title">
      <div className="page">
        <SectionText as="h2" id="platforms-title" html={title} />
        <WhatPasses brand={brand} />
        <Fold title="Platform by platform">
          <SectionText html={html} />
          <ul className="thirds">
            {integrations.map(({ name, text }) => (
              <li key={name} className="sheet">
                <h3>{name}</h3>
                <p>{text}</p>
              </li>
            ))}
            {items.map(({ title, html }) => (
              <li key={title} className="sheet">
                <SectionText as="h3" html={title} />
                <SectionText html={html} />
              </li>
            ))}
          </ul>
        </Fold>
      </div>
    </section>
  );
}

/** What goes from a course to its gradebook, in four steps. */
function WhatPasses({ brand }: { brand: Brand }) {
  const steps = [
    ["The course", "Questions, rubric and scripts leave it."],
    [brand.name, "A mark and its reason are proposed for each answer."],
    ["You", "Agree or change, and sign."],
    ["The gradebook", "The marks that you signed arrive, learner by learner."],
  ];
  return (
    <ol className="timeline">
      {steps.map(([who, what]) => (
        <li key={who}>
          <strong>{who}</strong> {what}
        </li>
      ))}
    </ol>
  );
}
