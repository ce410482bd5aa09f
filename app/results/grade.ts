/** Marks, grades, bands and levels. All rounding of marks and percentages is here. */
import type { QuestionMark } from "../domain/result.ts";

/** The total that marks are shown out of, whatever the questions sum to. */
export const shownTotal = 50;

/** The marks awarded, and those that could be. */
export interface Marks {
  awarded: number;
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

/** The sum of marks by question. Exact: marks are quarters. */
export const sumOf = (questionMarks: QuestionMark[]): Marks => ({
  awarded: questionMarks.reduce((sum, { marksAwarded }) => sum + marksAwarded, 0),
  total: questionMarks.reduce((sum, { totalMarks }) => sum + totalMarks, 0),
});

/** The unrounded percentage. Multiplied first, so that an exact half stays one. */
export const percentageOf = ({ awarded, total }: Marks): number => (awarded * 100) / total;

/** The grade: the percentage as a whole number, halves rounded up. */
export const gradeOf = (marks: Marks): number => Math.round(percentageOf(marks));

/**
 * The marks out of `shownTotal`: as awarded if that is the total, otherwise half of the grade, so
 * that both always agree.
 */
export const shownMarks = (marks: Marks): number =>
  marks.total === shownTotal ? marks.awarded : (gradeOf(marks) * shownTotal) / 100;

/** The band of a grade or of an unrounded average. */
export const bandOf = (grade: number): Band => bands.find(({ min }) => grade >= min)!;

/** The achievement level of a grade. */
export const levelOf = (grade: number): Level => levels.find(({ min }) => grade >= min)!;

/** The mean. Not rounded: the band depends on the exact value. */
export const averageOf = (grades: number[]): number =>
  grades.reduce((sum, grade) => sum + grade, 0) / grades.length;

/** The middle grade, or the mean of the two in the middle. */
export function medianOf(grades: number[]): number {
  const sorted = grades.toSorted((one, other) => one - other);
  const middle = sorted.length / 2;
  return averageOf(sorted.slice(Math.ceil(middle) - 1, Math.floor(middle) + 1));
}

/** An average with at most one decimal, never rounded up into a higher band. */
export function formatAverage(average: number): string {
  const tenths = Math.round(average * 10) / 10;
  const entersHigherBand = bandOf(tenths) !== bandOf(average);
  return String(entersHigherBand ? Math.floor(average * 10) / 10 : tenths);
}

/** Average marks of a question, with at most two decimals. */
export const formatMarks = (marks: number): string => String(Math.round(marks * 100) / 100);
