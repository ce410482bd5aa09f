import { canDecide, type Results } from "../../domain/result.ts";
import { sortedIndexes } from "../../results/class-report.ts";
import type { LevelScale } from "../../results/grade.ts";
import { Loader } from "../island.tsx";
import { ClassReport } from "./class-report.tsx";
import { ClosedLink } from "./closed-link.tsx";
import {
  DecisionForms,
  LearnerProgress,
  marksFieldId,
  type ReturnedDecision,
} from "./deciding.tsx";
import { Learner } from "./learner.tsx";
import { linksOf, type ResultsLinks, type ResultsView } from "./links.ts";
import { LinkEnds, ReturnedNotice, SignedNotice, SignSection } from "./signing.tsx";
import { Slips } from "./slips.tsx";
import "../../styles/results.css";

/** The results that the URL asks for. */
export interface ShownResults {
  token: string;
  isSample: boolean;
  title: string;
  /** Null if the token opens none. */
  results: Results | null;
  view: ResultsView;
  /** When the request is deleted, with its results: ISO 8601, UTC; null for the sample. */
  deletedAt: string | null;
  /** The address that learners' queries go to; null if the brand has none. */
  contact: string | null;
}

/** A page of results: the class, one learner, or slips to print. */
export function ResultsPage({
  shown: { token, isSample, title, results, view, deletedAt, contact },
  returned,
  levels,
}: {
  shown: ShownResults;
  /** A form of the page that was posted and came back. */
  returned: ReturnedDecision | undefined;
  levels: LevelScale;
}) {
  const links = linksOf(token);
  const decides = results !== null && canDecide(results);
  return (
    <section className="demo" id="demo" aria-labelledby="demo-title">
      <div className="page">
        {returned && (
          <ReturnedNotice
            returned={returned}
            field={results ? fieldOf(returned, results, view) : undefined}
          />
        )}
        <h1 id="demo-title">{title}</h1>
        {!results && <ClosedLink />}
        {results && <SignedNotice results={results} isPrinted={view.kind !== "slips"} />}
        {results && view.kind === "class" && (
          <>
            <ClassReport results={results} sort={view.sort} levels={levels} links={links} />
            {decides && <SignSection results={results} links={links} returned={returned} />}
          </>
        )}
        {results && view.kind === "learner" && (
          <LearnerPage
            {...{ results, levels, links, returned }}
            index={view.index}
            looks={view.looks}
          />
        )}
        {results && view.kind === "slips" && (
          <SlipsPage {...{ results, levels, links, contact }} perPage={view.perPage} />
        )}
        {results?.link && deletedAt && (
          <LinkEnds expiresAt={results.link.expiresAt} deletedAt={deletedAt} />
        )}
        {results && <AskUs isSample={isSample} />}
        {results && <Loader />}
      </div>
    </section>
  );
}

/** The id of the field that a returned form is about, if the view has it. */
function fieldOf({ intent, typed }: ReturnedDecision, results: Results, view: ResultsView) {
  if (!canDecide(results)) return undefined;
  if (view.kind === "class") return intent === "sign" ? "sign-name" : undefined;
  if (view.kind !== "learner") return undefined;
  const question = results.submissions[view.index]!.questionMarks.findIndex(
    ({ questionNumber }) => questionNumber === typed.question,
  );
  return question === -1 ? undefined : marksFieldId(question);
}

interface PartProps {
  results: Results;
  levels: LevelScale;
  links: ResultsLinks;
}

function LearnerPage({
  results,
  index,
  looks,
  levels,
  links,
  returned,
}: PartProps & { index: number; looks: boolean; returned: ReturnedDecision | undefined }) {
  const { title, submissions } = results;
  const order = sortedIndexes(submissions, "name");
  const at = order.indexOf(index);
  const neighbours = [
    ["Previous", order[at - 1]],
    ["Next", order[at + 1]],
  ] as const;
  return (
    <div className="results">
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
    </div>
  );
}

function SlipsPage({
  results,
  perPage,
  levels,
  links,
  contact,
}: PartProps & { perPage: 1 | 2; contact: string | null }) {
  return (
    <div className="results">
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
        </p>
      </div>
      <Slips results={results} perPage={perPage} levels={levels} contact={contact} />
    </div>
  );
}

function AskUs({ isSample }: { isSample: boolean }) {
  return (
    <p className="no-print">
      {isSample ? (
        <>
          <a href="/#demo">Send us your own papers</a>, and a page like this one comes back.
        </>
      ) : (
        <>
          Is a mark wrong, or do you need something else from this class? Reply to the email that
          brought you here, or <a href="/contact">write to us</a>.
        </>
      )}
    </p>
  );
}
