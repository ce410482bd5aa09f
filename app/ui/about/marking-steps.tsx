import type { PageText, TextSection } from "../../domain/page-text.ts";
import { Fold } from "../fold.tsx";
import { PageSection, SectionText } from "../section-text.tsx";

export function Marking({ text: { sections } }: { text: PageText<"about"> }) {
  const { title, html, items } = sections.marking;
  const signed = items.filter(({ note }) => note);
  return (
    <PageSection className="leaf" id="marking" titleId="marking-title" title={title}>
      <SectionText className="lead" html={html} />
      <ol className="answer-sheet marking-steps">
        {items.map((step) => (
          <li key={step.title}>
            <SectionText as="h3" html={step.title} />
            <SectionText className="flush" html={step.html} />
            {step.note && (
              <div className="hint">
                <Signature isLast={step === signed.at(-1)} />
                <SectionText className="flush" html={step.note} />
              </div>
            )}
          </li>
        ))}
      </ol>
      <div className="ruled">
        <div className="thirds">
          <Capability section={sections["model-does"]} className="ticked" />
          <Capability section={sections["model-does-not"]} className="crossed" />
          <Capability section={sections["what-goes-wrong"]} />
        </div>
      </div>
    </PageSection>
  );
}

function Capability({ section, className }: { section: TextSection; className?: string }) {
  const { title, html } = section;
  return (
    <div>
      <SectionText as="h3" html={title} />
      <Fold title={title}>
        <SectionText className={className} html={html} />
      </Fold>
    </div>
  );
}

/** A made-up signature; the person who signs last has a different one. */
function Signature({ isLast }: { isLast: boolean }) {
  return (
    <svg className="signature" viewBox="0 0 150 40" width="150" height="40" aria-hidden="true">
      <path
        d={
          isLast
            ? "M10 10c10-6 18 0 12 9S6 36 14 35 34 8 40 9s-14 25-6 25 12-17 16-15-3 13 4 13 8-12 13-12-1 11 6 11 9-7 14-7 8 5 15 2 26-5 40-12"
            : "M6 31C14 6 24 2 22 14S10 35 15 25 33 6 34 16s-5 17 3 8 9-13 11-4 8 5 13-2 8 9 13 2 7-7 10-1 10 4 16 0 26-5 44-7"
        }
      />
    </svg>
  );
}
