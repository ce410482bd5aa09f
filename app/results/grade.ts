/** What every assessment is marked out of. */
export const maxMarks = 50;

/** A class of grades, told by colour and by these words. */
export interface Band {
  least: number;
  label: string;
  /** As it ends the names of styles. */
  style: "a" | "b" | "c" | "d";
}

/** Highest first; the last takes all the rest. */
export const bands: readonly Band[] = [
  { least: 90, label: "90 and above", style: "a" },
  { least: 80, label: "80 and above", style: "b" },
  { least: 70, label: "70 and above", style: "c" },
  { least: 0, label: "below 70", style: "d" },
];

/** The rounded percentage of the marks out of 50. */
export const gradeOf = (marks: number): number => Math.round((marks / maxMarks) * 100);

/** @param grade or an average of grades, not rounded */
export const bandOf = (grade: number): Band => bands.find(({ least }) => grade >= least)!;

/** Not rounded, because a band is judged by it. */
export const averageOf = (grades: number[]): number =>
  grades.reduce((sum, grade) => sum + grade, 0) / grades.length;

/** An average with one decimal at most; never rounded up to where a higher band begins. */
export function averageInFigures(average: number): string {
  const tenths = Math.round(average * 10) / 10;
  const isRaised = bandOf(tenths) !== bandOf(average);
  return String(isRaised ? Math.floor(average * 10) / 10 : tenths);
}
