import { counted } from "../../domain/counted.ts";
import { maxScanBytes, type ShownScanUpload } from "../../domain/scan-upload.ts";
import { formatBytes } from "../../forms/files.ts";
import { splitSentences } from "../../results/split-sentences.ts";
import { Field } from "../form-field.tsx";
import { Sentences, TeamForm, typedAgain } from "./part.tsx";
import type { ShownTeam } from "./team-page.tsx";
import { teamLinks } from "./team-urls.ts";

export function TeamScans({ shown }: { shown: ShownTeam }) {
  const { token, request, reply } = shown;
  const { scans, learners, signed } = request;
  const outcomes = scans.flatMap(({ state }) => (typeof state === "string" ? [] : state));
  const hasProblems = outcomes.some((one) => "report" in one && one.report.problems.length > 0);
  return (
    <>
      <h3>On paper</h3>
      {learners.some(({ isNumberListed }) => isNumberListed) && (
        <p>
          <a className="standalone-link" href={teamLinks(token).file("sheets.pdf")}>
            Cover sheets as a PDF
          </a>
        </p>
      )}
      {scans.map((scan, index) => (
        <Scan key={scan.key} scan={scan} shown={shown} id={index} />
      ))}
      {outcomes.length < scans.length && (
        <p>
          {/* The URL has no fragment: with one, the browser would not load the page again. */}
          <a href={teamLinks(token).page}>Look again</a>
        </p>
      )}
      {reply?.intent === "class-desk" && reply.desk ? (
        <p>
          <a className="button" href={`${reply.desk}&view=problems`}>
            Go to the problem pages
          </a>
        </p>
      ) : (
        hasProblems && (
          <TeamForm shown={shown} intent="class-desk" button="Open the problem pages on the desk" />
        )
      )}
      {!signed && <ScanForm shown={shown} />}
    </>
  );
}

function Scan({ scan, shown, id }: { scan: ShownScanUpload; shown: ShownTeam; id: number }) {
  const { key, names, bytes, state } = scan;
  const name = names.join(", ");
  if (state === "arriving") {
    return (
      <TeamForm
        shown={shown}
        intent="class-discard"
        button="Discard it"
        buttonAbout={`: ${name}`}
        id={id}
      >
        <p>{`${name}: ${formatBytes(bytes)} of it have arrived. It is kept while another window sends the rest, for a day at most.`}</p>
        <input type="hidden" name="upload" value={key} />
      </TeamForm>
    );
  }
  if (state === "waiting") {
    const isFirst = shown.request.scans.find((one) => one.state === "waiting") === scan;
    const isCut = isFirst && shown.request.isWorkedOn;
    return <p>{`${name} ${isCut ? "is being cut." : "has arrived, and waits to be cut."}`}</p>;
  }
  if ("failure" in state) return <p>{`${name} was not cut. ${state.failure}`}</p>;
  const { scripts, ...report } = state.report;
  return (
    <details>
      <summary>{`${name}: ${counted(scripts.length, "script")}, ${counted(report.problems.length, "problem page")}`}</summary>
      <Sentences all={splitSentences(report, scripts.length)} />
    </details>
  );
}

/** Sends a scan: in parts with script, in one post without script. */
function ScanForm({ shown }: { shown: ShownTeam }) {
  const { token, reply } = shown;
  const typed = reply?.intent === "class-scan" ? typedAgain(reply) : {};
  const hasArrived = Boolean(typed.upload);
  return (
    <TeamForm
      shown={shown}
      intent="class-scan"
      button="Send the scan"
      scanPath={teamLinks(token).file("scan")}
    >
      {/* Once a scan has arrived, the form has the scan's key in place of the file. */}
      <input type="hidden" name="upload" defaultValue={typed.upload} />
      <input type="hidden" name="size" defaultValue={typed.size} />
      <input type="hidden" name="name" defaultValue={typed.name} />
      <Field
        id="scan"
        label="Scan of the class"
        hint={
          hasArrived
            ? `${typed.name} has arrived, and need not be chosen again.`
            : `A PDF of the whole stack, each script under its cover sheet, in grey at 150 dpi: at most ${formatBytes(maxScanBytes)}. It is deleted here once it is cut, or after a day if it has not arrived whole.`
        }
      >
        <input type="file" name="scan" accept=".pdf,application/pdf" required={!hasArrived} />
      </Field>
      <Field
        id="pages"
        label="Pages of a script (optional)"
        hint="Only if there are no cover sheets, and every script has the same number of pages."
      >
        <input
          name="pages"
          inputMode="numeric"
          pattern="[1-9][0-9]{0,2}"
          defaultValue={typed.pages}
        />
      </Field>
      <div className="sending" hidden>
        <p role="status" />
        <progress max={100} value={0} aria-label="Bytes on the way or arrived" />
        <p className="faded figures" />
        <p className="actions">
          <button type="button" className="button quiet">
            Stop sending
          </button>
        </p>
      </div>
    </TeamForm>
  );
}
