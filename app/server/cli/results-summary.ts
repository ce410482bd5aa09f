import type { QuestionMark, Results } from "../../domain/result.ts";
import { needsLook } from "../../results/class-report.ts";
import { isUnmarked, learnersWith } from "../../results/decision-progress.ts";
import { bandOf, bands, formatPercentage, noMark } from "../../results/grade.ts";
import { sentenceOfClass, whoDecided } from "../../results/who-decided.ts";

/** Returns what `results import --json` prints of results: the grades alone, because the file has the marks. */
export function plainResults({ title, averageGrade, totalSubmissions, submissions }: Results) {
  const grades = submissions.map(({ fileName, studentName, grade }) => ({
    fileName,
    studentName,
    grade,
    band: grade === null ? null : bandOf(grade).label,
  }));
  return { title, averageGrade, totalSubmissions, submissions: grades };
}

/** Returns the results as lines: the class, each learner, then questions without a mark and doubtful marks. */
export function summaryOf(reference: string, { averageGrade, submissions }: Results): string[] {
  const counts = bands.map((band) => {
    const count = submissions.filter(
      ({ grade }) => grade !== null && bandOf(grade) === band,
    ).length;
    return `${band.label}: ${count}`;
  });
  const linesOf = (what: string, matches: (mark: QuestionMark) => boolean) =>
    learnersWith(submissions, matches).map(
      ({ index, questions }) =>
        `${what}: ${submissions[index]!.studentName}  ${questions.join(", ")}`,
    );
  return [
    `${reference}  graded  submissions ${submissions.length}  average ${formatPercentage(averageGrade)}`,
    sentenceOfClass(whoDecided(submissions), { kind: "team" }),
    counts.join(", "),
    ...submissions.map(({ grade, fileName, studentName }) =>
      [(grade === null ? noMark : `${grade}%`).padStart(4), fileName, studentName].join("  "),
    ),
    ...linesOf("no mark yet", isUnmarked),
    ...linesOf("look first", needsLook),
  ];
}
