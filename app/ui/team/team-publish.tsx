import { formatDayOf } from "../../domain/day.ts";
import { Sentences, TeamForm, TeamPart } from "./part.tsx";
import { TeamMarksFiles } from "./team-marks-files.tsx";
import type { ShownTeam } from "./team-page.tsx";
import { teamLinks } from "./team-urls.ts";

type Intent = `publish-${string}`;

const whilePublished: [Intent, string][] = [
  ["publish-end", "Close all reading copies"],
  ["publish-withdraw", "Withdraw the marks"],
];

/** What is open before the educator gets the marks, and what was published. */
export function TeamPublish({ shown }: { shown: ShownTeam }) {
  const { token, request, nextPart } = shown;
  const { resultsLink, signed, status, open, sender } = request;
  const hasMarks = status === "graded" || status === "published";
  const unpublished = hasMarks ? "Not published." : "There are no marks yet.";
  const state = resultsLink
    ? `Published: the link of ${sender.name} works until ${formatDayOf(resultsLink.expiresAt)}.`
    : unpublished;
  return (
    <TeamPart id="publish" title="Publish" state={state} shown={shown}>
      {!signed && hasMarks && open.sentences.length > 0 && <Sentences all={open.sentences} />}
      {hasMarks && (
        <p>
          <a className="standalone-link" href={teamLinks(token).preview}>
            {`What ${sender.name} ${resultsLink ? "sees" : "will get, to look at first"}`}
          </a>
        </p>
      )}
      {hasMarks && !resultsLink && (
        <TeamForm
          shown={shown}
          intent="publish-now"
          button={open.count > 0 ? "Publish all the same" : "Publish"}
          isNext={nextPart === "publish"}
        >
          <input type="hidden" name="open" value={open.count} />
        </TeamForm>
      )}
      {hasMarks && <TeamMarksFiles shown={shown} />}
      {hasMarks && (
        <TeamForm
          shown={shown}
          intent="publish-share"
          button="Make a reading copy"
          others={[
            ...(status === "published" ? whilePublished : []),
            ...(signed ? [["publish-reopen", "Reopen the marks"] as [Intent, string]] : []),
          ]}
        />
      )}
    </TeamPart>
  );
}
