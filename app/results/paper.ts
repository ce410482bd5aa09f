/** What new questions of a paper do to the marks of a class. */
import { counted } from "../domain/counted.ts";
import type { MarkingLink, PaperQuestion } from "../domain/desk.ts";
import type { MarkedSubmission, QuestionMark } from "../domain/result.ts";
import { isDecided } from "./class-report.ts";
import { hasOpenProposal } from "./decision-progress.ts";
import { groupsOf } from "./grade.ts";

const emptyMark = { marksAwarded: null, feedback: "" };

/** Makes a mark one of `question`, whatever question it was for. Drops a second marker's mark above the total. */
export function onQuestion(
  { memo: _, memoPoints: __, ...question }: PaperQuestion,
  mark: Pick<QuestionMark, "marksAwarded" | "feedback"> & Partial<QuestionMark> = emptyMark,
): QuestionMark {
  const { choice: ___, second, ...given } = mark;
  return { ...given, ...question, ...(second && !isLost(second.marks, question) && { second }) };
}

/** A learner's marks on new questions. Drops every mark above the new total: proposed, decided or a second marker's. */
export function marksOn(
  paper: readonly PaperQuestion[],
  before: readonly QuestionMark[],
): QuestionMark[] {
  const marks = new Map(before.map((mark) => [mark.questionNumber, mark]));
  return paper.map((question) => {
    const old = marks.get(question.questionNumber);
    if (!old || !isLost(old.marksAwarded, question)) return onQuestion(question, old);
    return onQuestion(question, { ...emptyMark, ...(old.second && { second: old.second }) });
  });
}

/** Whether marks cannot stay: the question is gone, or its total is lower. */
const isLost = (
  marks: number | null,
  question: Pick<PaperQuestion, "totalMarks"> | undefined,
): boolean => !question || (marks ?? 0) > question.totalMarks;

/** The marks that submissions have on a question, and the question with the same number on the new paper, if any. */
interface OldQuestion {
  number: string;
  marks: QuestionMark[];
  question: PaperQuestion | undefined;
}

function oldQuestions(
  paper: readonly PaperQuestion[],
  submissions: readonly MarkedSubmission[],
): OldQuestion[] {
  const questions = new Map(paper.map((question) => [question.questionNumber, question]));
  const all = submissions.flatMap(({ questionMarks }) => questionMarks);
  return [...Map.groupBy(all, (mark) => mark.questionNumber)].map(([number, marks]) => ({
    number,
    marks,
    question: questions.get(number),
  }));
}

/** A sentence for each question that loses marks of a second marker, or is removed together with such marks. */
export const secondEffects = (
  paper: readonly PaperQuestion[],
  submissions: readonly MarkedSubmission[],
): string[] => oldQuestions(paper, submissions).flatMap(secondEffect);

function secondEffect(old: OldQuestion): string[] {
  const lost = old.marks.filter(({ second }) => second && isLost(second.marks, old.question));
  return lost.length === 0
    ? []
    : [lossSentence(old, `${counted(lost.length, "mark")} of a second marker`)];
}

function proposalEffect(old: OldQuestion): string[] {
  const lost = old.marks.filter(
    (mark) => hasOpenProposal(mark) && isLost(mark.marksAwarded, old.question),
  );
  return lost.length === 0 ? [] : [lossSentence(old, counted(lost.length, "proposal"))];
}

const lossSentence = ({ number, question }: OldQuestion, lost: string) =>
  `Question ${number} ${question ? "loses" : "goes, with"} ${lost}.`;

/** A sentence for each effect of new questions on marks that are decided or proposed, and those of a second marker. */
export function paperEffects(
  paper: readonly PaperQuestion[],
  submissions: readonly MarkedSubmission[],
): string[] {
  const before = oldQuestions(paper, submissions);
  const numbersBefore = new Set(before.map(({ number }) => number));
  const choicesBefore = comparableChoices(submissions[0]?.questionMarks ?? []);
  const choices = comparableChoices(paper);
  const isMarked = before.some(({ marks }) => marks.some(isDecided));
  const added = paper.filter(({ questionNumber }) => !numbersBefore.has(questionNumber));
  return [
    ...before.flatMap((old) => [
      ...decidedEffects(old, choicesBefore.get(old.number) === choices.get(old.number)),
      ...proposalEffect(old),
      ...secondEffect(old),
    ]),
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

/** Maps each question to a text that names its choice: the number of a group changes if another choice is removed. */
const comparableChoices = (
  questions: readonly Pick<PaperQuestion, "questionNumber" | "totalMarks" | "choice">[],
): ReadonlyMap<string, string> =>
  new Map(
    groupsOf(questions).flatMap((group) => {
      const numbers = group.map(({ questionNumber }) => questionNumber).toSorted();
      const choice = [group[0]!.choice?.best, ...numbers].join(" ");
      return numbers.map((number) => [number, choice] as const);
    }),
  );

function decidedEffects(
  { number, marks: all, question }: OldQuestion,
  hasSameChoice: boolean,
): string[] {
  const decided = all.filter(isDecided);
  if (decided.length === 0) return [];
  const old = all[0]!;
  const place = `Question ${number}`;
  const isOne = decided.length === 1;
  const marks = counted(decided.length, "decided mark");
  if (!question) return [`${place} goes, with ${marks}.`];
  const tooHigh = decided.filter((mark) => isLost(mark.marksAwarded, question)).length;
  const stay = isOne ? "stays as it is" : "stay as they are";
  const effect = tooHigh > 0 ? `of ${marks}, ${tooHigh} must be decided again` : `${marks} ${stay}`;
  const { totalMarks, description } = question;
  return [
    ...(totalMarks === old.totalMarks
      ? []
      : [`is out of ${totalMarks} in place of ${old.totalMarks}`]),
    ...(description === old.description ? [] : ["has another text"]),
    ...(hasSameChoice ? [] : ["counts in another choice"]),
  ].map((change) => `${place} ${change}: ${effect}.`);
}
