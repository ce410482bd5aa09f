import { eq } from "drizzle-orm";
import type { NewPaper, PaperOutcome } from "../../app/domain/desk.ts";
import type { MarkedSubmission } from "../../app/domain/result.ts";
import { withMarks } from "../../app/results/apply-decision.ts";
import { isDecided } from "../../app/results/class-report.ts";
import { progressOf } from "../../app/results/decision-progress.ts";
import { marksOn, paperEffects } from "../../app/results/paper.ts";
import type { Tx } from "../operation.ts";
import { replacedResults, submissions } from "../schema.ts";
import { findPaper, versionOf } from "./desk.ts";
import { openDesk, whyNotWhole } from "./desk-links.ts";
import {
  findImportedResults,
  marksColumns,
  storeSummary,
  submissionRows,
} from "./imported-results.ts";
import { storeQuestions } from "./questions.ts";

/**
 * Stores the questions of a paper and the title of its class. If decided marks are affected, the person has to
 * have agreed to that after the last decision.
 * @param paper.questions as `readQuestionLines` returns them
 */
export async function setPaper(
  tx: Tx,
  token: string,
  { title, questions, seenVersion, confirmedDecisionId }: NewPaper,
  now: Date,
): Promise<PaperOutcome> {
  const desk = await openDesk(tx, token, now);
  if ("outcome" in desk) return desk;
  const rejected = whyNotWhole(desk.link);
  if (rejected) return rejected;
  const { assessmentId } = desk;
  const { version } = await findPaper(tx, assessmentId);
  if (version === versionOf(title, questions)) return { outcome: "stored" };
  if (version !== seenVersion) return { outcome: "conflict" };
  const rows = await submissionRows(tx, assessmentId);
  const effects = paperEffects(questions, rows);
  const { lastDecisionId } = progressOf(rows);
  if (effects.length > 0 && confirmedDecisionId !== lastDecisionId) {
    return { outcome: "affects", effects, lastDecisionId };
  }
  const after = rows.map((row) => withMarks(row, marksOn(questions, row.questionMarks)));
  const discardedDecisions = decidedIn(rows) - decidedIn(after);
  if (discardedDecisions > 0) {
    const results = (await findImportedResults(tx, assessmentId))!;
    const replacedAt = now.toISOString();
    await tx
      .insert(replacedResults)
      .values({ assessmentId, results, replacedAt, discardedDecisions });
  }
  await storeQuestions(tx, assessmentId, questions);
  for (const row of after) {
    await tx.update(submissions).set(marksColumns(row)).where(eq(submissions.id, row.id));
  }
  await storeSummary(tx, assessmentId, { title, isMarked: false });
  return { outcome: "stored" };
}

const decidedIn = (all: readonly MarkedSubmission[]): number =>
  all.flatMap(({ questionMarks }) => questionMarks.filter(isDecided)).length;
