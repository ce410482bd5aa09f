import type { Results } from "../../domain/result.ts";
import LearnerDialogs from "../../islands/learner-dialogs.tsx";
import { ClosedLink } from "../../islands/results/closed-link.tsx";
import { Learner } from "../../islands/results/learner.tsx";
import { sortedIndexes } from "../../results/class-report.ts";
import type { LevelScale } from "../../results/grade.ts";
import { Island } from "../island.tsx";
import { ClassReport } from "./class-report.tsx";
import { linksOf, type ResultsLinks, type ResultsView } from "./links.ts";
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
}

/** A page of results: the class, one learner, or slips to print. */
export function ResultsPage({
  shown: { token, isSample, title, results, view },
  levels,
}: {
  shown: ShownResults;
  levels: LevelScale;
}) {
  const links = linksOf(token);
  return (
    <section className="demo" id="demo" aria-labelledby="demo-title">
      <div className="page">
        <h1 id="demo-title">{title}</h1>
        {!results && <ClosedLink />}
        {results && view.kind === "class" && (
          <>
            <Island name="learner-dialogs" component={LearnerDialogs} props={{ levels }} />
            <ClassReport results={results} sort={view.sort} levels={levels} links={links} />
          </>
        )}
        {results && view.kind === "learner" && (
          <LearnerPage results={results} index={view.index} levels={levels} links={links} />
        )}
        {results && view.kind === "slips" && (
          <SlipsPage results={results} perPage={view.perPage} levels={levels} links={links} />
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

function LearnerPage({ results, index, levels, links }: PartProps & { index: number }) {
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
      <Learner results={results} index={index} levels={levels} />
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
      <Slips title={title} submissions={submissions} perPage={perPage} levels={levels} />
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
