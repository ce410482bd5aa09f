import { maxSheetBytes } from "../../domain/team.ts";
import { formatBytes } from "../../forms/files.ts";
import { scriptsReadySentence } from "../../results/scripts-ready.ts";
import { Field } from "../form-field.tsx";
import { gradebooks } from "../results/take-away.tsx";
import { TeamForm } from "./part.tsx";
import { Checkbox } from "./team-class.tsx";
import type { ShownTeam } from "./team-page.tsx";
import { teamLinks } from "./team-urls.ts";

export function TeamMarksFiles({ shown }: { shown: ShownTeam }) {
  const { token, request } = shown;
  const { status, scriptsReady } = request;
  const files: typeof gradebooks = [["marks", "All marks (CSV)"], ...gradebooks];
  if (status === "published" && !scriptsReady)
    files.push(["scripts.zip", "Marked scripts as a ZIP"]);
  return (
    <>
      <details>
        <summary>The marks as files</summary>
        <p>
          A gradebook file (CSV) has only what a person has decided. When a person takes a file with
          names, the team’s address is told.
        </p>
        {scriptsReady && <p>{scriptsReadySentence(scriptsReady)}</p>}
        <ul>
          {files.map(([file, name]) => (
            <li key={file}>
              <a href={teamLinks(token).file(file)}>{name}</a>
            </li>
          ))}
        </ul>
      </details>
      <SchoolSheet shown={shown} />
    </>
  );
}

const optionalFields = [
  [
    "column",
    "Column",
    "Its heading, or its name such as E. Without one, the column that has the title of the test.",
  ],
  [
    "learner",
    "Heading over the learners",
    "Only if it is not a usual one, such as Student number or Surname.",
  ],
  ["sheetName", "Sheet of the workbook", "Only if several fit."],
] as const;

function SchoolSheet({ shown }: { shown: ShownTeam }) {
  const { reply } = shown;
  const own = reply?.intent === "publish-fill" ? reply : undefined;
  const typed = own?.typed ?? {};
  return (
    <details open={own !== undefined}>
      <summary>The school’s own sheet</summary>
      <TeamForm shown={shown} intent="publish-fill" button="Fill in the marks" hasFiles>
        <Field
          id="sheet"
          label="Mark sheet of the school"
          hint={`CSV or XLSX, at most ${formatBytes(maxSheetBytes)}. You get it back with one column filled in by what people have decided; it is not stored here.`}
        >
          <input type="file" name="sheet" accept=".csv,.txt,.xls,.xlsx" required />
        </Field>
        {optionalFields.map(([name, label, hint]) => (
          <Field key={name} id={`sheet-${name}`} label={`${label} (optional)`} hint={hint}>
            <input name={name} maxLength={200} defaultValue={typed[name]} />
          </Field>
        ))}
        <Checkbox name="percentage" label="Percentages in place of marks" typed={typed} />
      </TeamForm>
    </details>
  );
}
