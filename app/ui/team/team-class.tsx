import { counted } from "../../domain/counted.ts";
import type { TeamReply } from "../../domain/team.ts";
import { Field } from "../form-field.tsx";
import { Plan, replyTo, TeamForm, TeamPart, typedAgain } from "./part.tsx";
import type { ShownTeam } from "./team-page.tsx";
import { TeamScans } from "./team-scans.tsx";
import { numberedName, TeamWork } from "./team-work.tsx";

export function TeamClass({ shown }: { shown: ShownTeam }) {
  const { learners } = shown.request;
  const own = replyTo("class", shown);
  const plan = own?.plan;
  const typed = typedAgain(own);
  const withoutWork = learners.filter(({ hasWork }) => !hasWork).length;
  const state =
    learners.length === 0
      ? "Each submission is a learner, until a list names them."
      : `${counted(learners.length, "learner")}${withoutWork > 0 ? `, ${withoutWork} without work` : ""}.`;
  return (
    <TeamPart id="class" title="Class" state={state} shown={shown}>
      {learners.length > 0 && (
        <details>
          <summary>The learners</summary>
          <ul>
            {learners.map((learner) => (
              <li key={learner.id}>
                {`${numberedName(learner)}${learner.hasWork ? "" : ": no work"}`}
              </li>
            ))}
          </ul>
        </details>
      )}
      {plan && (
        <Plan
          shown={shown}
          plan={plan}
          typed={typed}
          title="What the list does"
          intent="class-store"
          button="Store the list"
        >
          {typed.adds !== undefined && <input type="hidden" name="adds" value="on" />}
          {typed.removes !== undefined && <input type="hidden" name="removes" value="on" />}
        </Plan>
      )}
      <TeamWork shown={shown} />
      <ListForm shown={shown} typed={typed} />
      <TeamScans shown={shown} />
    </TeamPart>
  );
}

function ListForm({ shown, typed }: { shown: ShownTeam; typed: TeamReply["typed"] }) {
  return (
    <TeamForm shown={shown} intent="class-preview" button="Preview the list" hasFiles>
      <Field
        id="list"
        label="Class list"
        hint="Paste the cells of a spreadsheet, or CSV. The first row names the columns: Number and Name, and File where a file is not named after its learner."
      >
        <ListText typed={typed} />
      </Field>
      <Field id="listFile" label="Or a CSV file">
        <input type="file" name="listFile" accept=".csv,text/csv,.txt" />
      </Field>
      <Checkbox name="adds" label="Add those who have sent no work" typed={typed} />
      <Checkbox
        name="removes"
        label="Remove those who are not on the list and have no decided mark"
        typed={typed}
      />
    </TeamForm>
  );
}

/** The field for a list or a file that is pasted as text. */
export const ListText = ({
  typed,
  ...attributes
}: { typed: TeamReply["typed"] } & React.TextareaHTMLAttributes<HTMLTextAreaElement>) => (
  <textarea {...attributes} name="list" rows={6} spellCheck={false} defaultValue={typed.list} />
);

export function Checkbox({
  name,
  label,
  typed,
}: {
  name: string;
  label: string;
  typed: Record<string, string>;
}) {
  return (
    <label className="check">
      <input type="checkbox" name={name} defaultChecked={typed[name] !== undefined} />
      {label}
    </label>
  );
}
