/** Files of a class's marks for spreadsheets and gradebooks. */
import type { MarkedSubmission, Results } from "../domain/result.ts";
import { type LevelScale, levelOf, shownMarks, shownTotal, sumOf } from "../results/grade.ts";
import { csvHeader, csvLine } from "./csv.ts";

export interface Download {
  fileName: string;
  text: string;
}

type Row = Record<string, string | number>;

/** Returns the file of this name, or undefined if there is none. */
export function downloadOf(
  results: Results,
  name: string,
  levels: LevelScale,
): Download | undefined {
  const rowsOf = name === "marks" ? marksRows(levels) : gradebooks.get(name);
  if (!rowsOf) return undefined;
  const rows = rowsOf(results);
  const lines = rows.map((row) => csvLine(Object.values(row)));
  return {
    fileName: `${plainName(results.title)} - ${name}.csv`,
    text: csvHeader(Object.keys(rows[0]!)) + lines.join(""),
  };
}

/** A row for each learner, a column for each question. */
const marksRows =
  (levels: LevelScale) =>
  ({ submissions }: Results): Row[] =>
    submissions.map(({ studentName, fileName, grade, questionMarks }) => {
      const marks = sumOf(questionMarks);
      const questions = questionMarks.map(({ questionNumber, totalMarks, marksAwarded }) => [
        `${questionNumber} (of ${totalMarks})`,
        marksAwarded,
      ]);
      return {
        Learner: studentName,
        File: fileName,
        ...Object.fromEntries(questions),
        [`Total (of ${marks.total})`]: marks.awarded,
        ...(marks.total !== shownTotal && { [`Out of ${shownTotal}`]: shownMarks(marks) }),
        Percentage: grade,
        ...(levels === "national" && { Level: levelOf(grade).level }),
      };
    });

const awarded = ({ questionMarks }: MarkedSubmission) => sumOf(questionMarks).awarded;

/**
 * The columns that each platform's import documents (decision 152). The learner's name is the
 * identifier that the educator uses.
 */
const gradebooks = new Map(
  Object.entries<(results: Results) => Row[]>({
    moodle: ({ title, submissions }) =>
      submissions.map((submission) => ({
        "ID number": submission.studentName,
        [`${title} (Real)`]: awarded(submission),
        [`${title} (Feedback)`]: submission.feedback,
      })),
    canvas: ({ title, submissions }) => {
      const row = (student: string, id: string, marks: number): Row => ({
        Student: student,
        ID: "",
        "SIS User ID": id,
        "SIS Login ID": "",
        Section: "",
        [title]: marks,
      });
      return [
        row("Points Possible", "", sumOf(submissions[0]!.questionMarks).total),
        ...submissions.map((one) => row(one.studentName, one.studentName, awarded(one))),
      ];
    },
    brightspace: ({ title, submissions }) =>
      submissions.map((submission) => ({
        OrgDefinedId: submission.studentName,
        [`${title} Points Grade`]: awarded(submission),
        "End-of-Line Indicator": "#",
      })),
  }),
);

/** A title as part of a file name on any system. */
const plainName = (title: string) =>
  title
    .replace(/[/\\:*?"<>|\p{Cc}]+/gu, " ")
    .replace(/\s+/g, " ")
    .slice(0, 80)
    .trim();
