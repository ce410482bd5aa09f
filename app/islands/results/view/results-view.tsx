import { canDecide, type Results } from "../../../domain/result.ts";
import { sortedIndexes } from "../../../results/class-report.ts";
import type { LevelScale } from "../../../results/grade.ts";
import { ClassReport } from "./class-report.tsx";
import { DecisionForms, LearnerProgress, type ReturnedDecision } from "./deciding.tsx";
import { Learner } from "./learner.tsx";
import type { ResultsLinks, ResultsView as View } from "./results-urls.ts";
import { SignedNotice, SignSection } from "./signing.tsx";
import { type RenderScript, Slips } from "./slips.tsx";

interface PartProps {
  results: Results;
  levels: LevelScale;
  links: ResultsLinks;
}

interface ReturnedProps {
  /** A form of the view that was posted and came back. */
  returned: ReturnedDecision | undefined;
}

/**
 * The class, one learner, or slips to print. The sample is rendered in the browser too, by to-dom.ts, so nothing
 * below this uses hooks.
 */
export function ResultsView({
  view,
  contact,
  returned,
  renderScript,
  ...part
}: PartProps &
  ReturnedProps & {
    view: View;
    /** The address that learners' queries go to; null if the brand has none. */
    contact: string | null;
    renderScript?: RenderScript | undefined;
  }) {
  const { results, levels, links } = part;
  return (
    <>
      <SignedNotice results={results} isPrinted={view.kind !== "slips"} />
      <div
        className={results.sampleFiles ? "results sample" : "results"}
        data-levels={results.sampleFiles && levels}
      >
        {view.kind === "class" && <ClassReport {...part} sort={view.sort} />}
        {view.kind === "learner" && (
          <LearnerPart {...part} index={view.index} looks={view.looks} returned={returned} />
        )}
        {view.kind === "slips" && (
          <SlipsPart {...part} perPage={view.perPage} {...{ contact, renderScript }} />
        )}
      </div>
      {view.kind === "class" && canDecide(results) && (
        <SignSection results={results} links={links} returned={returned} />
      )}
    </>
  );
}

function LearnerPart({
  results,
  index,
  looks,
  levels,
  links,
  returned,
}: PartProps & ReturnedProps & { index: number; looks: boolean }) {
  const { title, submissions } = results;
  const order = sortedIndexes(submissions, "name");
  const at = order.indexOf(index);
  const neighbours = [
    ["Previous", order[at - 1]],
    ["Next", order[at + 1]],
  ] as const;
  return (
    <>
      <h2>{title}</h2>
      <p className="actions no-print">
        <a href={`${links.classPage}#learners`}>Back to the class</a>
        {neighbours.map(
          ([label, neighbour]) =>
            neighbour !== undefined && (
              <a key={label} href={links.learner(neighbour)}>
                {label}
                <span className="visually-hidden">
                  {" "}
                  learner, {submissions[neighbour]!.studentName}
                </span>
              </a>
            ),
        )}
      </p>
      {canDecide(results) && (
        <LearnerProgress
          results={results}
          index={index}
          action={links.post(index, looks)}
          next={order[at + 1] === undefined ? undefined : links.learner(order[at + 1]!)}
        />
      )}
      <Learner
        {...{ results, index, levels }}
        renderForm={
          canDecide(results)
            ? (mark, question) => (
                <DecisionForms
                  mark={mark}
                  question={question}
                  action={links.post(index, looks)}
                  returned={returned?.typed.question === mark.questionNumber ? returned : undefined}
                />
              )
            : undefined
        }
      />
    </>
  );
}

function SlipsPart({
  results,
  perPage,
  levels,
  links,
  contact,
  renderScript,
}: PartProps & {
  perPage: 1 | 2;
  contact: string | null;
  renderScript: RenderScript | undefined;
}) {
  return (
    <>
      <div className="no-print">
        <h2>Feedback slips: {results.title}</h2>
        <p>
          Print this page: {perPage === 1 ? "one learner" : "two learners"} to a page. Switch off
          “Headers and footers” in the print dialog, because the address of this page, which some
          browsers print there, opens the marks of the whole class.
        </p>
        <p className="actions">
          <a href={links.classPage}>Back to the class</a>
          {perPage === 1 ? (
            <a href={links.slips(2)}>Two to a page</a>
          ) : (
            <a href={links.slips(1)}>One to a page</a>
          )}
          {results.link && !renderScript && (
            <a href={links.slipsWithScripts}>With the pages of each script</a>
          )}
        </p>
      </div>
      <Slips {...{ results, perPage, levels, contact, renderScript }} />
    </>
  );
}
