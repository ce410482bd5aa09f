import { counted } from "../../domain/counted.ts";
import type { TeamReply } from "../../domain/team.ts";
import { Field } from "../form-field.tsx";
import { Plan, replyTo, TeamForm, TeamPart, typedAgain } from "./part.tsx";
import { TeamAgreement } from "./team-agreement.tsx";
import { Checkbox, ListText } from "./team-class.tsx";
import type { ShownTeam } from "./team-page.tsx";
import { teamLinks } from "./team-urls.ts";

export function TeamProposals({ shown }: { shown: ShownTeam }) {
  const { token, request } = shown;
  const own = replyTo("proposals", shown);
  const typed = typedAgain(own);
  const left = request.progress.total - request.progress.decided;
  return (
    <TeamPart id="proposals" title="Proposals" state={stateText(left)} shown={shown}>
      {own?.plan && (
        <Plan
          shown={shown}
          typed={typed}
          plan={own.plan}
          title="What the file does"
          intent="proposals-store"
          button="Store the proposals"
        >
          <input type="hidden" name="proposer" value={typed.proposer ?? ""} />
          {typed.replaces !== undefined && <input type="hidden" name="replaces" value="on" />}
        </Plan>
      )}
      <details open={own !== undefined}>
        <summary>Import proposals</summary>
        <p>
          <a href={teamLinks(token).file("sheet")}>The sheet to fill in</a> has a row for each
          submission. What is decided stays.
        </p>
        <ProposalsForm shown={shown} typed={typed} />
      </details>
      {request.progress.decided > 0 && <TeamAgreement shown={shown} />}
    </TeamPart>
  );
}

/** @param left how many answers are not decided */
function stateText(left: number): string {
  const state = "If you have any. They are in pencil, and decide nothing";
  if (left === 0) return `${state}.`;
  return `${state}: ${counted(left, "answer")} ${left === 1 ? "is" : "are"} not decided.`;
}

function ProposalsForm({ shown, typed }: { shown: ShownTeam; typed: TeamReply["typed"] }) {
  return (
    <TeamForm shown={shown} intent="proposals-preview" button="Preview the proposals" hasFiles>
      <Field id="proposals-file" label="The sheet as CSV, or JSON">
        <input type="file" name="listFile" accept=".csv,text/csv,.txt,.json" />
      </Field>
      <Field id="proposals-text" label="Or its text">
        <ListText typed={typed} />
      </Field>
      <Field
        id="proposer"
        label="Proposed by (optional)"
        hint="A name, such as a model’s, for the history."
      >
        <input name="proposer" maxLength={100} defaultValue={typed.proposer} />
      </Field>
      <Checkbox name="replaces" label="Take away proposals where the file is empty" typed={typed} />
    </TeamForm>
  );
}
