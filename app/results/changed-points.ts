/** What changed points of memos do to the marks of a class, and what a person sees before they are stored. */
import { counted } from "../domain/counted.ts";
import type { Given } from "../domain/decision.ts";
import type { DeskLink, PaperQuestion } from "../domain/desk.ts";
import type { QuestionPlan, ShownPoints } from "../domain/memo-point.ts";
import type { MarkedSubmission, QuestionMark } from "../domain/result.ts";
import { givenOf } from "./apply-decision.ts";
import { gradedMarks, isDecided } from "./class-report.ts";
import { asSecond } from "./shown-mark.ts";
import { isSumOfTicks, sumOfTicks } from "./ticks.ts";
import { peopleText, readerAtDesk, whoDecided } from "./who-decided.ts";

/** Whether a point is new, or changes in text or worth. */
const differs = ({ before, text, worth }: QuestionPlan["points"][number]): boolean =>
  before?.text !== text || before.worth !== worth;

/** Whether a point of a question is added or removed, or changes in text or worth. */
const isChanged = ({ points, gone }: QuestionPlan): boolean =>
  gone.length > 0 || points.some(differs);

/** The changes of points that a person has to see before they are stored; undefined if there are none. */
export function shownPoints(
  plans: readonly QuestionPlan[],
  paper: readonly PaperQuestion[],
  submissions: readonly MarkedSubmission[],
): ShownPoints | undefined {
  const changed = plans.filter(isChanged);
  if (changed.length === 0) return undefined;
  const all = submissions.flatMap(({ questionMarks }) => questionMarks);
  return {
    version: JSON.stringify(
      changed.map(({ questionNumber, points, gone }) => [
        questionNumber,
        points.map(({ id, text, worth }) => [id, text, worth]),
        gone.map(({ id }) => id),
      ]),
    ),
    isClear: !changed.some(({ points }) => points.some(({ isUnclear }) => isUnclear)),
    plans: changed.flatMap((plan) => {
      const place = paper.findIndex((one) => one.questionNumber === plan.questionNumber);
      const { totalMarks } = plan;
      return totalMarks === undefined ? [] : [{ ...plan, place, totalMarks }];
    }),
    changeable: countChanged([...all, ...all.map(asSecond)], plans),
  };
}

/**
 * The decision on a mark after points change: with their new worths and, as marks, the sum of the ticks up to the
 * question's new total. Undefined if the mark was no sum of ticks, the sum stays the same, or the question is removed.
 */
export function changedGiven(
  mark: QuestionMark,
  plans: readonly QuestionPlan[],
): Given | undefined {
  const plan = plans.find(({ questionNumber }) => questionNumber === mark.questionNumber);
  const given = givenOf(mark);
  if (plan?.totalMarks === undefined || !given || given.marks === null) return undefined;
  if (!isSumOfTicks(mark) || !hasChangedTick(mark, plan)) return undefined;
  const points = given.points.flatMap((point) => {
    const now = plan.points.find(({ id }) => id === point.id);
    const isGone = plan.gone.some(({ id }) => id === point.id);
    return isGone ? [] : [{ ...point, worth: now?.worth ?? point.worth }];
  });
  const marks = sumOfTicks(points, plan.totalMarks);
  return marks === given.marks ? undefined : { ...given, marks, points };
}

const countChanged = (marks: readonly QuestionMark[], plans: readonly QuestionPlan[]): number =>
  marks.filter((mark) => changedGiven(mark, plans)).length;

/** Sentences for the effects of new points on decided marks of questions that stay; the page lists the points. */
export function pointEffects(
  plans: readonly QuestionPlan[],
  submissions: readonly MarkedSubmission[],
  link: DeskLink,
): string[] {
  const byQuestion = Map.groupBy(gradedMarks(submissions), (mark) => mark.questionNumber);
  return plans.filter(isChanged).flatMap((plan) => {
    const marks = byQuestion.get(plan.questionNumber) ?? [];
    const decided = marks.filter((mark) => isDecided(mark) && mark.points);
    if (plan.totalMarks === undefined || decided.length === 0) return [];
    const ticked = decided.filter((mark) => hasChangedTick(mark, plan));
    const changed = countChanged(marks, [plan]);
    const changedOfSeconds = countChanged(marks.map(asSecond), [plan]);
    const by = peopleText(whoDecided([{ questionMarks: ticked }]), readerAtDesk(link));
    const effects = [
      ticked.length > 0 &&
        `points that change are ticked in ${counted(ticked.length, "decided mark")}, ${by}. ${changed} of them would change, as the sum of their ticks; the others stay as they are.`,
      changedOfSeconds > 0 &&
        `${counted(changedOfSeconds, "mark")} of a second marker would change too, as the sum of such points.`,
      `${counted(marks.length - marks.filter(isDecided).length, "answer")} not decided yet.`,
    ];
    return effects.filter(Boolean).map((effect) => `Question ${plan.questionNumber}: ${effect}`);
  });
}

/**
 * A sentence for each point that decisions name and an import would remove or revalue: only a person may do that.
 * @param named ids of the points that decisions name
 */
export const pointConflicts = (
  plans: readonly QuestionPlan[],
  named: ReadonlySet<number>,
): string[] =>
  plans.flatMap(({ questionNumber, points, gone }) => [
    ...gone.flatMap(({ text, isNamed }) =>
      isNamed
        ? `Question ${questionNumber}: “${text}” is not in the new memo, and decided marks say who had it.`
        : [],
    ),
    ...points.flatMap(({ id, text, worth, before }) =>
      before && named.has(id) && before.worth !== worth
        ? `Question ${questionNumber}: “${text}” is worth ${worth} in place of ${before.worth}, and decided marks say who had it.`
        : [],
    ),
  ]);

/** Whether a ticked point is removed, or changes in text or worth. */
const hasChangedTick = ({ points = [] }: QuestionMark, plan: QuestionPlan): boolean =>
  points.some(({ id, isTicked }) => isTicked && isPointChanged(plan, id));

/** Whether a point is removed, or changes in text or worth. */
const isPointChanged = ({ points, gone }: QuestionPlan, id: number): boolean =>
  gone.some((one) => one.id === id) || points.some((one) => one.id === id && differs(one));
