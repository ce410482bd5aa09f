import type { Results } from "../../domain/result.ts";
import { marksToLookAt } from "../../results/class-report.ts";
import { bandOf, bands, formatAverage } from "../../results/grade.ts";

/** The results as JSON: grades without the marks, which are in the results file. */
export function plainResults({ title, averageGrade, totalSubmissions, submissions }: Results) {
  const grades = submissions.map(({ fileName, studentName, grade }) => ({
    fileName,
    studentName,
    grade,
    band: bandOf(grade).label,
  }));
  return { title, averageGrade, totalSubmissions, submissions: grades };
}

/** The results as lines: the class, then each learner. */
export function summaryOf(reference: string, { averageGrade, submissions }: Results): string[] {
  const counts = bands.map((band) => {
    const count = submissions.filter(({ grade }) => bandOf(grade) === band).length;
    return `${band.label}: ${count}`;
  });
  return [
    `${reference}  graded  submissions ${submissions.length}  average ${formatAverage(averageGrade)}%`,
    counts.join(", "),
    ...submissions.map(({ grade, fileName, studentName }) =>
      [`${grade}%`.padStart(4), fileName, studentName].join("  "),
    ),
    ...marksToLookAt(submissions).map(
      ({ index, questions }) =>
        `look first: ${submissions[index]!.studentName}  ${questions.join(", ")}`,
    ),
  ];
}
