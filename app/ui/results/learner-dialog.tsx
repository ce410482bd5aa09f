import { useEffect, useRef } from "react";
import type { MarkedSubmission } from "../../domain/result.ts";
import { ClosedLink } from "./closed-link.tsx";
import { Fetching, NotFetched } from "./fetching.tsx";
import { StudentGrade } from "./learner-card.tsx";
import { MarksTable } from "./marks-table.tsx";
import { useResults } from "./use-results.ts";

/** One student's marks over the list, with a way to the one before and the one after. */
export function LearnerDialog({
  token,
  place,
  onMove,
  onClose,
}: {
  token: string;
  /** In the list, from 0. */
  place: number;
  onMove: (place: number) => void;
  onClose: () => void;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const { data: results, isError, refetch } = useResults(token);
  useEffect(() => dialog.current!.showModal(), []);
  return (
    <dialog
      ref={dialog}
      className="student-dialog"
      aria-label="Question by question"
      onClose={onClose}
    >
      {/* Ahead of the marks, which are of many lengths: whoever walks through the class finds it in one place. */}
      <form method="dialog" className="walk">
        <button type="submit" className="button quiet small">
          Close
        </button>
        {results && <Walk to={onMove} place={place} count={results.submissions.length} />}
      </form>
      {isError ? (
        <NotFetched again={() => void refetch()} />
      ) : results === undefined ? (
        <Fetching />
      ) : results === null ? (
        <>
          <h3>This link opens no results any more</h3>
          <ClosedLink />
        </>
      ) : (
        <Student submission={results.submissions[place]!} />
      )}
    </dialog>
  );
}

function Walk({ to, place, count }: { to: (place: number) => void; place: number; count: number }) {
  const steps: [label: string, place: number][] = [
    ["Previous", place - 1],
    ["Next", place + 1],
  ];
  return (
    <>
      {steps.map(([label, next]) => {
        const isThere = next >= 0 && next < count;
        return (
          <button
            key={label}
            type="button"
            className="button quiet small"
            aria-disabled={!isThere}
            onClick={() => isThere && to(next)}
          >
            {label}
          </button>
        );
      })}
      <span className="hint figures">
        {place + 1} of {count}
      </span>
    </>
  );
}

function Student({ submission }: { submission: MarkedSubmission }) {
  return (
    <>
      <div className="student-head">
        <h3 aria-live="polite">{submission.studentName}</h3>
        <StudentGrade submission={submission} />
      </div>
      {submission.feedback && <p className="feedback">{submission.feedback}</p>}
      <MarksTable submission={submission} />
    </>
  );
}
