/** Marks, grades, bands and levels. All rounding of marks and percentages is here. */
import type { MarkedSubmission, QuestionMark } from "../domain/result.ts";

/** The total that marks are shown out of, whatever the questions sum to. */
export const shownTotal = 50;

/** The marks awarded, and the marks that could be awarded. */
export interface Marks {
  /** Null while a question has no mark. */
  awarded: number | null;
  total: number;
}

/** A range of grades, shown by colour and label. */
interface Band {
  min: number;
  label: string;
  /** Suffix of the CSS classes. */
  style: "a" | "b" | "c" | "d";
}

/** Highest first. */
export const bands: readonly Band[] = [
  { min: 90, label: "90 and above", style: "a" },
  { min: 80, label: "80 and above", style: "b" },
  { min: 70, label: "70 and above", style: "c" },
  { min: 0, label: "below 70", style: "d" },
];

/** An achievement level of the South African national curriculum. */
export interface Level {
  min: number;
  level: number;
  label: string;
}

/** Highest first (National Protocol for Assessment, grades R to 12). */
export const levels: readonly Level[] = [
  { min: 80, level: 7, label: "outstanding" },
  { min: 70, level: 6, label: "meritorious" },
  { min: 60, level: 5, label: "substantial" },
  { min: 50, level: 4, label: "adequate" },
  { min: 40, level: 3, label: "moderate" },
  { min: 30, level: 2, label: "elementary" },
  { min: 0, level: 1, label: "not achieved" },
];

/** Whether levels are shown beside percentages. */
export type LevelScale = "national" | "none";

type Question = Pick<QuestionMark, "questionNumber" | "totalMarks" | "choice">;

/** Groups the questions of each choice; every other question is a group of its own. */
export const groupsOf = <Each extends Question>(questions: readonly Each[]): Each[][] => [
  ...Map.groupBy(
    questions,
    ({ questionNumber, choice }) => choice?.group ?? questionNumber,
  ).values(),
];

/** The total marks of questions; of a choice only the best count. */
export const paperTotal = (questions: readonly Question[]): number =>
  sum(groupsOf(questions).map((group) => sumOfBest(group, ({ totalMarks }) => totalMarks)));

/** Says of which questions only the best marks count; empty without a choice. */
export const choicesIn = (questions: readonly Question[]): string =>
  groupsOf(questions)
    .flatMap((group) => {
      const { choice } = group[0]!;
      if (!choice || group.length <= choice.best) return [];
      const numbers = group.map(({ questionNumber }) => questionNumber).join(", ");
      const counting = choice.best === 1 ? "best counts" : `best ${choice.best} count`;
      return `Of ${numbers} only the ${counting}.`;
    })
    .join(" ");

/** The sum of the marks of a paper's questions; of a choice only the best count. Exact, because marks are quarters. */
export function sumOf(marks: readonly QuestionMark[]): Marks {
  const total = paperTotal(marks);
  if (marks.some(({ marksAwarded }) => marksAwarded === null)) return { awarded: null, total };
  const awarded = groupsOf(marks).map((group) => sumOfBest(group, (mark) => mark.marksAwarded!));
  return { awarded: sum(awarded), total };
}

/** The sum of a learner's marks; nothing is awarded to a learner who gets no grade. */
export function totalOf({
  questionMarks,
  noGrade,
}: Pick<MarkedSubmission, "questionMarks" | "noGrade">): Marks {
  const marks = sumOf(questionMarks);
  return noGrade ? { ...marks, awarded: null } : marks;
}

export const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);

function sumOfBest<Each extends Question>(group: Each[], read: (one: Each) => number): number {
  const count = group[0]!.choice?.best ?? group.length;
  const sorted = group.map(read).sort((one, other) => other - one);
  return sum(sorted.slice(0, count));
}

/** The unrounded percentage. `awarded` is multiplied first, so that a half stays exact. */
export const percentageOf = (awarded: number, total: number): number => (awarded * 100) / total;

/** The percentage as a whole number, halves rounded up. */
export const wholePercentage = (awarded: number, total: number): number =>
  Math.round(percentageOf(awarded, total));

/** The grade: a whole percentage; null while a question has no mark, and without questions. */
export const gradeOf = ({ awarded, total }: Marks): number | null =>
  awarded === null || total === 0 ? null : wholePercentage(awarded, total);

/**
 * The marks out of `shownTotal`. If `total` differs from it, they are computed from the grade, so that marks and grade
 * always agree. Null while a question has no mark.
 */
export function shownMarks({ awarded, total }: Marks): number | null {
  if (awarded === null || total === shownTotal) return awarded;
  return (wholePercentage(awarded, total) * shownTotal) / 100;
}

/** Shown in place of a mark, grade or average that is missing. */
export const noMark = "–";

/** The band of a grade or of an unrounded average. */
export const bandOf = (grade: number): Band => bands.find(({ min }) => grade >= min)!;

export const levelOf = (grade: number): Level => levels.find(({ min }) => grade >= min)!;

/** The grades of submissions that have one. */
export const gradesIn = (submissions: readonly { grade: number | null }[]): number[] =>
  submissions.flatMap(({ grade }) => grade ?? []);

/** The mean; null without numbers. Not rounded: the band depends on the exact value. */
export const averageOf = (numbers: readonly number[]): number | null =>
  numbers.length === 0 ? null : sum(numbers) / numbers.length;

/** The middle grade, or the mean of the two in the middle; null without grades. */
export function medianOf(grades: readonly number[]): number | null {
  const sorted = grades.toSorted((one, other) => one - other);
  const middle = (sorted.length - 1) / 2;
  return averageOf(sorted.slice(Math.floor(middle), Math.ceil(middle) + 1));
}

/** An average with at most one decimal, never rounded up into a higher band. */
export function formatAverage(average: number): string {
  const tenths = Math.round(average * 10) / 10;
  const entersHigherBand = bandOf(tenths) !== bandOf(average);
  return String(entersHigherBand ? Math.floor(average * 10) / 10 : tenths);
}

export const formatPercentage = (average: number | null): string =>
  average === null ? noMark : `${formatAverage(average)}%`;

/** Average marks of a question, with at most two decimals. */
export const formatMarks = (marks: number | null): string =>
  marks === null ? noMark : String(Math.round(marks * 100) / 100);
