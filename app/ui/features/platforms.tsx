import type { Brand } from "../../brand.ts";
import { Fold } from "../fold.tsx";

export function Platforms({ brand }: { brand: Brand }) {
  const { integrations } = brand;
  if (integrations.length === 0) return null;
  return (
    <section className="platforms" aria-labelledby="platforms-title">
      <div className="page">
        <h2 id="platforms-title">LMS compatibility: it works where your course already is</h2>
        <WhatPasses brand={brand} />
        <Fold title="Platform by platform">
          <p>
            A connection belongs to a workspace and is set up with your administrator. Before you
            rely on one, ask to see a class go through it. The demo on this site needs none: it
            takes files.
          </p>
          <ul className="slips-on-a-line">
            {integrations.map(({ name, text }) => (
              <li key={name}>
                <h3>{name}</h3>
                <p>{text}</p>
              </li>
            ))}
            <li>
              <h3>Custom Solutions</h3>
              <p>
                A flexible API for a platform of your own, on request: questions, rubric and
                submissions go in; marks, reasons and reports come out.
              </p>
              <p>
                <a className="standalone-link" href="/contact">
                  Tell us about your platform
                </a>
              </p>
            </li>
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
      <Station who="You" what="Agree, change or throw out, and sign.">
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
