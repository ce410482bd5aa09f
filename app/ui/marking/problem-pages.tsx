import { type Desk, type DeskLearner, preparesClass } from "../../domain/desk.ts";
import { isOpenProblem, type ProblemPage } from "../../domain/scan.ts";
import { maxShownProblems, putBack, turnedProblem } from "../../results/problem-form.ts";
import { Submit } from "../button.tsx";
import { Field } from "../form-field.tsx";
import { Picture } from "../script/work.tsx";
import type { ReturnedDeskForm } from "./desk-page.tsx";
import { askTeam, type DeskLinks, learnerLabel, type ShownProblems } from "./desk-urls.ts";
import { LearnerSelect } from "./learners.tsx";
import "../../styles/pages/problem-pages.css";

interface ProblemsProps {
  desk: Desk;
  problems: ProblemPage[];
  shown: ShownProblems;
  links: DeskLinks;
  returned: ReturnedDeskForm | undefined;
}

/** The pages of scans that belong to no learner, and the form that gives, turns or discards them. */
export function ProblemPages({ desk, problems, shown, links, returned }: ProblemsProps) {
  const mayChange = preparesClass(desk);
  const open = problems.filter(isOpenProblem);
  const done = problems.filter((page) => !isOpenProblem(page));
  const first = open.slice(0, maxShownProblems);
  const more = open.length - first.length;
  const typed = returned?.typed ?? { to: shown.to };
  const isTicked = ({ id }: ProblemPage) =>
    returned ? typed[`page-${id}`] !== undefined : shown.ticked.includes(id);
  return (
    <>
      <h2>Problem pages</h2>
      {desk.link.isEducators && <p>{askTeam}</p>}
      {open.length === 0 && <p>No page of a scan is without a learner.</p>}
      {first.length > 0 && (
        <form method="post" action={links.problems()} className="problem-form">
          {mayChange && (
            <p>
              Tick the pages that belong together, choose whose they are, and press Give. A page
              that belongs to no learner can be discarded, and put back later.
              {more > 0 && ` ${more} more follow when some of these are done.`}
            </p>
          )}
          {mayChange && <ProblemBar learners={desk.learners} to={typed.to} />}
          <ol className="problem-list thirds">
            {first.map((page) => (
              <Problem
                key={page.id}
                page={page}
                links={links}
                mayChange={mayChange}
                isTicked={isTicked(page)}
              />
            ))}
          </ol>
        </form>
      )}
      {done.length > 0 && <Done desk={desk} links={links} pages={done} />}
    </>
  );
}

/** Gives the ticked pages to a learner, or discards them. */
function ProblemBar({ learners, to }: { learners: Desk["learners"]; to: string | undefined }) {
  return (
    <div className="problem-bar cluster flush no-print">
      <Field id="to" label="The ticked pages belong to">
        <LearnerSelect name="to" learners={learners} first="choose a learner" defaultValue={to} />
      </Field>
      <Submit className="button small" value="give">
        Give
      </Submit>
      <Submit value="discard">Discard</Submit>
    </div>
  );
}

const nameOf = ({ scan, page }: ProblemPage) => `${scan}, page ${page}`;

function Problem({
  page,
  isTicked,
  mayChange,
  links,
}: {
  page: ProblemPage;
  isTicked: boolean;
  /** Whether the link may give, discard and turn the page. */
  mayChange: boolean;
  links: DeskLinks;
}) {
  const { id, fileId, size, turn, reason } = page;
  const src = links.picture(fileId, 1);
  return (
    <li id={`page-${id}`}>
      {mayChange ? (
        <label className="check">
          <input type="checkbox" name={`page-${id}`} defaultChecked={isTicked} />
          <span>{nameOf(page)}</span>
        </label>
      ) : (
        <p>{nameOf(page)}</p>
      )}
      <p className="hint">{`It ${reason}.`}</p>
      {size ? (
        <figure className="picture">
          <Picture page={{ page: 1, ...size, turn }} title={nameOf(page)} src={src} />
        </figure>
      ) : (
        <p>The picture of this page is not there. Open the page itself.</p>
      )}
      <p className="actions no-print">
        {mayChange && (
          <Submit className="link" name="turn" value={turnedProblem(page)}>
            Turn<span className="visually-hidden"> {nameOf(page)}</span>
          </Submit>
        )}
        <a href={size ? src : links.original(fileId)}>
          {size ? "Zoom" : "Open"}
          <span className="visually-hidden"> {nameOf(page)}</span>
        </a>
      </p>
    </li>
  );
}

/** The pages that were given or discarded, each with a button that takes this back. */
function Done({
  desk,
  pages,
  links,
}: Pick<ProblemsProps, "desk" | "links"> & { pages: ProblemPage[] }) {
  const learners = new Map<number | null, DeskLearner>(desk.learners.map((one) => [one.id, one]));
  return (
    <details className="no-print">
      <summary>{`Done (${pages.length})`}</summary>
      <form method="post" action={links.problems()}>
        <ul className="problem-done">
          {pages.map((page) => {
            const learner = learners.get(page.learnerId);
            return (
              <li key={page.id}>
                <a href={links.picture(page.fileId, 1)}>{nameOf(page)}</a>
                {`: ${learner ? `given to ${learnerLabel(learner)}` : "discarded"} `}
                {preparesClass(desk) && (
                  <Submit className="link" name="back" value={putBack(page)}>
                    Put back<span className="visually-hidden"> {nameOf(page)}</span>
                  </Submit>
                )}
              </li>
            );
          })}
        </ul>
      </form>
    </details>
  );
}
