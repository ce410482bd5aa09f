/** A person signs the marks of an assessment; the team may reopen them. */
import { and, eq, isNull } from "drizzle-orm";
import { type NewSignature, nothingElse, type SigningOutcome } from "../../app/domain/decision.ts";
import type { Email } from "../../app/domain/email.ts";
import { hasDifference } from "../../app/results/class-report.ts";
import {
  countOfAnswers,
  isUnmarked,
  progressOf,
  questionList,
} from "../../app/results/decision-progress.ts";
import { type Tx, updateRows } from "../operation.ts";
import { signatures } from "../schema.ts";
import { addNotices, addTeamNotice, addToOutbox, type TeamNotice } from "./add-to-outbox.ts";
import { lockAssessment, type StoredSubmission, submissionRows } from "./class-rows.ts";
import { type DecidingPerson, storeDecision, storeMarks, withMark } from "./decisions.ts";
import { openDesk } from "./desk-links.ts";
import { openAudit } from "./erasure.ts";
import { linkOf } from "./result-links.ts";

/**
 * Signs the marks of the results that a token opens, with an email to the team and a webhook. First decides that the
 * answers with confirmed noughts were not answered. Where two markers differ, accepts the first mark.
 */
export async function signResults(
  tx: Tx,
  token: string,
  { by, figures, confirmedNoughts, acceptedDifferences, email, sendsWebhook }: NewSignature,
  now: Date,
): Promise<SigningOutcome> {
  const desk = await openDesk(tx, token, now);
  if ("link" in desk && !desk.link.isEducators) return { outcome: "no link" };
  if ("outcome" in desk) {
    const isRepeated = desk.outcome === "signed" && desk.signature.by === by;
    return isRepeated ? { outcome: "stored", signature: desk.signature } : desk;
  }
  const { assessmentId, resultLinkId } = desk;
  const rows = await submissionRows(tx, assessmentId);
  const progress = progressOf(rows);
  if (progress.figures !== figures) return { outcome: "decided since" };
  const isBlocked =
    progress.undecided.length > 0 ||
    progress.unmarked.some(
      ({ index, questions }) => confirmedNoughts.get(rows[index]!.id) !== questionList(questions),
    );
  if (isBlocked) return { outcome: "undecided" };
  const differences = countOfAnswers(progress.differing);
  if (differences > acceptedDifferences) return { outcome: "differences", count: differences };
  const changed = [...progress.unmarked, ...progress.differing].map(({ index }) => index);
  for (const index of new Set(changed)) {
    const decided = await decideNoughts(tx, { ...desk, by }, rows[index]!, now);
    await storeMarks(tx, assessmentId, withResolved(decided));
  }
  const at = now.toISOString();
  await tx.insert(signatures).values({ assessmentId, signedBy: by, resultLinkId, createdAt: at });
  const { reference, isTest } = (await linkOf(tx, token, now))!;
  const notices = { email, isOnHold: isTest, sendsWebhook };
  await addNotices(tx, notices, { reference, createdAt: at, kind: "signed" });
  await openAudit(tx, "results signed", now, reference);
  return { outcome: "stored", signature: { by, at } };
}

/** Decides that a learner did not answer the questions that have neither a proposal nor a decision. */
async function decideNoughts(
  tx: Tx,
  desk: DecidingPerson,
  row: StoredSubmission,
  now: Date,
): Promise<StoredSubmission> {
  let after = row;
  for (const mark of row.questionMarks.filter(isUnmarked)) {
    const given = { ...nothingElse, marks: null };
    const nought = { row, mark, how: "entered" as const, given };
    after = withMark(after, await storeDecision(tx, desk, nought, now));
  }
  return after;
}

/** The submission with every difference between two markers resolved: the first mark is accepted. */
const withResolved = (row: StoredSubmission): StoredSubmission => ({
  ...row,
  questionMarks: row.questionMarks.map((mark) =>
    mark.second && hasDifference(mark)
      ? { ...mark, second: { ...mark.second, isResolved: true } }
      : mark,
  ),
});

/** Ends the signature of an assessment, with the emails to the educator and the team. Returns whether there was one. */
export async function reopenResults(
  tx: Tx,
  assessmentId: number,
  now: Date,
  { email, ...about }: { email: Email; reference: string; isOnHold: boolean },
  notice: TeamNotice,
): Promise<boolean> {
  await lockAssessment(tx, assessmentId);
  const at = now.toISOString();
  const holds = and(eq(signatures.assessmentId, assessmentId), isNull(signatures.reopenedAt));
  if ((await updateRows(tx, signatures, holds, { reopenedAt: at })) === 0) return false;
  await addTeamNotice(tx, notice, now);
  await addToOutbox(tx, email, { ...about, kind: "reopened", createdAt: at });
  return true;
}
