/** Figures about markers, from those of their decisions that count. */
import { and, count, eq, inArray, isNotNull, isNull, max, or, sql, sum } from "drizzle-orm";
import type { MarkerFigures } from "../../app/domain/team.ts";
import { type DecidedProposal, kappaOf } from "../../app/results/agreement.ts";
import type { Tx } from "../operation.ts";
import { decisions, questions, submissions } from "../schema.ts";

const { id, submissionId, questionNumber, markingLinkId, toMarks, how } = decisions;

/** The figures of the links of a class by their ids; a link without a decision that counts has none. */
export async function findMarkerFigures(
  tx: Tx,
  assessmentId: number,
): Promise<Map<number, MarkerFigures>> {
  const counting = countingDecisions(tx, assessmentId, ["d", "b", "x"], ["s", "t", "b", "x"]);
  const rows = await tx
    .select({
      linkId: markingLinkId,
      decided: count(),
      marks: sum(toMarks),
      total: sum(questions.total),
    })
    .from(decisions)
    .innerJoin(counting, eq(counting.id, id))
    .innerJoin(
      questions,
      and(eq(questions.assessmentId, assessmentId), eq(questions.number, questionNumber)),
    )
    .where(isNotNull(markingLinkId))
    .groupBy(markingLinkId);
  const pairs = await markedTwice(tx, assessmentId);
  return new Map(
    rows.map(({ linkId, decided, marks, total }) => {
      const own = pairs.filter(({ links }) => links.includes(linkId));
      const same = own.filter((pair) => pair.proposed === pair.decided).length;
      return [
        linkId!,
        {
          decided,
          meanShare: Number(marks) / Number(total),
          twice: own.length === 0 ? null : { count: own.length, same, kappa: kappaOf(own) },
        },
      ];
    }),
  );
}

/**
 * The last decision on each answer, and the last of a second marker. It counts if the answer's state says so: an import
 * or other questions may have discarded it.
 */
const countingDecisions = (tx: Tx, assessmentId: number, first: string[], second: string[]) => {
  // PostgreSQL's substr takes no bigint.
  const state = sql`substr(${submissions.answerStates}, CAST(${questions.position} AS integer), 1)`;
  const isSecond = sql`${how} = 'second'`;
  return tx
    .select({ id: max(id).as("last_id") })
    .from(submissions)
    .innerJoin(decisions, eq(submissionId, submissions.id))
    .innerJoin(
      questions,
      and(eq(questions.assessmentId, assessmentId), eq(questions.number, questionNumber)),
    )
    .where(
      and(
        eq(submissions.assessmentId, assessmentId),
        isNull(submissions.noGrade),
        or(and(isSecond, inArray(state, second)), and(sql`NOT ${isSecond}`, inArray(state, first))),
      ),
    )
    .groupBy(submissionId, questionNumber, isSecond)
    .as("counting");
};

type Pair = Omit<DecidedProposal, "learner"> & { links: (number | null)[] };

/** The answers that a first and a second marker have marked; the first mark is in the place of a proposal. */
async function markedTwice(tx: Tx, assessmentId: number): Promise<Pair[]> {
  const counting = countingDecisions(tx, assessmentId, ["b", "x"], ["b", "x"]);
  const rows = await tx
    .select({
      learner: submissionId,
      question: questionNumber,
      linkId: markingLinkId,
      toMarks,
      how,
    })
    .from(decisions)
    .innerJoin(counting, eq(counting.id, id));
  return [
    ...Map.groupBy(rows, ({ learner, question }) => `${learner} ${question}`).values(),
  ].flatMap((both) => {
    const second = both.find((one) => one.how === "second");
    const first = both.find((one) => one.how !== "second");
    if (!first || !second) return [];
    const { question, toMarks: proposed } = first;
    const links = [first.linkId, second.linkId];
    return [{ question, proposed, decided: second.toMarks, links }];
  });
}
