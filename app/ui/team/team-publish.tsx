import { formatDayOf } from "../../domain/day.ts";
import { teamApiPrefix } from "../../site.ts";
import { gradebooks } from "../results/take-away.tsx";
import { Part, TeamForm } from "./part.tsx";
import type { ShownTeam } from "./team-page.tsx";

/** What is open before the educator gets the marks, and what was published. */
export function TeamPublish({ shown }: { shown: ShownTeam }) {
  const { token, request, isNext } = shown;
  const { resultsLink, signed, status, open, sender } = request;
  const hasMarks = status === "graded" || status === "published";
  const state = resultsLink
    ? `Published: the link of ${sender.name} works until ${formatDayOf(resultsLink.expiresAt)}.`
    : hasMarks
      ? "Not published."
      : "There are no marks yet.";
  return (
    <Part id="publish" title="Publish" state={state} shown={shown}>
      {!signed && hasMarks && open.sentences.length > 0 && (
        <ul>
          {open.sentences.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      )}
      {hasMarks && !resultsLink && (
        <TeamForm
          shown={shown}
          intent="publish-now"
          button={open.count > 0 ? "Publish all the same" : "Publish"}
          isNext={isNext === "publish"}
        >
          <input type="hidden" name="open" value={open.count} />
        </TeamForm>
      )}
      {hasMarks && (
        <details>
          <summary>The marks as files (CSV)</summary>
          <p>A gradebook file has only what a person has decided.</p>
          <ul>
            {[["marks", "All marks"], ...gradebooks].map(([file, name]) => (
              <li key={file}>
                <a href={`${teamApiPrefix}${encodeURIComponent(token)}/${file}`}>{name}</a>
              </li>
            ))}
          </ul>
        </details>
      )}
      {signed && <TeamForm shown={shown} intent="publish-reopen" button="Reopen the marks" />}
      {hasMarks && <TeamForm shown={shown} intent="publish-share" button="Make a reading copy" />}
      {status === "published" && (
        <>
          <TeamForm shown={shown} intent="publish-end" button="Close all reading copies" />
          <TeamForm shown={shown} intent="publish-withdraw" button="Withdraw the marks" />
        </>
      )}
    </Part>
  );
}
