import { type Desk, type DeskLearner, preparesClass } from "../../domain/desk.ts";
import { isDecided } from "../../results/class-report.ts";
import { Submit } from "../button.tsx";
import { Field } from "../form-field.tsx";
import type { ReturnedDeskForm } from "./desk-page.tsx";
import { askTeam, type DeskLinks, learnerLabel } from "./desk-urls.ts";

interface LearnersProps {
  desk: Desk;
  /** The learner whose forms are shown; null for the list. */
  learnerId: number | null;
  links: DeskLinks;
  returned: ReturnedDeskForm | undefined;
}

/** The learners of the link, or one of them with the forms that change the learner. */
export function Learners(props: LearnersProps) {
  const learner = props.desk.learners.find(({ id }) => id === props.learnerId);
  return learner ? <OneLearner {...props} learner={learner} /> : <LearnerList {...props} />;
}

function OneLearner({ desk, learner, links, returned }: LearnersProps & { learner: DeskLearner }) {
  const { questions, isEducators } = desk.link;
  return (
    <>
      <h2>{learnerLabel(learner)}</h2>
      <p>
        <About {...learner} />
      </p>
      {isEducators && <p>{askTeam}</p>}
      <div className="thirds">
        {questions === null && !desk.signed && !isEducators && (
          <NoGradeForm learner={learner} action={links.learner(learner.id)} />
        )}
        {preparesClass(desk) && (
          <>
            <JoinForm desk={desk} learner={learner} links={links} returned={returned} />
            <DivideForm desk={desk} learner={learner} links={links} returned={returned} />
          </>
        )}
      </div>
      <p>
        <a className="standalone-link" href={links.learners}>
          All learners
        </a>
      </p>
    </>
  );
}

function LearnerList({ desk, links, returned }: LearnersProps) {
  return (
    <>
      <h2>Learners</h2>
      <p className="hint">
        {desk.link.showsNames
          ? "This link shows names."
          : "This link shows numbers in place of names. Handwriting, or a name on a page or in a comment, may still say who a learner is."}
      </p>
      {desk.link.isEducators && <p>{askTeam}</p>}
      <ul className="learner-list">
        {desk.learners.map((one) => (
          <li key={one.id}>
            <a className="standalone-link" href={links.learner(one.id)}>
              {learnerLabel(one)}
            </a>
            <span className="hint">
              {" "}
              <About {...one} />
            </span>
          </li>
        ))}
      </ul>
      {preparesClass(desk) && (
        <form method="post" action={links.learners} className="change sheet no-print">
          <h3>Add a learner without work</h3>
          <NewLearnerFields prefix="add" returned={returned} />
          <Submit value="add">Add</Submit>
        </form>
      )}
    </>
  );
}

function About(learner: DeskLearner) {
  const { id, noGrade, absenceReportedBy, marks } = learner;
  return (
    <>
      {`${workOf(learner)}, `}
      <span data-decided-of={id}>
        {`${marks.filter(isDecided).length} of ${marks.length} decided`}
      </span>
      {noGrade && `, ${noGrade}: no grade`}
      {absenceReportedBy && `, absent, says ${absenceReportedBy}`}
    </>
  );
}

function workOf({ files, fileName }: DeskLearner): string {
  if (files.length === 0) return "no work";
  return fileName ?? (files.length === 1 ? "one file" : `${files.length} files`);
}

type Choice = [reason: string, label: string];

function NoGradeForm({ learner, action }: { learner: DeskLearner; action: string }) {
  const notAbsent: Choice[] = learner.absenceReportedBy ? [["graded", "Not absent"]] : [];
  const choices: Choice[] = learner.noGrade
    ? [["graded", "Give a grade again"]]
    : [["absent", "Absent"], ["unreadable", "Unreadable"], ...notAbsent];
  return (
    <form method="post" action={action} className="change sheet no-print">
      <h3>{learner.noGrade ? `No grade: ${learner.noGrade}` : "No grade"}</h3>
      <p className="hint">
        A learner who was absent, or whose work cannot be read, gets no grade and counts in no
        average. Marks that are there stay.
      </p>
      <input type="hidden" name="intent" value="no grade" />
      <p className="actions">
        {choices.map(([reason, label]) => (
          <Submit key={reason} name="reason" value={reason}>
            {label}
          </Submit>
        ))}
      </p>
    </form>
  );
}

type ChangeProps = Omit<LearnersProps, "learnerId"> & { learner: DeskLearner };

function JoinForm({ desk, learner, links, returned }: ChangeProps) {
  const others = desk.learners.filter(({ id }) => id !== learner.id);
  if (others.length === 0) return null;
  return (
    <form method="post" action={links.learner(learner.id)} className="change sheet no-print">
      <h3>Two files of one learner</h3>
      <Field id="other" label="The other learner, whose work is added to this one’s">
        <LearnerSelect name="other" learners={others} defaultValue={returned?.typed.other} />
      </Field>
      <p className="hint">
        The other learner is removed, which is possible before the first decision on that work.
        Marks of this learner stay: look at them again. If only the other work has marks, join the
        other way round; a class list then gives the number and the name.
      </p>
      <Submit value="join">Join</Submit>
    </form>
  );
}

function DivideForm({ desk, learner, links, returned }: ChangeProps) {
  if (learner.files.length === 0) return null;
  const others = desk.learners.filter(({ id }) => id !== learner.id);
  const typed = returned?.typed ?? {};
  return (
    <form method="post" action={links.learner(learner.id)} className="change sheet no-print">
      <h3>Pages of another learner</h3>
      <Field
        id="page"
        label="First page of the other learner"
        hint="As the desk counts it beside an answer: 4 for “Page 4 of 10”."
        error={returned?.field === "page" ? returned.error : undefined}
      >
        <input name="page" inputMode="numeric" defaultValue={typed.page} />
      </Field>
      <Field id="to" label="It and the pages after it in its file belong to">
        <LearnerSelect name="to" learners={others} first="a new learner" defaultValue={typed.to} />
      </Field>
      <NewLearnerFields prefix="new" returned={returned} />
      <p className="hint">This is possible before the first decision on either learner.</p>
      <Submit value="divide">Divide</Submit>
    </form>
  );
}

export function LearnerSelect({
  learners,
  first,
  ...attributes
}: React.ComponentProps<"select"> & {
  learners: DeskLearner[];
  /** The text of the choice that is no learner. */
  first?: string;
}) {
  return (
    <select {...attributes}>
      {first && <option value="">{first}</option>}
      {learners.map((learner) => (
        <option key={learner.id} value={learner.id}>
          {learnerLabel(learner)}
        </option>
      ))}
    </select>
  );
}

function NewLearnerFields({
  prefix,
  returned,
}: { prefix: string } & Pick<LearnersProps, "returned">) {
  return newLearnerFields.map(({ name, label, maxLength }) => (
    <Field
      key={name}
      id={`${prefix}-${name}`}
      label={label}
      error={returned?.field === name ? returned.error : undefined}
    >
      <input
        name={name}
        maxLength={maxLength}
        autoComplete="off"
        defaultValue={returned?.typed[name]}
      />
    </Field>
  ));
}

const newLearnerFields = [
  { name: "number", label: "Number of the new learner", maxLength: 20 },
  { name: "name", label: "Name", maxLength: 200 },
];
