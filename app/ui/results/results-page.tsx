import type { ComponentProps } from "react";
import type { ShownFile } from "../../domain/desk.ts";
import type { Late } from "../../domain/late.ts";
import { canDecide, type Results } from "../../domain/result.ts";
import type { LevelScale } from "../../results/grade.ts";
import { scriptsReadySentence } from "../../results/scripts-ready.ts";
import { Loader } from "../island.tsx";
import { LatePart } from "../late-part.tsx";
import { LearnerWork } from "../script/work.tsx";
import { ClosedLink } from "./closed-link.tsx";
import type { ReturnedDecision } from "./deciding.tsx";
import { linksOf, type ResultsView } from "./results-urls.ts";
import { ResultsBody } from "./results-view.tsx";
import { LinkEnds, ReturnedNotice } from "./signing.tsx";

export interface ShownResults {
  token: string;
  isSample: boolean;
  title: string;
  isUnsigned: boolean;
  /** Null if the token opens no results. */
  found: Late<FoundResults> | null;
  /** The address that learners' queries go to; null if the brand has none. */
  contact: string | null;
}

export interface FoundResults {
  results: Results;
  view: ResultsView;
  /** When the request is deleted, with its results: ISO 8601, UTC; null for the sample. */
  deletedAt: string | null;
  /** The files of each script that the page shows, by the id of its learner. */
  scripts: ReadonlyMap<number, ShownFile[]>;
  /** Whether slips can be printed with scripts. */
  hasScripts: boolean;
}

export function ResultsPage({
  shown,
  returned,
  levels,
}: {
  shown: ShownResults;
  /** A form of the page that was posted and came back. */
  returned: ReturnedDecision | undefined;
  levels: LevelScale;
}) {
  const { isSample, title, found } = shown;
  return (
    <section className="demo" id="demo" aria-labelledby="demo-title">
      <div className={found ? "page" : "page narrow"}>
        {returned && (
          <ReturnedNotice
            returned={returned}
            field={found && "ready" in found ? fieldOf(returned, found.ready) : undefined}
          />
        )}
        <h1 id="demo-title" className={found ? "no-print" : undefined}>
          {title}
        </h1>
        {found ? (
          <>
            <LatePart found={found} awaited="The marks of the class">
              {(ready) => <Found {...ready} shown={shown} returned={returned} levels={levels} />}
            </LatePart>
            <AskUs isSample={isSample} />
            <Loader />
          </>
        ) : (
          <ClosedLink />
        )}
      </div>
    </section>
  );
}

function Found({
  shown: { token, contact },
  returned,
  levels,
  ...found
}: FoundResults & ComponentProps<typeof ResultsPage>) {
  const { results, view, deletedAt, scripts, hasScripts } = found;
  const links = linksOf(token);
  const scriptsReady = results.link?.scriptsReady;
  return (
    <>
      {scriptsReady && <p className="hint no-print">{scriptsReadySentence(scriptsReady)}</p>}
      <ResultsBody
        results={results}
        view={view}
        levels={levels}
        contact={contact}
        hasScripts={hasScripts}
        returned={returned}
        links={links}
        renderScript={(index) => {
          const { learnerId, studentName } = results.submissions[index]!;
          return scriptOf(scripts.get(learnerId!), {
            label: studentName,
            links,
            isPrinted: view.kind === "slips",
          });
        }}
      />
      {results.link && deletedAt && (
        <LinkEnds expiresAt={results.link.expiresAt} deletedAt={deletedAt} />
      )}
    </>
  );
}

/** The pages of a learner's script with their stamps; null if none can be shown. */
function scriptOf(work: ShownFile[] = [], props: Omit<ComponentProps<typeof LearnerWork>, "work">) {
  const shown = work.filter(({ rendered }) => rendered && rendered.kind !== "original");
  if (shown.length === 0) return null;
  return (
    <div className="given-back">
      {!props.isPrinted && <h3>The script of {props.label}</h3>}
      <LearnerWork {...props} work={shown} />
    </div>
  );
}

/** The id of the field that a returned form is about, if the view has it. */
function fieldOf({ intent, field }: ReturnedDecision, { results, view }: FoundResults) {
  if (!canDecide(results) || view.kind !== "class" || intent !== "sign") return undefined;
  // An error without a field is about the marks or the ticks of the form.
  return field ? "sign-name" : "sign";
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
