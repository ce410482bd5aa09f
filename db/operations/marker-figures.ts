/** Figures about markers, from their decisions that hold: the last on each answer, if nothing has discarded it. */
import { and, count, eq, inArray, isNotNull, isNull, max, or, sql, sum } from "drizzle-orm";
import type { MarkerFigures } from "../../app/domain/team.ts";
import { type DecidedProposal, kappaOf } from "../../app/results/agreement.ts";
import type { Tx } from "../operation.ts";
import { decisions, questions, submissions } from "../schema.ts";

const { id, submissionId, questionNumber, markingLinkId, toMarks, how } = decisions;

/** The states of answers (see `submissions.answer_states`) in which a first, or a second, marker's decision holds. */
const statesThatHold = { first: [..."dbx"], second: [..."stbx"] };
/** The states of answers on which the decisions of both markers hold. */
const markedTwiceStates = { first: [..."bx"], second: [..."bx"] };

/** Joins a decision with its question. */
const isItsQuestion = (assessmentId: number) =>
  and(eq(questions.assessmentId, assessmentId), eq(questions.number, questionNumber));

/** The figures of the marking links of a class, by the link's id. Links without a decision that holds are left out. */
export async function findMarkerFigures(
  tx: Tx,
  assessmentId: number,
): Promise<Map<number, MarkerFigures>> {
  const counting = countingDecisions(tx, assessmentId, statesThatHold);
  const rows = await tx
    .select({
      linkId: markingLinkId,
      decided: count(),
      marks: sum(toMarks),
      total: sum(questions.total),
    })
    .from(decisions)
    .innerJoin(counting, eq(counting.id, id))
    .innerJoin(questions, isItsQuestion(assessmentId))
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
 * Selects ids of decisions, for learners who get a grade: the last decision on each answer whose state is in `first`,
 * and the last mark of a second marker on each answer whose state is in `second`. Answers whose decision was discarded
 * are in no such state.
 */
const countingDecisions = (
  tx: Tx,
  assessmentId: number,
  { first, second }: typeof statesThatHold,
) => {
  // PostgreSQL's substr takes no bigint, so the position is cast.
  const state = sql`substr(${submissions.answerStates}, CAST(${questions.position} AS integer), 1)`;
  const isSecond = sql`${how} = 'second'`;
  return tx
    .select({ id: max(id).as("last_id") })
    .from(submissions)
    .innerJoin(decisions, eq(submissionId, submissions.id))
    .innerJoin(questions, isItsQuestion(assessmentId))
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

/** Answers that a first and a second marker have marked, with the first mark as the proposal for `kappaOf`. */
async function markedTwice(tx: Tx, assessmentId: number): Promise<Pair[]> {
  const counting = countingDecisions(tx, assessmentId, markedTwiceStates);
  const answer = { learner: submissionId, question: questionNumber };
  const rows = await tx
    .select({ ...answer, linkId: markingLinkId, toMarks, how })
    .from(decisions)
    .innerJoin(counting, eq(counting.id, id));
  const answers = Map.groupBy(rows, ({ learner, question }) => `${learner} ${question}`);
  return [...answers.values()].flatMap((both) => {
    const second = both.find((one) => one.how === "second");
    const first = both.find((one) => one.how !== "second");
    if (!first || !second) return [];
    const { question, toMarks: proposed } = first;
    const links = [first.linkId, second.linkId];
    return [{ question, proposed, decided: second.toMarks, links }];
  });
}
