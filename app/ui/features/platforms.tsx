import type { Brand } from "../../brand.ts";
import { Fold } from "../fold.tsx";

export function Platforms({ brand }: { brand: Brand }) {
  const { integrations } = brand;
  if (integrations.length === 0) return null;
  return (
    <section className="platforms" aria-labelledby="platforms-title">
      <div className="page">
        <h2 id="platforms-title">LMS compatibility: it works where your course already is</h2>
        <p>
          A connection belongs to a workspace and is set up with your administrator. Before you rely
          on one, ask to see a class go through it. The demo on this site needs none: it takes
          files.
        </p>
        <WhatPasses brand={brand} />
        <Fold title="Platform by platform">
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
                <a href="/contact">Tell us about your platform</a>
              </p>
            </li>
          </ul>
        </Fold>
      </div>
    </section>
  );
}

/** What goes from a course to its gradebook, as a line of four stations. */
function WhatPasses({ brand }: { brand: Brand }) {
  return (
    <ol className="stations">
      <li>
        <svg viewBox="0 0 96 64" aria-hidden="true">
          <path className="sheet" d="M22 12l44-4 4 46-45 3zM14 18l46-3 3 44-46 2z" />
          <path
            className="ink"
            d="M24 30c6-6 8 2 13-1s7-2 14 0M25 40c6-5 9 1 14-1s6-1 10 0M26 50c5-4 8 1 14-1"
          />
        </svg>
        <b>The course</b> Questions, rubric and scripts leave it.
      </li>
      <li>
        <svg viewBox="0 0 96 64" aria-hidden="true">
          <path className="sheet" d="M24 6h46v52H24z" />
          <path className="rule" d="M34 18h28M34 28h22M34 38h28M34 48h18" />
          <path className="pencil" d="M74 22c4-6 8-3 5 2l-7 9h10M72 46l14-20 5 4-14 19-6 3z" />
        </svg>
        <b>{brand.name}</b> A mark and its reason are proposed for each answer.
      </li>
      <li>
        <svg viewBox="0 0 96 64" aria-hidden="true">
          <path className="sheet" d="M24 6h46v52H24z" />
          <path className="rule" d="M34 18h28M34 28h22M34 38h28M34 48h18" />
          <path
            className="red"
            d="M62 30q5 3 8 10 6-16 18-26M30 50c8-10 12-8 10 0s8-12 14-6 4 8 14 2"
          />
        </svg>
        <b>You</b> Agree, change or throw out, and sign.
      </li>
      <li>
        <svg viewBox="0 0 96 64" aria-hidden="true">
          <path className="sheet" d="M12 8h72v48H12z" />
          <path className="rule" d="M12 20h72M12 32h72M12 44h72M46 8v48M65 8v48" />
          <path
            className="ink"
            d="M20 15h16M20 27h12M20 39h18M20 51h14M53 27h6M53 39h6M53 51h6M72 27h6M72 39h6M72 51h6"
          />
        </svg>
        <b>The gradebook</b> The marks that you signed arrive, learner by learner.
      </li>
    </ol>
  );
}
