/** Total marks of an assessment, the same for all. */
export const maxMarks = 50;

/** A range of grades, shown by colour and label. */
export interface Band {
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

/** The grade for a number of marks: a percentage of `maxMarks`, rounded. */
export const gradeOf = (marks: number): number => Math.round((marks / maxMarks) * 100);

/** The band of a grade or of an unrounded average. */
export const bandOf = (grade: number): Band => bands.find(({ min }) => grade >= min)!;

/** The mean of the grades. Not rounded: the band depends on the exact value. */
export const averageOf = (grades: number[]): number =>
  grades.reduce((sum, grade) => sum + grade, 0) / grades.length;

/** An average with at most one decimal, never rounded up into a higher band. */
export function formatAverage(average: number): string {
  const tenths = Math.round(average * 10) / 10;
  const entersHigherBand = bandOf(tenths) !== bandOf(average);
  return String(entersHigherBand ? Math.floor(average * 10) / 10 : tenths);
}
