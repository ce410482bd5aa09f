/** Decisions of people on marks, a row each. The same transaction changes the submission, whose mark counts. */
import { eq } from "drizzle-orm";
import {
  type DeciderRole,
  type DecisionKind,
  type DecisionOutcome,
  type DecisionRejection,
  decisionTexts,
  type Given,
  type LinkRejection,
  type NewDecision,
  nothingElse,
  type SeenMark,
  teamName,
} from "../../app/domain/decision.ts";
import type { QuestionMark } from "../../app/domain/result.ts";
import {
  checkDecision,
  type DecidedMark,
  decidedMark,
  isSeen,
  kindOf,
  withMarks,
} from "../../app/results/apply-decision.ts";
import { hasDifference } from "../../app/results/class-report.ts";
import { hasOpenProposal } from "../../app/results/decision-progress.ts";
import { shownMark } from "../../app/results/shown-mark.ts";
import { pick, type Tx } from "../operation.ts";
import { decisions, submissions } from "../schema.ts";
import {
  lockAssessment,
  marksColumns,
  type StoredSubmission,
  signatureOf,
  storeSummary,
  submissionRow,
} from "./class-rows.ts";
import { withSeenPoints } from "./memo-points.ts";

/** The link under which something is done: a marking link, or a link to results. For a command, both are null. */
export interface LinkOwner {
  markingLinkId: number | null;
  resultLinkId: number | null;
}

/** The class in which a person decides, and the link and the name under which decisions are recorded. */
export interface DecidingPerson extends LinkOwner {
  assessmentId: number;
  by: string;
}

export function roleOf({ markingLinkId, resultLinkId }: LinkOwner): DeciderRole {
  if (markingLinkId !== null) return "marker";
  return resultLinkId === null ? "team" : "educator";
}

/** Stores a decision of the team on one mark, and the marks and averages that follow from it. Returns the grade too. */
export async function decideMark(
  tx: Tx,
  assessmentId: number,
  { learnerId, ...decision }: NewDecision,
  now: Date,
): Promise<{ outcome: "stored"; mark: QuestionMark; grade: number | null } | DecisionRejection> {
  await lockAssessment(tx, assessmentId);
  const signature = await signatureOf(tx, assessmentId);
  if (signature) return { outcome: "signed", signature };
  const row = await submissionRow(tx, assessmentId, learnerId);
  if (!row) return { outcome: "no learner" };
  const mark = markOn(row, decision.seen.questionNumber);
  if (!mark) return { outcome: "no question" };
  const team = { assessmentId, by: teamName, markingLinkId: null, resultLinkId: null };
  const decided = await decideOn(tx, team, { row, mark }, decision, now);
  if (decided.outcome !== "stored") return decided;
  return { ...decided, grade: withMark(row, decided.mark).grade };
}

/** A learner's row, and one of its marks. */
export interface StoredAnswer {
  row: StoredSubmission;
  mark: QuestionMark;
}

/** What becomes of a decision under a link that opens the answer. */
export type DecidedAnswer = Exclude<DecisionOutcome, LinkRejection>;

export const markOn = ({ questionMarks }: StoredSubmission, questionNumber: string) =>
  questionMarks.find((mark) => mark.questionNumber === questionNumber);

/** Stores a decision on one mark of a learner. */
export async function decideOn(
  tx: Tx,
  person: DecidingPerson,
  { row, mark }: StoredAnswer,
  decision: Pick<NewDecision, "seen" | "given">,
  now: Date,
): Promise<DecidedAnswer> {
  const { totalMarks } = mark;
  const checked = await withSeenPoints(tx, person.assessmentId, mark, decision);
  if ("outcome" in checked) return checked;
  const { seen, given } = checked;
  if ((given.marks ?? 0) > totalMarks) return { outcome: "too many", totalMarks };
  // The educator and the team see every proposal.
  const isBlind = row.isBlind && person.markingLinkId !== null;
  const shown = shownMark(mark, { isBlind, isSecond: false });
  const state = checkDecision(shown, { seen, given });
  if (state === "conflict") return { outcome: "conflict", mark: shown };
  // The educator and the team are shown a second mark only if it differs.
  const isShown = hasDifference(mark) || person.markingLinkId !== null;
  const unseen = isShown && seen.secondId !== mark.second?.id ? mark.second : undefined;
  // Giving the same mark again resolves a difference between two markers that the form showed, so it is stored.
  const resolvesDifference = hasDifference(mark) && !unseen && isSeen(mark, seen);
  if (state === "repeated" && !resolvesDifference) return { outcome: "stored", mark };
  // The form did not show the proposal: it was hidden, or imported later.
  const isHidden = hasOpenProposal(mark) && seen.marks !== mark.marksAwarded;
  const how = isHidden ? "blind" : kindOf(mark, given.marks);
  // Giving the same mark again does not take away the reason that the learner reads.
  const kept = state === "repeated" && mark.takesReason && { reason: "taken" as const };
  const storing = { row, mark, how, given: { ...given, ...kept } };
  const stored = await storeDecision(tx, person, storing, now);
  const decided = unseen ? { ...stored, second: unseen } : stored;
  await storeMarks(tx, person.assessmentId, withMark(row, decided));
  return { outcome: "stored", mark: decided };
}

/** What a person agrees with in one press: the open proposals of a learner that the person saw. */
export interface AgreedRest {
  seen: readonly SeenMark[];
  /** "taken" if the learner reads the reasons of the proposals. */
  reason: "taken" | "left";
}

/** Agrees with the proposals of a learner that the person saw and that are not decided. */
export async function agreeOn(
  tx: Tx,
  person: DecidingPerson,
  row: StoredSubmission,
  { seen, reason }: AgreedRest,
  now: Date,
): Promise<{ outcome: "stored" } | { outcome: "conflict"; mark: QuestionMark }> {
  const byQuestion = new Map(seen.map((one) => [one.questionNumber, one]));
  // Marks that were decided since the person saw the proposals stay as they are.
  const open = row.questionMarks.flatMap((mark) => {
    const shown = hasOpenProposal(mark) && byQuestion.get(mark.questionNumber);
    return shown ? [{ mark, isCurrent: isSeen(mark, shown) }] : [];
  });
  const changed = open.find(({ isCurrent }) => !isCurrent);
  if (changed) return { outcome: "conflict", mark: changed.mark };
  let after = row;
  for (const { mark } of open) {
    const given = { ...nothingElse, marks: mark.marksAwarded, reason };
    const decided = await storeDecision(tx, person, { row, mark, how: "rest", given }, now);
    after = withMark(after, decided);
  }
  if (open.length > 0) await storeMarks(tx, person.assessmentId, after);
  return { outcome: "stored" };
}

/** Adds the row of a decision. Returns the mark after it. */
export async function storeDecision(
  tx: Tx,
  { by, markingLinkId, resultLinkId }: DecidingPerson,
  { row, mark, how, given }: StoredAnswer & { how: DecisionKind; given: Given },
  now: Date,
): Promise<DecidedMark> {
  const at = now.toISOString();
  const [added] = await tx
    .insert(decisions)
    .values({
      submissionId: row.id,
      questionNumber: mark.questionNumber,
      fromMarks: mark.marksAwarded,
      ...givenColumns(given),
      reason: given.reason === "taken" ? mark.feedback || null : null,
      decidedBy: by,
      markingLinkId,
      resultLinkId,
      how,
      createdAt: at,
    })
    .returning({ id: decisions.id });
  const role = roleOf({ markingLinkId, resultLinkId });
  return decidedMark(mark, given, { id: added!.id, how, by, role, at });
}

/** The columns of the texts of a decision. A text without a column is a type error. */
export const decisionTextColumns = pick(decisions, ...decisionTexts);

/** What was given, as columns of the decision's row. */
function givenColumns({ marks, points, reason: _, ...others }: Given) {
  const columns: Pick<typeof decisions.$inferInsert, keyof typeof others> = Object.fromEntries(
    Object.entries(others).map(([name, value]) => [name, value === "" ? null : value]),
  );
  return {
    ...columns,
    toMarks: marks ?? 0,
    isNotAnswered: marks === null,
    points: points.length > 0 ? points : null,
  };
}

/** The submission with another mark of one question, and the grade that follows. */
export const withMark = (row: StoredSubmission, changed: QuestionMark): StoredSubmission =>
  withMarks(
    row,
    row.questionMarks.map((mark) =>
      mark.questionNumber === changed.questionNumber ? changed : mark,
    ),
  );

/** Stores the marks of one submission, and the average of the class with them. */
export async function storeMarks(
  tx: Tx,
  assessmentId: number,
  changed: StoredSubmission,
): Promise<void> {
  await tx.update(submissions).set(marksColumns(changed)).where(eq(submissions.id, changed.id));
  await storeSummary(tx, assessmentId, { isMarked: true });
}
