import { eq } from "drizzle-orm";
import type { NewPaper, PaperOutcome } from "../../app/domain/desk.ts";
import type { QuestionPlan } from "../../app/domain/memo-point.ts";
import type { SecondMark } from "../../app/domain/result.ts";
import { leadOf } from "../../app/domain/team.ts";
import { kindOf, withMarks } from "../../app/results/apply-decision.ts";
import { changedGiven, pointEffects, shownPoints } from "../../app/results/changed-points.ts";
import { decidedIn } from "../../app/results/import-over.ts";
import { linkEffects, marksOn, paperEffects } from "../../app/results/paper.ts";
import { planPoints } from "../../app/results/point-plan.ts";
import { asSecond } from "../../app/results/shown-mark.ts";
import type { Tx } from "../operation.ts";
import { decisions, submissions } from "../schema.ts";
import { hashOf } from "../token.ts";
import { marksColumns, type StoredSubmission, storeSummary, submissionRows } from "./class-rows.ts";
import { type StoredAnswer, storeDecision, withMark } from "./decisions.ts";
import { findPaper, paperVersionOf } from "./desk.ts";
import { openDesk, type PersonAtDesk, wholeClassRejection } from "./desk-links.ts";
import { openAudit } from "./erasure.ts";
import { archiveResults, findImportedResults } from "./imported-results.ts";
import { listMarkingLinks } from "./marking-links.ts";
import { namedPoints, pointRows, storePoints } from "./memo-points.ts";
import { storeQuestions } from "./questions.ts";

/**
 * Stores the questions of a paper and the title of its class, once the person has seen which points of memos change and
 * has agreed to the effects on all marks that are decided by now. Until then, stores nothing and returns the effects.
 * @param paper.questions as `readQuestionLines` returns them
 */
export async function setPaper(
  tx: Tx,
  token: string,
  paper: NewPaper,
  now: Date,
): Promise<PaperOutcome> {
  const desk = await openDesk(tx, token, now);
  if ("outcome" in desk) return desk;
  const rejected = wholeClassRejection(desk.link);
  if (rejected) return rejected;
  const { assessmentId } = desk;
  const { title, questions, seenVersion, points: seenPoints } = paper;
  const { paper: before, version } = await findPaper(tx, assessmentId);
  if (version === paperVersionOf(title, questions)) return { outcome: "stored" };
  if (version !== seenVersion) return { outcome: "conflict" };
  const rows = await submissionRows(tx, assessmentId);
  const pointsBefore = await pointRows(tx, assessmentId);
  const named = await namedPoints(tx, assessmentId);
  const plans = planPoints(pointsBefore, questions, { named, choices: seenPoints?.choices });
  const effects = [
    ...paperEffects(questions, rows),
    ...linkEffects(before, questions, await listMarkingLinks(tx, assessmentId, now)),
    ...pointEffects(plans, rows, desk.link),
  ];
  const unconfirmed = unconfirmedEffects(paper, { plans, rows, effects });
  if (unconfirmed) return unconfirmed;
  const changed = seenPoints?.changesDecided
    ? await redecideMarks(tx, desk, { rows, plans }, now)
    : rows;
  const after = changed.map((row) => withMarks(row, marksOn(questions, row.questionMarks)));
  const discardedDecisions = decidedIn(rows) - decidedIn(after);
  if (discardedDecisions > 0) {
    const results = (await findImportedResults(tx, assessmentId))!;
    await archiveResults(tx, { assessmentId, results, discardedDecisions }, now);
  }
  await storeQuestions(tx, assessmentId, questions);
  await storePoints(tx, assessmentId, plans, now);
  for (const row of after) {
    await tx.update(submissions).set(marksColumns(row)).where(eq(submissions.id, row.id));
  }
  await storeSummary(tx, assessmentId, { title, isMarked: false });
  await openAudit(tx, "questions set", now, desk.link.reference, leadOf(desk.link.marker));
  return { outcome: "stored" };
}

/** What a new paper affects; undefined if the person has seen and confirmed all of it, or it affects nothing. */
function unconfirmedEffects(
  { questions, points: seenPoints, confirmedVersion }: NewPaper,
  { plans, rows, effects }: { plans: QuestionPlan[]; rows: StoredSubmission[]; effects: string[] },
): PaperOutcome | undefined {
  const shown = shownPoints(plans, questions, rows);
  const points = shown && { ...shown, version: hashOf(shown.version) };
  const isSeen = !points || (points.isClear && seenPoints?.version === points.version);
  const marks = rows.flatMap(({ questionMarks }) => questionMarks);
  const decisionIds = marks.map(({ decision, second }) => [decision?.id, second?.id]);
  const version = hashOf(JSON.stringify([decisionIds, effects]));
  const isConfirmed = effects.length === 0 || confirmedVersion === version;
  return isSeen && isConfirmed
    ? undefined
    : { outcome: "affects", effects, version, ...(points && { points }) };
}

/** Decides again the marks that are sums of ticked points, if any of these points changes. */
async function redecideMarks(
  tx: Tx,
  person: PersonAtDesk,
  { rows, plans }: { rows: readonly StoredSubmission[]; plans: readonly QuestionPlan[] },
  now: Date,
): Promise<StoredSubmission[]> {
  const after: StoredSubmission[] = [];
  for (const before of rows) {
    let row = before;
    for (const mark of before.questionMarks) {
      const second = await redecideSecond(tx, person, { row, mark }, plans, now);
      const given = changedGiven(mark, plans);
      const how = given && kindOf(mark, given.marks);
      const decided = how ? await storeDecision(tx, person, { row, mark, how, given }, now) : mark;
      // A difference between two markers stays: changed points do not resolve it.
      row = withMark(row, { ...decided, ...(second && { second }) });
    }
    after.push(row);
  }
  return after;
}

/** As `redecideMarks`, for one mark of a second marker. Returns that mark afterwards; undefined if there is none. */
async function redecideSecond(
  tx: Tx,
  person: PersonAtDesk,
  { row, mark }: StoredAnswer,
  plans: readonly QuestionPlan[],
  now: Date,
): Promise<SecondMark | undefined> {
  const { second } = mark;
  const shown = asSecond(mark);
  const given = changedGiven(shown, plans);
  if (!second || !given) return second;
  // Recorded under the second marker's name and link: the person at the desk has marked nothing a second time.
  const { decidedBy: by, markingLinkId } = decisions;
  const [marker] = await tx
    .select({ by, markingLinkId })
    .from(decisions)
    .where(eq(decisions.id, second.id));
  const decision = { row, mark: shown, how: "second" as const, given };
  await storeDecision(tx, { ...person, ...marker }, decision, now);
  return { ...second, marks: given.marks ?? 0, points: given.points };
}
