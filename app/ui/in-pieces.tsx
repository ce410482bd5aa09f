import { type ReactNode, Suspense, use } from "react";

/** The most marks that are rendered without a pause. Rendering them takes about ten milliseconds. */
const maxMarks = 500;

/** Renders learners one after another. Between the pieces of a large class, the server answers other requests. */
export function InPieces<T>({
  of: learners,
  questions,
  children,
}: {
  of: readonly T[];
  /** How many marks each learner has. */
  questions: number;
  children: (learner: T) => ReactNode;
}) {
  const size = Math.max(1, Math.floor(maxMarks / Math.max(1, questions)));
  let turn = Promise.resolve();
  return Array.from({ length: Math.ceil(learners.length / size) }, (_, index) => {
    const piece = () => learners.slice(index * size, (index + 1) * size).map(children);
    if (index === 0) return piece();
    turn = turn.then(nextTurn);
    return (
      <Suspense key={index}>
        <Piece turn={turn}>{piece}</Piece>
      </Suspense>
    );
  });
}

const nextTurn = () => new Promise<void>((resolve) => void setImmediate(resolve));

function Piece({ turn, children }: { turn: Promise<void>; children: () => ReactNode }) {
  use(turn);
  return children();
}
