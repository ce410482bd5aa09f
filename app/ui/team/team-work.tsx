import { Field } from "../form-field.tsx";
import { TeamForm, typedAgain } from "./part.tsx";
import type { ShownTeam } from "./team-page.tsx";

/** The learner's number, if there is one, and name. */
export const numberedName = ({ number, name }: ShownTeam["request"]["learners"][number]): string =>
  [number, name].filter(Boolean).join(" ");

/** Shows the files that no learner has and, until the marks are signed, the form that says whose a file is. */
export function TeamWork({ shown }: { shown: ShownTeam }) {
  const { works, learners, signed } = shown.request;
  const typed = shown.reply?.intent === "class-file" ? typedAgain(shown.reply) : {};
  // Before there is a class, each file counts as a learner, so none is unused.
  const hasClass = learners.length > 0;
  const owners = new Map<number | null, string>(
    learners.map((learner) => [learner.id, numberedName(learner)]),
  );
  const unused = works.filter(({ learnerId }) => hasClass && learnerId === null);
  if (works.length === 0) return null;
  return (
    <>
      {unused.length > 0 && (
        <p>{`Files that no learner has: ${unused.map(({ name }) => name).join(", ")}.`}</p>
      )}
      {!signed && (
        <details open={typed.file !== undefined}>
          <summary>A file is not a script, or belongs to another learner</summary>
          <TeamForm shown={shown} intent="class-file" button="Change it">
            <Field id="file" label="File">
              <select name="file" defaultValue={typed.file}>
                {works.map(({ fileId, name, learnerId }) => {
                  const owner = owners.get(learnerId) ?? "no learner";
                  const label = hasClass ? `${name} (${owner})` : name;
                  const value = `${fileId} ${learnerId ?? ""}`;
                  return (
                    <option key={value} value={value}>
                      {label}
                    </option>
                  );
                })}
              </select>
            </Field>
            <Field
              id="to"
              label="It is"
              hint="A file that is not a script stays here, and can be given to a learner again. One that learners have is taken away from each of them first."
            >
              <select name="to" defaultValue={typed.to}>
                <option value="no script">not a script</option>
                <option value="new learner">the work of a new learner</option>
                {learners.map((learner) => (
                  <option key={learner.id} value={learner.id}>
                    {`the work of ${numberedName(learner)}`}
                  </option>
                ))}
              </select>
            </Field>
          </TeamForm>
        </details>
      )}
    </>
  );
}
