/** Decisions of people on marks. Each is a row; what counts now is in the submission, changed with it. */
import { eq } from "drizzle-orm";
import {
  type Decider,
  type DecisionKind,
  type DecisionOutcome,
  type DecisionRejection,
  type NewDecision,
  type RestOutcome,
  type SeenMark,
  teamName,
} from "../../app/domain/decision.ts";
import type { QuestionMark } from "../../app/domain/result.ts";
import {
  checkDecision,
  decidedMark,
  isSeen,
  kindOf,
  withMarks,
} from "../../app/results/apply-decision.ts";
import { hasDifference, isDecided } from "../../app/results/class-report.ts";
import { hasOpenProposal } from "../../app/results/decision-progress.ts";
import { shownMark } from "../../app/results/shown-mark.ts";
import type { Tx } from "../operation.ts";
import { decisions, submissions } from "../schema.ts";
import {
  lockAssessment,
  type StoredSubmission,
  signatureOf,
  storeSummary,
  submissionRows,
} from "./imported-results.ts";
import { linkOf } from "./result-links.ts";

/** Where a person decides, and under which name. */
export interface DecidingPerson {
  assessmentId: number;
  by: string;
  linkId: number | null;
  markingLinkId: number | null;
}

type Rejected =
  | { outcome: "no link" | "reading copy" }
  | Extract<DecisionRejection, { outcome: "signed" }>;

/** Stores a decision on one mark, and the marks and averages that follow from it. */
export async function decideMark(
  tx: Tx,
  decider: Decider,
  decision: NewDecision,
  now: Date,
): Promise<DecisionOutcome> {
  const desk = await openDesk(tx, decider, now);
  if ("outcome" in desk) return desk;
  const rows = await submissionRows(tx, desk.assessmentId);
  const row = rows[decision.learner];
  if (!row) return { outcome: "no learner" };
  return await decideOn(tx, desk, { rows, row }, decision, now);
}

/** Stores a decision on one mark of a learner. */
export async function decideOn(
  tx: Tx,
  desk: DecidingPerson,
  { rows, row }: { rows: StoredSubmission[]; row: StoredSubmission },
  decision: Omit<NewDecision, "learner">,
  now: Date,
): Promise<
  | Extract<DecisionOutcome, { outcome: "stored" | "conflict" | "too many" }>
  | { outcome: "no question" }
> {
  const { questionNumber } = decision.seen;
  const mark = row.questionMarks.find((one) => one.questionNumber === questionNumber);
  if (!mark) return { outcome: "no question" };
  const { totalMarks } = mark;
  if ((decision.marks ?? 0) > totalMarks) return { outcome: "too many", totalMarks };
  // The educator and the team see every proposal.
  const isBlind = row.isBlind && desk.markingLinkId !== null;
  const shown = shownMark(mark, { isBlind, isSecond: false });
  const state = checkDecision(shown, decision);
  if (state === "conflict") return { outcome: "conflict", mark: shown };
  // The same mark again resolves a difference.
  if (state === "repeated" && !(hasDifference(mark) && isSeen(mark, decision.seen))) {
    return { outcome: "stored", mark };
  }
  const isHidden = isBlind && !isDecided(mark) && mark.marksAwarded !== null;
  const how = isHidden ? "blind" : kindOf(mark, decision.marks);
  const decided = await storeDecision(tx, desk, { row, mark, how, ...decision }, now);
  await storeMarks(tx, desk.assessmentId, rows, replaceMark(row, mark, decided));
  return { outcome: "stored", mark: decided };
}

/**
 * Agrees with the proposals of a learner that the person saw and that are not decided.
 * @param rest.learner position in the class, from 0
 */
export async function agreeWithRest(
  tx: Tx,
  token: string,
  { learner, seen }: { learner: number; seen: SeenMark[] },
  now: Date,
): Promise<RestOutcome> {
  const desk = await openDesk(tx, { token }, now);
  if ("outcome" in desk) return desk;
  const rows = await submissionRows(tx, desk.assessmentId);
  const row = rows[learner];
  if (!row) return { outcome: "no learner" };
  // Those that were decided since stay as they are.
  const open = row.questionMarks.filter(
    (mark) =>
      hasOpenProposal(mark) &&
      seen.some(({ questionNumber }) => questionNumber === mark.questionNumber),
  );
  const changed = open.find((mark) => !seen.some((one) => isSeenAs(mark, one)));
  if (changed) return { outcome: "conflict", mark: changed };
  let after = row;
  for (const mark of open) {
    const decision = { row, mark, how: "rest" as const, marks: mark.marksAwarded, comment: "" };
    const decided = await storeDecision(tx, desk, decision, now);
    after = replaceMark(after, mark, decided);
  }
  if (open.length > 0) await storeMarks(tx, desk.assessmentId, rows, after);
  return { outcome: "stored", count: open.length };
}

const isSeenAs = (mark: QuestionMark, seen: SeenMark) =>
  mark.questionNumber === seen.questionNumber && isSeen(mark, seen);

/** Checks that the person may decide, and makes others wait. */
export async function openDesk(
  tx: Tx,
  decider: Decider,
  now: Date,
): Promise<DecidingPerson | Rejected> {
  const findLink = async () =>
    "token" in decider ? await linkOf(tx, decider.token, now) : undefined;
  const assessmentId = "token" in decider ? (await findLink())?.assessmentId : decider.assessmentId;
  if (assessmentId === undefined) return { outcome: "no link" };
  await lockAssessment(tx, assessmentId);
  // It may have been revoked while this waited.
  const link = await findLink();
  if ("token" in decider && !link) return { outcome: "no link" };
  if (link?.kind === "read") return { outcome: "reading copy" };
  const signature = await signatureOf(tx, assessmentId);
  if (signature) return { outcome: "signed", signature };
  const by = link?.sender ?? teamName;
  return { assessmentId, by, linkId: link?.id ?? null, markingLinkId: null };
}

interface Decided extends Pick<NewDecision, "marks" | "comment"> {
  row: StoredSubmission;
  mark: QuestionMark;
  how: DecisionKind;
}

/** Adds the row of a decision. Returns the mark after it. */
export async function storeDecision(
  tx: Tx,
  { by, linkId, markingLinkId }: DecidingPerson,
  { row, mark, how, marks, comment }: Decided,
  now: Date,
): Promise<QuestionMark> {
  const at = now.toISOString();
  const [added] = await tx
    .insert(decisions)
    .values({
      submissionId: row.id,
      questionNumber: mark.questionNumber,
      fromMarks: mark.marksAwarded,
      toMarks: marks ?? 0,
      isNotAnswered: marks === null,
      comment: comment || null,
      decidedBy: by,
      resultLinkId: linkId,
      markingLinkId,
      how,
      createdAt: at,
    })
    .returning({ id: decisions.id });
  return decidedMark(mark, { marks, comment }, { id: added!.id, how, by, at });
}

export const replaceMark = (
  row: StoredSubmission,
  before: QuestionMark,
  after: QuestionMark,
): StoredSubmission =>
  withMarks(
    row,
    row.questionMarks.map((mark) => (mark.questionNumber === before.questionNumber ? after : mark)),
  );

/** Stores the marks of one submission, and the average of the class with them. */
export async function storeMarks(
  tx: Tx,
  assessmentId: number,
  rows: StoredSubmission[],
  changed: StoredSubmission,
): Promise<void> {
  const { id, grade, questionMarks } = changed;
  await tx.update(submissions).set({ grade, questionMarks }).where(eq(submissions.id, id));
  await storeSummary(
    tx,
    assessmentId,
    rows.map((row) => (row.id === id ? changed : row)),
    { isMarked: true },
  );
}
