import { type Desk, preparesClass } from "../../domain/desk.ts";
import type { ReturnedForm } from "./desk-page.tsx";
import { askTeam, type DeskLinks } from "./desk-urls.ts";

/** The lines of the paper: see results/question-lines.ts. */
export interface ShownPaper {
  /** The questions as lines. */
  lines: string;
  /** The sum of their marks; of a choice only the best count. */
  total: number;
}

interface QuestionsProps {
  desk: Desk;
  paper: ShownPaper;
  links: DeskLinks;
  returned: ReturnedForm | undefined;
}

/** The questions of the paper, one line each, and the form that changes them. */
export function Questions({ desk, paper, links, returned }: QuestionsProps) {
  const { questions, link, signed } = desk;
  const changes = preparesClass(desk);
  const { lines, effects, error } = returned ?? {};
  const typed = returned?.typed ?? { title: desk.title, lines: paper.lines };
  return (
    <>
      <h2>Questions</h2>
      {questions.length > 0 && <p>{`${questions.length} questions, ${paper.total} marks.`}</p>}
      {!changes && !signed && (
        <p>
          {link.isEducators
            ? askTeam
            : "This link opens a part of the class, so the questions stay as they are."}
        </p>
      )}
      <pre className={`question-lines${changes ? " print-only" : ""}`}>{paper.lines}</pre>
      {changes && (
        <form method="post" action={links.questions} className="no-print">
          <input type="hidden" name="seen" value={desk.paperVersion} />
          {effects && (
            <div className="problem-summary sheet">
              <h3>What this changes</h3>
              <ul>
                {effects.sentences.map((sentence) => (
                  <li key={sentence}>{sentence}</li>
                ))}
              </ul>
              <input type="hidden" name="confirmed" value={effects.lastDecisionId} />
            </div>
          )}
          <div className="field">
            <label htmlFor="title">Title of the class</label>
            <input id="title" name="title" maxLength={200} defaultValue={typed.title} />
          </div>
          <div className="field">
            <label htmlFor="lines">Questions, one line each</label>
            <p className="hint" id="lines-hint">
              Number | marks | text | memo. Text and memo may be left out; rows of a spreadsheet
              with these cells can be pasted. Of questions to choose from:{" "}
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
            {error && !lines && !effects && (
              <>
                <p className="field-error">{error}</p>
                <pre className="question-lines">{paper.lines}</pre>
              </>
            )}
            <textarea
              id="lines"
              name="lines"
              rows={Math.max(8, questions.length + 3)}
              maxLength={60_000}
              spellCheck={false}
              defaultValue={typed.lines}
              placeholder="1.1 | 3 | Names three adaptations | thick leaves; deep roots; small stomata"
              aria-describedby={lines ? "lines-hint lines-error" : "lines-hint"}
              aria-invalid={lines ? true : undefined}
            />
          </div>
          <p className="actions">
            <button type="submit" className="button" name="intent" value="questions">
              {effects ? "Change them all the same" : "Save the questions"}
            </button>
            {effects && <a href={links.questions}>Leave the questions as they were</a>}
          </p>
        </form>
      )}
    </>
  );
}
