import type { Brand } from "../../brand.ts";
import type { PageText } from "../../domain/page-text.ts";
import { Fold } from "../fold.tsx";
import { SectionText } from "../section-text.tsx";

export function Platforms({ text, brand }: { text: PageText<"features">; brand: Brand }) {
  const { integrations } = brand;
  if (integrations.length === 0) return null;
  const { title, html, items } = text.sections.platforms;
  return (
    <section className="platforms" aria-labelledby="platforms-title">
      <div className="page">
        <SectionText as="h2" id="platforms-title" html={title} />
        <WhatPasses brand={brand} />
        <Fold title="Platform by platform">
          <SectionText html={html} />
          <ul className="slips-on-a-line">
            {integrations.map(({ name, text }) => (
              <li key={name}>
                <h3>{name}</h3>
                <p>{text}</p>
              </li>
            ))}
            {items.map(({ title, html }) => (
              <li key={title}>
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

const page = "M24 6h46v52H24z";
const lines = "M34 18h28M34 28h22M34 38h28M34 48h18";

/** What goes from a course to its gradebook, as a line of four stations. */
function WhatPasses({ brand }: { brand: Brand }) {
  return (
    <ol className="stations">
      <Station who="The course" what="Questions, rubric and scripts leave it.">
        <path d="M30 2h46v52H30z" />
        <path d={page} />
        <path className="ink" d="M34 20q6-6 9 0t9-2 9 1M34 32q6-6 9 0t9-2 9 1M34 44q6-6 9 0t9-2" />
      </Station>
      <Station who={brand.name} what="A mark and its reason are proposed for each answer.">
        <path d={page} />
        <path className="rule" d={lines} />
        <path className="pencil" d="M74 46l14-20 5 4-14 19-6 3z" />
      </Station>
      <Station who="You" what="Agree or change, and sign.">
        <path d={page} />
        <path className="rule" d={lines} />
        <path className="red" d="M62 30q5 3 8 10 6-16 18-26" />
      </Station>
      <Station who="The gradebook" what="The marks that you signed arrive, learner by learner.">
        <path d="M12 6h70v52H12z" />
        <path className="rule" d="M12 19h70M12 32h70M12 45h70M46 6v52M64 6v52" />
      </Station>
    </ol>
  );
}

function Station({
  who,
  what,
  children,
}: {
  who: string;
  what: string;
  children: React.ReactNode;
}) {
  return (
    <li>
      <svg viewBox="0 0 96 64" aria-hidden="true">
        {children}
      </svg>
      <b>{who}</b> {what}
    </li>
  );
}
