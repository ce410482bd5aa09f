import { formatDayOf } from "../../domain/day.ts";
import { Sentences, TeamForm, TeamPart } from "./part.tsx";
import { TeamMarksFiles } from "./team-marks-files.tsx";
import type { ShownTeam } from "./team-page.tsx";
import { teamLinks } from "./team-urls.ts";

export function TeamPublish({ shown }: { shown: ShownTeam }) {
  const { token, request, nextPart } = shown;
  const { resultsLink, hasReadingCopy, signed, status, open, sender } = request;
  const hasMarks = status === "graded" || status === "published";
  const unpublished = hasMarks ? "Not published." : "There are no marks yet.";
  const state = resultsLink
    ? `Published: the link of ${sender.name} works until ${formatDayOf(resultsLink.expiresAt)}.`
    : unpublished;
  const others: [intent: `publish-${string}`, button: string][] = [];
  if (hasReadingCopy) others.push(["publish-end", "Close all reading copies"]);
  if (status === "published") others.push(["publish-withdraw", "Withdraw the marks"]);
  if (signed) others.push(["publish-reopen", "Reopen the marks"]);
  return (
    <TeamPart id="publish" title="Publish" state={state} shown={shown}>
      {hasMarks && (
        <>
          {!signed && open.sentences.length > 0 && <Sentences all={open.sentences} />}
          <p>
            <a className="standalone-link" href={teamLinks(token).preview}>
              {`What ${sender.name} ${resultsLink ? "sees" : "will get, to look at first"}`}
            </a>
          </p>
          {!resultsLink && (
            <TeamForm
              shown={shown}
              intent="publish-now"
              button={open.count > 0 ? "Publish all the same" : "Publish"}
              isNext={nextPart === "publish"}
            >
              <input type="hidden" name="open" value={open.count} />
            </TeamForm>
          )}
          <TeamMarksFiles shown={shown} />
          <TeamForm
            shown={shown}
            intent="publish-share"
            button="Make a reading copy"
            others={others}
          >
            <input type="hidden" name="published" value={resultsLink?.createdAt ?? ""} />
            <input type="hidden" name="signed" value={signed?.at ?? ""} />
          </TeamForm>
        </>
      )}
    </TeamPart>
  );
}
