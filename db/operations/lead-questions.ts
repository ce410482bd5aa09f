/** Questions of markers to the lead about an answer, and the replies. */
import { and, asc, desc, eq, isNotNull, isNull } from "drizzle-orm";
import type { AnswerKey } from "../../app/domain/desk.ts";
import type {
  Asked,
  AskOutcome,
  LeadQuestion,
  NewQuestion,
  ReplyOutcome,
} from "../../app/domain/lead-question.ts";
import { countRows, pick, type Tx } from "../operation.ts";
import { leadQuestions, markingLinks, submissions } from "../schema.ts";
import { openAnswerOf } from "./answers.ts";

/** Maximum number of a link's questions without a reply: a marker asks fewer, and no link can fill the table. */
const maxOpen = 100;

const { id, markingLinkId, submissionId, questionNumber, text, reply, createdAt } = leadQuestions;

/** Asks the lead about an answer that the link opens. */
export async function askLead(
  tx: Tx,
  token: string,
  { text: asked, ...key }: NewQuestion,
  now: Date,
): Promise<AskOutcome> {
  const opened = await openAnswerOf(tx, token, key, now);
  if ("outcome" in opened) return opened;
  const linkId = opened.person.markingLinkId;
  if (linkId === null) return { outcome: "educator’s link" };
  const [before] = await leadQuestionsOf(tx, linkId, key);
  if (before) return { outcome: before.text === asked ? "stored" : "asked before" };
  const open = await countRows(tx, leadQuestions, and(eq(markingLinkId, linkId), isNull(reply)));
  if (open >= maxOpen) return { outcome: "too many questions", max: maxOpen };
  await tx.insert(leadQuestions).values({
    markingLinkId: linkId,
    submissionId: key.learnerId,
    questionNumber: key.questionNumber,
    text: asked,
    createdAt: now.toISOString(),
  });
  return { outcome: "stored" };
}

/** All questions of a marking link, or those about one answer, oldest first. Empty if the link is an educator's. */
export async function leadQuestionsOf(
  tx: Tx,
  linkId: number | null,
  key?: AnswerKey,
): Promise<(AnswerKey & Asked)[]> {
  if (linkId === null) return [];
  return await tx
    .select({ learnerId: submissionId, questionNumber, text, reply })
    .from(leadQuestions)
    .where(
      and(
        eq(markingLinkId, linkId),
        key && eq(submissionId, key.learnerId),
        key && eq(questionNumber, key.questionNumber),
      ),
    )
    .orderBy(asc(id));
}

/** The questions of a class: without a reply and oldest first, or with a reply and newest first. */
export async function listLeadQuestions(
  tx: Tx,
  assessmentId: number,
  { isReplied, max }: { isReplied: boolean; max?: number },
): Promise<LeadQuestion[]> {
  const found = tx
    .select({
      id,
      questionNumber,
      text,
      reply,
      askedAt: createdAt,
      marker: markingLinks.markerName,
      learner: submissions.studentName,
      learnerNumber: submissions.learnerNumber,
    })
    .from(leadQuestions)
    .innerJoin(markingLinks, eq(markingLinks.id, markingLinkId))
    .innerJoin(submissions, eq(submissions.id, submissionId))
    .where(
      and(
        eq(markingLinks.assessmentId, assessmentId),
        isReplied ? isNotNull(reply) : isNull(reply),
      ),
    )
    .orderBy(isReplied ? desc(id) : asc(id));
  const rows = await (max === undefined ? found : found.limit(max));
  return rows.map(({ learnerNumber, ...row }) => ({ ...row, learnerNumber: learnerNumber! }));
}

/** Stores the lead's reply to a question of a class. */
export async function replyToQuestion(
  tx: Tx,
  assessmentId: number,
  { questionId, text: said }: { questionId: number; text: string },
  now: Date,
): Promise<ReplyOutcome> {
  const [found] = await tx.locked(
    tx
      .select({ reply, ...pick(markingLinks, "assessmentId", "revokedAt", "expiresAt") })
      .from(leadQuestions)
      .innerJoin(markingLinks, eq(markingLinks.id, markingLinkId))
      .where(eq(id, questionId)),
  );
  if (found?.assessmentId !== assessmentId) return { outcome: "no question" };
  const isRead = found.revokedAt === null && found.expiresAt > now.toISOString();
  if (found.reply === said) return { outcome: "repeated", isRead };
  if (found.reply !== null) return { outcome: "replied before" };
  await tx
    .update(leadQuestions)
    .set({ reply: said, repliedAt: now.toISOString() })
    .where(eq(id, questionId));
  return { outcome: "stored", isRead };
}
