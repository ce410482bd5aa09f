import { counted } from "../../domain/counted.ts";
import { type Desk, preparesClass } from "../../domain/desk.ts";
import { choiceKey, type PlannedPoint, type ShownPoints } from "../../domain/memo-point.ts";
import { pointWarnings } from "../../results/read-points.ts";
import { Submit } from "../button.tsx";
import { Field } from "../form-field.tsx";
import { Sentences } from "../team/part.tsx";
import type { ReturnedDeskForm } from "./desk-page.tsx";
import { askTeam, type DeskLinks } from "./desk-urls.ts";

export interface ShownPaper {
  /** A line for each question and each choice, as results/question-lines.ts reads them. */
  lines: string;
  /** The sum of the questions' marks; of questions to choose from, only the best count. */
  total: number;
}

interface QuestionsProps {
  desk: Desk;
  paper: ShownPaper;
  links: DeskLinks;
  returned: ReturnedDeskForm | undefined;
}

/** The questions of the paper, one line each, and the form that changes them. */
export function Questions(props: QuestionsProps) {
  const { desk, paper } = props;
  const { questions, link, signed } = desk;
  const mayChange = preparesClass(desk);
  return (
    <>
      <h2>Questions</h2>
      {questions.length > 0 && (
        <p>{`${counted(questions.length, "question")}, ${counted(paper.total, "mark")}.`}</p>
      )}
      {!mayChange && !signed && (
        <p>
          {link.isEducators
            ? askTeam
            : "This link opens a part of the class, so the questions stay as they are."}
        </p>
      )}
      <pre className={`question-lines${mayChange ? " print-only" : ""}`}>{paper.lines}</pre>
      {mayChange && <QuestionsForm {...props} />}
    </>
  );
}

function QuestionsForm(props: QuestionsProps) {
  const { desk, paper, links, returned } = props;
  const { effects, field, error } = returned ?? {};
  const typed = returned?.typed ?? { title: desk.title, lines: paper.lines };
  return (
    <form
      method="post"
      action={links.questions}
      encType="multipart/form-data"
      className={`no-print${returned ? " unstored" : ""}`}
    >
      <input type="hidden" name="seen" value={desk.paperVersion} />
      {effects && <Effects effects={effects} typed={typed} />}
      <Field id="title" label="Title of the class" error={field === "title" ? error : undefined}>
        <input name="title" maxLength={200} defaultValue={typed.title} />
      </Field>
      <LinesField {...props} typed={typed.lines} />
      <p className="actions">
        <Submit className="button" value="questions">
          {buttonText(effects)}
        </Submit>
        {effects && <a href={links.questions}>Leave the questions as they were</a>}
      </p>
    </form>
  );
}

/** Says what the new questions change, to be confirmed. */
function Effects({
  effects,
  typed,
}: {
  effects: NonNullable<ReturnedDeskForm["effects"]>;
  typed: Record<string, string>;
}) {
  const { sentences, points, version } = effects;
  return (
    <div className="problem-summary sheet">
      <input type="hidden" name="confirmed" value={version} />
      {sentences.length > 0 && (
        <>
          <h3>What this changes</h3>
          <Sentences all={sentences} />
        </>
      )}
      {points && <NewPoints points={points} typed={typed} />}
    </div>
  );
}

function LinesField({
  desk,
  paper,
  returned,
  typed,
}: QuestionsProps & { typed: string | undefined }) {
  const { lines, effects, field, error } = returned ?? {};
  return (
    <div className="field">
      <label htmlFor="lines">Questions, one line each</label>
      <p className="hint" id="lines-hint">
        {
          "Number | marks | text | memo. Text and memo may be left out; rows of a spreadsheet with these cells can be pasted. Points of a memo have their worth at the end, and become boxes to tick: "
        }
        <code>thick leaves (1); deep roots (½)</code>
        {". Of questions to choose from: "}
        <code>choose 3: 4.1 4.2 4.3 4.4</code>
      </p>
      {lines && (
        <ul className="field-error" id="lines-error">
          {lines.map(({ line, message }) => (
            <li key={`${line} ${message}`}>
              {line === null ? message : `Line ${line}: ${message}`}
            </li>
          ))}
        </ul>
      )}
      {error && !lines && !effects && !field && (
        <>
          <p className="field-error">{error}</p>
          <pre className="question-lines">{paper.lines}</pre>
        </>
      )}
      <textarea
        id="lines"
        name="lines"
        rows={Math.max(8, desk.questions.length + 3)}
        maxLength={60_000}
        spellCheck={false}
        defaultValue={typed}
        placeholder="1.1 | 3 | Names three adaptations | thick leaves (1); deep roots (1); spines (1)"
        aria-describedby={lines ? "lines-hint lines-error" : "lines-hint"}
        aria-invalid={lines ? true : undefined}
      />
    </div>
  );
}

function buttonText(effects: ReturnedDeskForm["effects"]): string {
  if (!effects) return "Save the questions";
  return effects.sentences.length > 0
    ? "Change them all the same"
    : "Save the questions with these points";
}

/** The points of memos as they would be stored, to look at first. */
function NewPoints({ points, typed }: { points: ShownPoints; typed: Record<string, string> }) {
  const { version, plans, changeable } = points;
  return (
    <>
      <input type="hidden" name="points" value={version} />
      {plans.map((plan) => (
        <NewPointsOf key={plan.questionNumber} plan={plan} typed={typed} />
      ))}
      {changeable > 0 && (
        <label className="check">
          <input
            type="checkbox"
            name="changesDecided"
            defaultChecked={typed.changesDecided !== undefined}
          />
          {`Also change ${counted(changeable, "decided mark")}, as the sum of such points. Without the tick, no decided mark changes.`}
        </label>
      )}
    </>
  );
}

function NewPointsOf({
  plan: { questionNumber, points, gone, candidates, place, totalMarks },
  typed,
}: {
  plan: ShownPoints["plans"][number];
  typed: Record<string, string>;
}) {
  return (
    <>
      <h3>{`Points of question ${questionNumber}, of ${counted(totalMarks, "mark")}`}</h3>
      <ol>
        {points.map((point, index) => {
          const name = `point-${choiceKey(place, index)}`;
          const isAsked = point.isUnclear || typed[name] !== undefined;
          return (
            <li key={name}>
              {point.text} <b className="figures">({point.worth})</b> {changeText(point)}
              {isAsked && (
                <Field
                  id={name}
                  label={point.isUnclear ? "Say which point this is" : "Which point this is"}
                >
                  <select name={name} defaultValue={typed[name] ?? ""} required>
                    <option value="">Choose</option>
                    <option value="0">A new point, not ticked in any mark</option>
                    {candidates.map(({ id, text }) => (
                      <option key={id} value={id}>{`“${text}” in other words`}</option>
                    ))}
                  </select>
                </Field>
              )}
            </li>
          );
        })}
      </ol>
      {!points.some(({ isUnclear }) => isUnclear) &&
        gone.map(({ id, text, isNamed }) => (
          <p key={id}>{`“${text}” goes.${isNamed ? " Marks that are decided keep it." : ""}`}</p>
        ))}
      {pointWarnings(points, totalMarks).map((warning) => (
        <p key={warning} className="field-error">
          {warning}
        </p>
      ))}
    </>
  );
}

function changeText({ before, isUnclear, text, worth }: PlannedPoint): string {
  if (isUnclear) return "";
  if (!before) return "– new";
  const changes = [
    before.text !== text && `in place of “${before.text}”`,
    before.worth !== worth && `worth ${before.worth} before`,
  ].filter(Boolean);
  return changes.length > 0 ? `– ${changes.join(", ")}` : "";
}
