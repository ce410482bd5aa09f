import type { Brand } from "../../brand.ts";
import type { PageText, TextSection } from "../../domain/page-text.ts";
import { sampleDeskUrl } from "../../site.ts";
import { ButtonLink } from "../button.tsx";
import { Fold } from "../fold.tsx";
import { PageSection, SectionText } from "../section-text.tsx";
import {
  AddedUp,
  AuditedQuestion,
  CommentRewritten,
  QuestionAverages,
  RubricLine,
  ShareBar,
  SharedPassage,
} from "./specimens.tsx";

/** An example of the output of each feature, in the order of the page. */
const specimensOf = ({ model, workspace }: Brand) => [
  <RubricLine key="grading" isProposed={Boolean(model)} />,
  <CommentRewritten key="feedback" />,
  <QuestionAverages key="reports" />,
  <SharedPassage key="plagiarism" />,
  workspace && <AuditedQuestion key="quality" />,
  <AddedUp key="time" />,
];

export function FeatureSheet({ text, brand }: { text: PageText<"features">; brand: Brand }) {
  const specimens = specimensOf(brand);
  const { title, html, items } = text.sections["six-features"];
  return (
    <PageSection className="leaf" titleId="six-title" title={title}>
      <SectionText className="faded" html={html} />
      <ol className="answer-sheet two-columns">
        {items.map(({ title, html, place }) => (
          <li key={title}>
            <SectionText as="h3" html={title} />
            <Fold title={title}>
              <SectionText className="ticked" html={html} />
            </Fold>
            {specimens[place]}
          </li>
        ))}
      </ol>
    </PageSection>
  );
}

export function Dividers({
  section: { title, html, items },
  id,
}: {
  section: TextSection;
  /** The id of the heading. */
  id: string;
}) {
  if (items.length === 0) return null;
  return (
    <PageSection className="dividers" titleId={id} title={title}>
      {html && <SectionText className="faded" html={html} />}
      <div className="thirds">
        {items.map(({ title, html, note }) => (
          <article key={title} className="sheet">
            <SectionText as="h3" html={title} />
            <Fold title={title}>
              <SectionText html={html} />
            </Fold>
            {note && <SectionText className="signs written flush" html={note} />}
          </article>
        ))}
      </div>
    </PageSection>
  );
}

export function Subjects({ text: { sections } }: { text: PageText<"features"> }) {
  const { subjects, levels } = sections;
  return (
    <PageSection titleId="subjects-title" title={subjects.title}>
      <dl className="ledger">
        {subjects.items.map(({ title, html, note }) => (
          <div key={title}>
            <SectionText as="dt" className="term" html={title} />
            <dd>
              <Fold title={title}>
                <SectionText html={html} />
              </Fold>
            </dd>
            <dd>
              <span className="hint">For you to look at:</span> <SectionText html={note} />
            </dd>
          </div>
        ))}
      </dl>
      <SectionText as="h3" html={levels.title} />
      <Fold title={levels.title}>
        <SectionText className="timeline" html={levels.html} />
      </Fold>
    </PageSection>
  );
}

/** The code and name of each language, in the order of section 6 of the Constitution. */
const languages = [
  ["nso", "Sepedi"],
  ["st", "Sesotho"],
  ["tn", "Setswana"],
  ["ss", "siSwati"],
  ["ve", "Tshivenda"],
  ["ts", "Xitsonga"],
  ["af", "Afrikaans"],
  ["en", "English"],
  ["nr", "isiNdebele"],
  ["xh", "isiXhosa"],
  ["zu", "isiZulu"],
];

export function Languages({ text, brand }: { text: PageText<"features">; brand: Brand }) {
  if (!brand.claims.languages.figure) return null;
  const { languages: section, "languages-tested": tested } = text.sections;
  return (
    <section className="languages rule-above" aria-labelledby="languages-title">
      <div className="page halves">
        <div>
          <SectionText as="h2" id="languages-title" html={section.title} />
          <SectionText html={section.html} />
          <Fold title={tested.title}>
            <SectionText html={tested.html} />
          </Fold>
        </div>
        <Fold title="Language by language">
          <ul className="term">
            {languages.map(([code, name]) => (
              <li key={code} lang={code}>
                {name}
              </li>
            ))}
            <li className="hint">South African Sign Language: not written</li>
          </ul>
        </Fold>
      </div>
    </section>
  );
}

/** The time that 500 essays take with proposals. `percent` is its share of the time by hand, 83 h 20 min. */
const outcomes = [
  { checking: "31 seconds", hours: "8 h 18 min", percent: 10, saved: "90%" },
  { checking: "3 minutes", hours: "29 h", percent: 34.8, saved: "65%" },
  { checking: "9 minutes", hours: "79 h", percent: 94.8, saved: "5%" },
];

export const claimsTimeSavings = ({ timeSaved, hoursSaved }: Brand["claims"]) =>
  Boolean(timeSaved.figure || hoursSaved.figure);

export function TimeSavings({ text, brand }: { text: PageText<"features">; brand: Brand }) {
  if (!claimsTimeSavings(brand.claims)) return null;
  const { title, html, items } = text.sections.time;
  return (
    <section id="time" aria-labelledby="time-title">
      <div className="page halves">
        <div>
          <SectionText as="h2" id="time-title" html={title} />
          {items.map(({ title, html }) => (
            <div key={title}>
              <SectionText as="h3" className="claim figures" html={title} />
              <SectionText html={html} />
            </div>
          ))}
        </div>
        <Fold title="The sum, row by row">
          <SectionText html={html} />
          <Sum />
        </Fold>
      </div>
    </section>
  );
}

function Sum() {
  return (
    <figure className="sheet">
      <p>
        <b>Given:</b> 500 first-year essays, 10 minutes each by hand. With proposals to check: 4
        hours for rubric and files, then the checking.
      </p>
      <table className="figures">
        <caption>How long it takes, by how long you check a script</caption>
        <thead>
          <tr>
            <th scope="col">Checking a script</th>
            <th scope="col">In all</th>
            <th scope="col">Saved</th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row">By hand</th>
            <td>
              83 h 20 min <ShareBar percent={100} />
            </td>
            <td>–</td>
          </tr>
          {outcomes.map(({ checking, hours, percent, saved }) => (
            <tr key={checking}>
              <th scope="row">{checking}</th>
              <td>
                {hours} <ShareBar percent={percent} />
              </td>
              <td>
                <strong>{saved}</strong>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <figcaption>
        500 × 3 min + 4 h = 29 h. The minutes are assumptions, not measurements.
      </figcaption>
    </figure>
  );
}

/** A checklist. Titles that begin with [x] are ticked, those with [ ] crossed out. */
export function Security({ text }: { text: PageText<"features"> }) {
  const { title, html, items } = text.sections.security;
  return (
    <PageSection className="leaf" titleId="security-title" title={title}>
      <Fold title="What is done, by whom, and what is not">
        <ul className="quarters">
          {items.map(({ title, html, note }) => (
            <li key={title} className={title.startsWith("[x]") ? "ticked" : "crossed"}>
              <SectionText as="h3" html={title.replace(/^\[[ x]\] /, "")} />
              <SectionText html={html} />
              <SectionText className="hint flush" html={note} />
            </li>
          ))}
        </ul>
      </Fold>
      <SectionText html={html} />
    </PageSection>
  );
}

export function Platforms({ text, brand }: { text: PageText<"features">; brand: Brand }) {
  const { integrations } = brand;
  const { platforms, passes } = text.sections;
  return (
    <PageSection titleId="platforms-title" title={platforms.title}>
      <SectionText className="timeline" html={passes.html} />
      <SectionText html={platforms.html} />
      {integrations.length > 0 && (
        <Fold title="Platform by platform">
          <ul className="thirds">
            {integrations.map(({ name, text }) => (
              <li key={name} className="sheet">
                <h3>{name}</h3>
                <p>{text}</p>
              </li>
            ))}
            {platforms.items.map(({ title, html }) => (
              <li key={title} className="sheet">
                <SectionText as="h3" html={title} />
                <SectionText html={html} />
              </li>
            ))}
          </ul>
        </Fold>
      )}
    </PageSection>
  );
}

export function Buying({ text }: { text: PageText<"features"> }) {
  const { title, html, items } = text.sections["before-you-buy"];
  return (
    <PageSection className="buying" titleId="buying-title" title={title}>
      <SectionText html={html} />
      {items.map(({ title, html }) => (
        <details key={title} className="rule-above">
          <SectionText as="summary" className="term" html={title} />
          <SectionText html={html} />
        </details>
      ))}
    </PageSection>
  );
}

export function Closing({ text, brand }: { text: PageText<"features">; brand: Brand }) {
  const { title, html } = text.sections.closing;
  return (
    <PageSection className="rule-above no-print" titleId="closing-title" title={title}>
      <SectionText className="lead" html={html} />
      <div className="actions">
        <ButtonLink href="/#demo">Send us a test</ButtonLink>
        <ButtonLink href="/demo" quiet>
          {brand.demoCall.length > 0 ? "Watch us mark" : "Ask for a demo"}
        </ButtonLink>
        <a href={sampleDeskUrl}>Try the marking desk</a>
      </div>
    </PageSection>
  );
}
