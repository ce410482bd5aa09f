/** What a marking link shows of a mark: no proposal if the learner is marked blind, no decision to a second marker. */
import type { DeskLink } from "../domain/desk.ts";
import type { QuestionMark } from "../domain/result.ts";
import { proposalOf, proposedMark } from "./apply-decision.ts";
import { hasDifference, isDecided } from "./class-report.ts";

interface Viewer {
  /** Whether the learner's proposals are hidden until they are decided. */
  isBlind: boolean;
  /** Whether the link is a second marker's. */
  isSecond: boolean;
}

/** What a link shows and hides of marks. @param isBlind whether the learner's proposals are hidden from markers */
export const viewerOf = (
  { tolerance, isEducators }: Pick<DeskLink, "tolerance" | "isEducators">,
  isBlind: boolean,
): Viewer => ({
  isBlind: isBlind && !isEducators,
  isSecond: tolerance !== null,
});

/** The mark as the viewer sees it; a second marker's own mark takes the place of the decision. */
export function shownMark(mark: QuestionMark, { isBlind, isSecond }: Viewer): QuestionMark {
  const shown = isSecond ? secondView(mark) : withoutUnseen(mark);
  if (!isBlind || isDecided(shown)) return shown;
  const { unsure: _, importId: __, ...hidden } = shown;
  return { ...hidden, marksAwarded: null, feedback: "" };
}

/** The mark with the second marker's mark as its decision; undecided if there is no second mark. */
export const asSecond = (mark: QuestionMark): QuestionMark =>
  shownMark(mark, { isBlind: false, isSecond: true });

/** The mark without the second marker's mark, unless there is an unresolved difference between the two. */
function withoutUnseen(mark: QuestionMark): QuestionMark {
  const { second: _, ...rest } = mark;
  return hasDifference(mark) ? mark : rest;
}

function secondView(mark: QuestionMark): QuestionMark {
  const proposed = proposedMark(mark);
  if (!mark.second) return proposed;
  const { id, by, at, marks, tolerance: _, isResolved: __, ...given } = mark.second;
  return {
    ...proposed,
    ...given,
    marksAwarded: marks,
    proposedMarks: proposalOf(mark),
    decision: { id, how: "second", by, role: "marker", at },
  };
}
