import { useEffect, useRef } from "react";
import type { LevelScale } from "../../results/grade.ts";
import { ClosedLink } from "./closed-link.tsx";
import { FetchFailed, Fetching } from "./fetching.tsx";
import { Learner } from "./learner.tsx";
import { useResults } from "./use-results.ts";

/** A dialog with one learner's marks and buttons for the previous and next learner. */
export function LearnerDialog({
  token,
  levels,
  order,
  index,
  onMove,
  onClose,
}: {
  token: string;
  levels: LevelScale;
  /** Positions in the class, from 0, in the order of the page. */
  order: number[];
  /** Which of them is shown. */
  index: number;
  onMove: (index: number) => void;
  onClose: () => void;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const fetched = useResults(token);
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
        {fetched.data && <DialogNavigation onMove={onMove} index={index} count={order.length} />}
      </form>
      <FetchedLearner fetched={fetched} index={order[index]!} levels={levels} />
    </dialog>
  );
}

function FetchedLearner({
  fetched: { data: results, isError, refetch },
  index,
  levels,
}: {
  fetched: ReturnType<typeof useResults>;
  index: number;
  levels: LevelScale;
}) {
  if (isError) return <FetchFailed onRetry={() => void refetch()} />;
  if (results === undefined) return <Fetching />;
  if (results) return <Learner results={results} index={index} levels={levels} />;
  return (
    <>
      <h3>This link opens no results any more</h3>
      <ClosedLink />
    </>
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
