import { canDecide, type Results } from "../../domain/result.ts";
import LearnerDialogs from "../../islands/learner-dialogs.tsx";
import { ClosedLink } from "../../islands/results/closed-link.tsx";
import { Learner } from "../../islands/results/learner.tsx";
import { sortedIndexes } from "../../results/class-report.ts";
import type { LevelScale } from "../../results/grade.ts";
import { Island } from "../island.tsx";
import { ClassReport } from "./class-report.tsx";
import { DecisionForms, LearnerProgress, type ReturnedDecision } from "./deciding.tsx";
import { linksOf, type ResultsLinks, type ResultsView } from "./links.ts";
import { LinkEnds, ReturnedNotice, SignedNotice, SignSection, signedSentence } from "./signing.tsx";
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
  shown: { token, isSample, title, results, view, deletedAt },
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
        <h1 id="demo-title">{title}</h1>
        {returned && <ReturnedNotice returned={returned} />}
        {!results && <ClosedLink />}
        {results && <SignedNotice results={results} isPrinted={view.kind !== "slips"} />}
        {results && view.kind === "class" && (
          <>
            {/* A dialog has no controls. */}
            {!decides && (
              <Island name="learner-dialogs" component={LearnerDialogs} props={{ levels }} />
            )}
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
          <SlipsPage results={results} perPage={view.perPage} levels={levels} links={links} />
        )}
        {results?.link && deletedAt && (
          <LinkEnds expiresAt={results.link.expiresAt} deletedAt={deletedAt} />
        )}
        {results && <AskUs isSample={isSample} />}
      </div>
    </section>
  );
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
        <LearnerProgress results={results} index={index} action={links.post(index)} />
      )}
      <Learner
        {...{ results, index, levels }}
        renderForm={
          canDecide(results)
            ? (mark) => (
                <DecisionForms
                  mark={mark}
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

function SlipsPage({ results, perPage, levels, links }: PartProps & { perPage: 1 | 2 }) {
  const { title, submissions } = results;
  return (
    <div className="results">
      <div className="no-print">
        <h2>Feedback slips: {title}</h2>
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
      <Slips
        {...{ title, submissions, perPage, levels }}
        signedSentence={signedSentence(results)}
      />
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
          Is a mark wrong, or do you need something else from this class? Reply to the e-mail that
          brought you here, or <a href="/contact">write to us</a>.
        </>
      )}
    </p>
  );
}
