import type { Brand } from "../../brand.ts";
import type { PageText } from "../../domain/page-text.ts";
import { Tick } from "../../islands/form/tick.tsx";
import { ButtonLink } from "../button.tsx";
import { Fold } from "../fold.tsx";
import { SectionText } from "../section-text.tsx";
import { claimsTimeSavings } from "./sections.tsx";

const sectionsOf = ({ claims, audience, integrations, pricing }: Brand) => [
  { id: "six-title", label: "Features" },
  { id: "desk-title", label: "The marking desk" },
  { id: "subjects-title", label: "Subjects and levels" },
  { id: "languages-title", label: "Languages", isLeftOut: !claims.languages.figure },
  { id: "time-title", label: "Time saved", isLeftOut: !claimsTimeSavings(claims) },
  { id: "settings-title", label: "Where to use it", isLeftOut: !audience },
  { id: "workflow-title", label: "How it works" },
  { id: "security-title", label: "Security" },
  { id: "platforms-title", label: integrations.length > 0 ? "LMS compatibility" : "Gradebooks" },
  { id: "buying-title", label: pricing ? "Before you buy" : "Questions" },
];

export function Hero({ text, brand }: { text: PageText<"features">; brand: Brand }) {
  const { title, html } = text.sections.hero;
  return (
    <section>
      <div className="page">
        <SectionText as="h1" html={title} />
        <div className="halves">
          <div>
            <SectionText className="lead" html={html} />
            <div className="actions no-print">
              <ButtonLink href="/#demo">Send us a test</ButtonLink>
              <a href="/about#marking">How marking works, step by step</a>
            </div>
            <nav className="no-print" aria-label="On this page">
              <Fold title="On this page">
                <ul className="links">
                  {sectionsOf(brand)
                    .filter(({ isLeftOut }) => !isLeftOut)
                    .map(({ id, label }) => (
                      <li key={id}>
                        <a href={`#${id}`}>{label}</a>
                      </li>
                    ))}
                </ul>
              </Fold>
            </nav>
          </div>
          <MarkedAnswer hasModel={Boolean(brand.model)} />
        </div>
      </div>
    </section>
  );
}

const working = ["80% is R480", "so 10% is R60", "and 100% is R600"];

/** A made-up answer, with a model's proposal or a second marker's mark, and with the teacher's decision in red. */
function MarkedAnswer({ hasModel }: { hasModel: boolean }) {
  return (
    <figure>
      <div className="sheet with-margin">
        <p>
          <b className="in-margin">4.2</b> A jacket costs R480 after a discount of 20%. What did it
          cost before? (3)
        </p>
        <ol className="hand">
          {working.map((line) => (
            <li key={line}>
              {line} <Tick />
            </li>
          ))}
        </ol>
        <dl className="ruled">
          <div>
            <dt className="hint">{hasModel ? "The model proposes" : "The second marker"}</dt>
            <dd className="faded">
              <del className="figures">2/3</del> The answer is right. The memo gives a mark for 480
              ÷ 0,8, and that division is not shown.
            </dd>
          </div>
          <div>
            <dt className="hint">The teacher decides</dt>
            <dd className="written">
              <ins className="circled figures">3/3</ins> A valid method that the memo forgot. It is
              added to the memo.
            </dd>
          </div>
        </dl>
      </div>
      <figcaption>A made-up example: here the teacher decided what is in red.</figcaption>
    </figure>
  );
}
