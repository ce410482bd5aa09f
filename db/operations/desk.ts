/** The class of a marking desk under a link. */
import { eq } from "drizzle-orm";
import {
  type DeskLearner,
  type DeskLink,
  opensLearner,
  opensQuestion,
  type PaperQuestion,
} from "../../app/domain/desk.ts";
import { withoutExtension } from "../../app/domain/file-name.ts";
import { pointsOf } from "../../app/domain/memo-point.ts";
import { inDeskOrder } from "../../app/results/learner-order.ts";
import type { Tx } from "../operation.ts";
import { submissions } from "../schema.ts";
import { hashOf } from "../token.ts";
import type { StoredDesk } from "../whole-class.ts";
import { answersElsewhere, draftsOf, reportOf, statesOf } from "./answers.ts";
import { type StoredRow, signatureOf, storedRows, summaryOf } from "./class-rows.ts";
import { isPrepared, prepareDesk, uploadOf, workFilesOf } from "./desk-class.ts";
import { type Closed, deskOf } from "./desk-links.ts";
import { leadQuestionsOf } from "./lead-questions.ts";
import { pointRows } from "./memo-points.ts";
import { questionRows } from "./questions.ts";

/** The desk that a link opens; otherwise why the link opens none. */
export async function findDesk(tx: Tx, token: string, now: Date): Promise<StoredDesk | Closed> {
  const opened = await deskOf(tx, token, now);
  if ("state" in opened) return opened;
  const { assessmentId, link } = opened;
  const { title, paper, version } = await findPaper(tx, assessmentId);
  const all = await storedRows(tx, eq(submissions.assessmentId, assessmentId));
  if (!isPrepared(all)) return { state: "unprepared" };
  const opens = ({ id }: { id: number }) => opensLearner(link, id);
  const rows = inDeskOrder(all.filter(opens), link);
  const files = await workFilesOf(tx, rows);
  const signed = await signatureOf(tx, assessmentId);
  const { reported } = await statesOf(tx, opened, paper);
  return {
    link,
    title,
    questions: paper.filter(({ questionNumber }) => opensQuestion(link, questionNumber)),
    paperVersion: version,
    learners: rows.map((row) => ({
      ...toLearner(row, link, files.get(row.id) ?? []),
      ...reportOf(reported, row.id),
    })),
    openElsewhere: (await answersElsewhere(tx, opened, now))
      .filter(
        ({ learnerId, questionNumber, isAhead }) =>
          !isAhead && opensLearner(link, learnerId) && opensQuestion(link, questionNumber),
      )
      .map(({ isAhead: _, ...answer }) => answer),
    drafts: await draftsOf(tx, opened),
    asked: await leadQuestionsOf(tx, opened.markingLinkId),
    ...(signed && { signed }),
  };
}

/** Prepares the desk that a link opens, if it opens one. */
export async function prepareDeskOf(tx: Tx, token: string, now: Date): Promise<void> {
  const opened = await deskOf(tx, token, now);
  if (!("state" in opened)) await prepareDesk(tx, opened.assessmentId);
}

/** The title and the questions of a class, with a version that changes with them. */
export async function findPaper(
  tx: Tx,
  assessmentId: number,
): Promise<{ title: string; paper: PaperQuestion[]; version: string }> {
  const title = await titleOf(tx, assessmentId);
  const points = await pointRows(tx, assessmentId);
  const paper = (await questionRows(tx, assessmentId)).map((question) => {
    const all = pointsOf(points, question.questionNumber);
    const memoPoints = all.filter(({ isWithdrawn }) => !isWithdrawn);
    return { ...question, ...(memoPoints.length > 0 && { memoPoints }) };
  });
  return { title, paper, version: paperVersionOf(title, paper) };
}

/** The title of a class; before its questions are set, the name of their file without its extension. */
export async function titleOf(tx: Tx, assessmentId: number): Promise<string> {
  const summary = await summaryOf(tx, assessmentId);
  if (summary) return summary.title;
  return withoutExtension((await uploadOf(tx, assessmentId)).questionsFileName);
}

/** A hash of the title and of all that is typed about the questions. */
export const paperVersionOf = (title: string, paper: readonly PaperQuestion[]) =>
  hashOf(
    JSON.stringify([
      title,
      paper.map(({ questionNumber, totalMarks, description, memo, choice, memoPoints = [] }) => [
        questionNumber,
        totalMarks,
        description,
        memo,
        choice?.group,
        choice?.best,
        memoPoints.map(({ text, worth }) => [text, worth]),
      ]),
    ]),
  );

function toLearner(
  { id, learnerNumber, studentName, fileName, noGrade, marks, isBlind }: StoredRow,
  link: DeskLink,
  files: DeskLearner["files"],
): StoredDesk["learners"][number] {
  return {
    id,
    number: learnerNumber!,
    name: link.showsNames ? studentName : null,
    fileName: link.showsNames ? fileName : null,
    ...(noGrade && { noGrade }),
    files: files.map(({ fileId, firstPage, lastPage }) => ({ fileId, firstPage, lastPage })),
    marks,
    isBlind,
  };
}
