import { useEffect, useRef } from "react";
import type { MarkedSubmission } from "../../domain/result.ts";
import { ClosedLink } from "./closed-link.tsx";
import { FetchFailed, Fetching } from "./fetching.tsx";
import { LearnerGrade } from "./learner-grade.tsx";
import { MarksTable } from "./marks-table.tsx";
import { useResults } from "./use-results.ts";

/** A dialog with one learner's marks and buttons for the previous and next learner. */
export function LearnerDialog({
  token,
  index,
  onMove,
  onClose,
}: {
  token: string;
  /** Position in the class, from 0. */
  index: number;
  onMove: (index: number) => void;
  onClose: () => void;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const { data: results, isError, refetch } = useResults(token);
  useEffect(() => dialog.current!.showModal(), []);
  return (
    <dialog
      ref={dialog}
      className="learner-dialog"
      aria-label="Question by question"
      onClose={onClose}
    >
      {/* Above the marks, whose length varies, so that the buttons do not move from learner to learner. */}
      <form method="dialog" className="dialog-navigation">
        <button type="submit" className="button quiet small">
          Close
        </button>
        {results && (
          <DialogNavigation onMove={onMove} index={index} count={results.submissions.length} />
        )}
      </form>
      {isError ? (
        <FetchFailed onRetry={() => void refetch()} />
      ) : results === undefined ? (
        <Fetching />
      ) : results === null ? (
        <>
          <h3>This link opens no results any more</h3>
          <ClosedLink />
        </>
      ) : (
        <Learner submission={results.submissions[index]!} />
      )}
    </dialog>
  );
}

function DialogNavigation({
  onMove,
  index,
  count,
}: {
  onMove: (index: number) => void;
  index: number;
  count: number;
}) {
  const steps: [label: string, index: number][] = [
    ["Previous", index - 1],
    ["Next", index + 1],
  ];
  return (
    <>
      {steps.map(([label, target]) => {
        const exists = target >= 0 && target < count;
        return (
          <button
            key={label}
            type="button"
            className="button quiet small"
            aria-disabled={!exists}
            onClick={() => exists && onMove(target)}
          >
            {label}
          </button>
        );
      })}
      <span className="hint figures">
        {index + 1} of {count}
      </span>
    </>
  );
}

function Learner({ submission }: { submission: MarkedSubmission }) {
  return (
    <>
      <div className="learner-head">
        <h3 aria-live="polite">{submission.studentName}</h3>
        <LearnerGrade submission={submission} levels="national" />
      </div>
      {submission.feedback && <p className="feedback">{submission.feedback}</p>}
      <MarksTable submission={submission} />
    </>
  );
}
