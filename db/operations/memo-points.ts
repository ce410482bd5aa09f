/** The points of memos. `results/point-plan.ts` plans what becomes of them when a memo is changed. */
import { and, asc, eq, isNotNull, isNull } from "drizzle-orm";
import type { NewDecision } from "../../app/domain/decision.ts";
import type { MemoPoint, PointsByQuestion, QuestionPlan } from "../../app/domain/memo-point.ts";
import type { QuestionMark } from "../../app/domain/result.ts";
import { isAnyTicked, pointsKey } from "../../app/results/ticks.ts";
import type { Tx } from "../operation.ts";
import { decisions, memoPoints, submissions } from "../schema.ts";

/** The points of a question, in the order of its memo. */
export async function livePoints(
  tx: Tx,
  assessmentId: number,
  questionNumber: string,
): Promise<MemoPoint[]> {
  const { id, text, worth, position } = memoPoints;
  return await tx
    .select({ id, text, worth })
    .from(memoPoints)
    .where(
      and(
        eq(memoPoints.assessmentId, assessmentId),
        eq(memoPoints.questionNumber, questionNumber),
        isNull(memoPoints.withdrawnAt),
      ),
    )
    .orderBy(asc(position));
}

/** Points of an assessment, also withdrawn ones, by the number of their question, in the order of the memo. */
export async function pointRows(tx: Tx, assessmentId: number): Promise<PointsByQuestion> {
  const { id, questionNumber, text, worth, withdrawnAt, position } = memoPoints;
  const rows = await tx
    .select({ id, questionNumber, text, worth, withdrawnAt })
    .from(memoPoints)
    .where(eq(memoPoints.assessmentId, assessmentId))
    .orderBy(asc(position), asc(id));
  return Object.fromEntries(
    [...Map.groupBy(rows, (row) => row.questionNumber)].map(([number, own]) => [
      number,
      own.map(({ questionNumber: _, withdrawnAt: at, ...point }) => ({
        ...point,
        ...(at !== null && { isWithdrawn: true as const }),
      })),
    ]),
  );
}

/** The ids of the points that decisions of an assessment name, ticked or not. */
export async function namedPoints(tx: Tx, assessmentId: number): Promise<Set<number>> {
  const rows = await tx
    .select({ points: decisions.points })
    .from(submissions)
    .innerJoin(decisions, eq(decisions.submissionId, submissions.id))
    .where(and(eq(submissions.assessmentId, assessmentId), isNotNull(decisions.points)));
  return new Set(rows.flatMap(({ points }) => points!.map(({ id }) => id)));
}

/** Stores the points of memos as planned. Removed points that decisions name are withdrawn, others deleted. */
export async function storePoints(
  tx: Tx,
  assessmentId: number,
  plans: readonly QuestionPlan[],
  now: Date,
): Promise<void> {
  for (const { questionNumber, points, gone } of plans) {
    for (const [index, { id, text, worth }] of points.entries()) {
      const values = { questionNumber, position: index + 1, text, worth, withdrawnAt: null };
      if (id === 0) await tx.insert(memoPoints).values({ assessmentId, ...values });
      else await tx.update(memoPoints).set(values).where(eq(memoPoints.id, id));
    }
    for (const { id, isNamed } of gone) {
      const isThis = eq(memoPoints.id, id);
      if (isNamed) {
        await tx.update(memoPoints).set({ withdrawnAt: now.toISOString() }).where(isThis);
      } else await tx.delete(memoPoints).where(isThis);
    }
  }
}

/**
 * Returns the decision as given if the memo's points are those that the form showed. If they have changed, returns
 * "other points" if the person ticked any, otherwise the decision without points.
 */
export async function withSeenPoints(
  tx: Tx,
  assessmentId: number,
  { questionNumber, totalMarks }: QuestionMark,
  { seen, given }: Pick<NewDecision, "seen" | "given">,
): Promise<Pick<NewDecision, "seen" | "given"> | { outcome: "other points" }> {
  if (given.points.length === 0) return { seen, given };
  const points = await livePoints(tx, assessmentId, questionNumber);
  if (seen.points === pointsKey(totalMarks, points)) return { seen, given };
  if (isAnyTicked(given.points)) return { outcome: "other points" };
  return { seen, given: { ...given, points: [] } };
}
