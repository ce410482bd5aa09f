/** What new questions of a paper do to the marks of a class. */
import { counted } from "../domain/counted.ts";
import type { MarkingLink, PaperQuestion } from "../domain/desk.ts";
import type { MarkedSubmission, QuestionMark, SecondMark } from "../domain/result.ts";
import { isDecided } from "./class-report.ts";
import { hasOpenProposal } from "./decision-progress.ts";

/**
 * The mark, or a new empty mark, with the question's number, text, total and choice in place of its own. A second
 * marker's mark above the total is gone.
 */
export function onQuestion(
  { memo: _, memoPoints: __, ...question }: PaperQuestion,
  mark?: QuestionMark,
): QuestionMark {
  const { choice: ___, second, ...given } = mark ?? { marksAwarded: null, feedback: "" };
  return {
    ...given,
    ...question,
    ...(second && !isSecondLost(second, question) && { second }),
  };
}

/** A learner's marks on new questions. A mark above the new total is gone, also a decided one or a second marker's. */
export const marksOn = (
  paper: readonly PaperQuestion[],
  before: readonly QuestionMark[],
): QuestionMark[] =>
  paper.map((question) => {
    const old = before.find((mark) => mark.questionNumber === question.questionNumber);
    const isKept = (old?.marksAwarded ?? 0) <= question.totalMarks;
    const second = old?.second && { second: old.second };
    return onQuestion(question, isKept ? old : { ...onQuestion(question), ...second });
  });

const isSecondLost = (
  { marks }: SecondMark,
  question: Pick<PaperQuestion, "totalMarks"> | undefined,
): boolean => !question || marks > question.totalMarks;

/** A sentence for each question that loses marks of a second marker, or is removed together with such marks. */
export function secondEffects(
  paper: readonly PaperQuestion[],
  submissions: readonly Pick<MarkedSubmission, "questionMarks">[],
): string[] {
  const all = submissions.flatMap(({ questionMarks }) => questionMarks);
  return [...Map.groupBy(all, (mark) => mark.questionNumber)].flatMap(([number, marks]) => {
    const question = paper.find(({ questionNumber }) => questionNumber === number);
    const lost = marks.filter(({ second }) => second && isSecondLost(second, question)).length;
    return lostEffect(
      number,
      question,
      lost === 0 ? "" : `${counted(lost, "mark")} of a second marker`,
    );
  });
}

/** A sentence for a question that loses what `lost` says, or is removed with it; none if `lost` is empty. */
const lostEffect = (number: string, question: PaperQuestion | undefined, lost: string): string[] =>
  lost === "" ? [] : [`Question ${number} ${question ? "loses" : "goes, with"} ${lost}.`];

/** A sentence for each effect of new questions on marks that are decided or proposed, and those of a second marker. */
export function paperEffects(
  paper: readonly PaperQuestion[],
  submissions: readonly MarkedSubmission[],
): string[] {
  const before = submissions[0]?.questionMarks ?? [];
  const all = submissions.flatMap(({ questionMarks }) => questionMarks);
  const marksOfQuestion = Map.groupBy(all, ({ questionNumber }) => questionNumber);
  const changed = before.flatMap((old) => {
    const questionMarks = marksOfQuestion.get(old.questionNumber)!;
    const decided = questionMarks.filter(isDecided);
    const question = paper.find((one) => one.questionNumber === old.questionNumber);
    const lost = questionMarks.filter(
      (mark) => hasOpenProposal(mark) && !(question && mark.marksAwarded! <= question.totalMarks),
    ).length;
    const hasSameChoice = choiceText(old, before) === (question && choiceText(question, paper));
    return [
      ...(decided.length === 0 ? [] : effectsOn(old, question, { decided, hasSameChoice })),
      ...lostEffect(old.questionNumber, question, lost === 0 ? "" : counted(lost, "proposal")),
      ...secondEffects(paper, [{ questionMarks }]),
    ];
  });
  const isMarked = all.some(isDecided);
  const added = paper.filter(
    ({ questionNumber }) => !before.some((old) => old.questionNumber === questionNumber),
  );
  return [
    ...changed,
    ...(isMarked ? added : []).map(
      ({ questionNumber }) =>
        `Question ${questionNumber} is new: no learner has a grade until it is marked.`,
    ),
  ];
}

/** A sentence for each open link that names questions which the new paper leaves out. */
export const linkEffects = (
  before: readonly PaperQuestion[],
  paper: readonly PaperQuestion[],
  links: readonly Pick<MarkingLink, "marker" | "questions" | "state">[],
): string[] => {
  const kept = new Set(paper.map(({ questionNumber }) => questionNumber));
  const gone = before.flatMap(({ questionNumber: one }) => (kept.has(one) ? [] : one));
  return links.flatMap(({ marker, questions, state }) => {
    const lost = gone.filter((number) => state === "open" && questions?.includes(number));
    if (lost.length === 0) return [];
    return `The link of ${marker} loses question${lost.length === 1 ? "" : "s"} ${lost.join(", ")}, and opens no new question.`;
  });
};

/** The choice of a question as text, without the number of its group, which changes if a choice above is removed. */
function choiceText(
  { choice }: Pick<PaperQuestion, "choice">,
  questions: readonly Pick<PaperQuestion, "questionNumber" | "choice">[],
): string {
  if (!choice) return "";
  const group = questions.filter((one) => one.choice?.group === choice.group);
  return [choice.best, ...group.map(({ questionNumber }) => questionNumber).toSorted()].join(" ");
}

function effectsOn(
  old: QuestionMark,
  question: PaperQuestion | undefined,
  { decided, hasSameChoice }: { decided: QuestionMark[]; hasSameChoice: boolean },
): string[] {
  const place = `Question ${old.questionNumber}`;
  const isOne = decided.length === 1;
  const marks = counted(decided.length, "decided mark");
  const stay = `${marks} ${isOne ? "stays" : "stay"}`;
  if (!question) return [`${place} goes, with ${marks}.`];
  const tooHigh = decided.filter((mark) => mark.marksAwarded! > question.totalMarks).length;
  const outOf = `${place} is out of ${question.totalMarks} in place of ${old.totalMarks}:`;
  const hasSameTotal = question.totalMarks === old.totalMarks;
  return [
    ...(hasSameTotal || tooHigh > 0
      ? []
      : [`${outOf} ${stay} as ${isOne ? "it is" : "they are"}.`]),
    ...(tooHigh > 0 ? [`${outOf} of ${marks}, ${tooHigh} must be decided again.`] : []),
    ...(question.description === old.description ? [] : [`${place} has another text: ${stay}.`]),
    ...(hasSameChoice ? [] : [`${place} counts in another choice: ${stay}.`]),
  ];
}
