/** Files of a class's marks for spreadsheets and gradebooks. */
import type { MarksFile, MarksOptions } from "../../context.ts";
import { zonedTime } from "../../domain/day.ts";
import { type PointsByQuestion, pointsOf } from "../../domain/memo-point.ts";
import {
  listedNumber,
  type MarkedSubmission,
  type QuestionMark,
  type Results,
} from "../../domain/result.ts";
import { feedbackForLearner } from "../../results/apply-decision.ts";
import { isDecided, needsLook } from "../../results/class-report.ts";
import { unsignedNote, withoutProposals } from "../../results/decision-progress.ts";
import {
  type LevelScale,
  levelOf,
  shownMarks,
  shownTotal,
  sumOf,
  totalOf,
} from "../../results/grade.ts";
import { isSumOfTicks } from "../../results/ticks.ts";
import { inFile, nameOfDecider, type Reader, readerOf } from "../../results/who-decided.ts";
import { csvHeader, csvLine } from "./csv.ts";

/** A learner's cells. Not an object, which would move a column called "2026" to the front and merge equal names. */
type Row = [column: string, value: string | number | null][];

interface Format {
  rows(results: Results, options: { levels: LevelScale; withPoints: boolean }): Row[];
  isQuoted?: true;
  /** True if the file has proposals even when they are not asked for. */
  keepsProposals?: true;
}

/** Returns the file of this name; null if there is none, or there are no results. */
export function downloadOf(
  results: Results | null | undefined,
  name: string,
  options: { levels: LevelScale } & MarksOptions,
): MarksFile | null {
  const format = formats.get(name);
  if (!results || !format) return null;
  const { isQuoted, keepsProposals = options.withProposals } = format;
  const { submissions: all } = results;
  const submissions = keepsProposals ? all : all.map(withoutProposals);
  const rows = format.rows({ ...results, submissions }, options);
  const points = options.withPoints ? " with points" : "";
  const unsigned = results.signed ? "" : ` - ${unsignedNote}`;
  // Results have at least one learner.
  const columns = rows[0]!.map(([column]) => column);
  const cells = rows.map((row) => row.map(([, value]) => value));
  const lines = cells.map((values) => csvLine(values, isQuoted));
  return {
    disposition: attachment(`${plainName(results.title)} - ${name}${points}${unsigned}.csv`),
    text: csvHeader(columns, isQuoted) + lines.join(""),
  };
}

/** A row for each learner, a column for each question. */
const marksRows: Format["rows"] = (
  { submissions: all, link, signed, points = {} },
  { levels, withPoints },
) => {
  const shownRemarks = remarks.filter(([, matches]) =>
    all.some((one) => one.questionMarks.some(matches)),
  );
  const hasNumbers = all.some((one) => one.isNumberListed);
  const hasNoGrades = all.some((one) => one.noGrade);
  return all.map((submission) => {
    const { studentName, fileName, grade, noGrade, questionMarks } = submission;
    const marks = totalOf(submission);
    const row: Row = [["Learner", studentName]];
    if (hasNumbers) row.push(["Number", listedNumber(submission) ?? null]);
    row.push(["File", fileName]);
    for (const mark of questionMarks) {
      const { questionNumber, totalMarks, marksAwarded } = mark;
      row.push([`${questionNumber} (of ${totalMarks})`, noGrade ? null : marksAwarded]);
      if (withPoints) row.push(...pointCells(mark, points, noGrade !== undefined));
    }
    row.push([`Total (of ${marks.total})`, marks.awarded]);
    if (marks.total !== shownTotal) row.push([`Out of ${shownTotal}`, shownMarks(marks)]);
    row.push(["Percentage", grade]);
    if (levels === "national") row.push(["Level", grade === null ? null : levelOf(grade).level]);
    if (hasNoGrades) row.push(["No grade", noGrade ?? null]);
    for (const [column, matches] of shownRemarks) {
      row.push([column, numbersOf(questionMarks.filter(matches))]);
    }
    const decided = questionMarks.filter(isDecided);
    row.push(["Decided by a person", numbersOf(decided)]);
    row.push(["Decided by", decidersOf(decided, inFile(readerOf(link)))]);
    row.push(["Signed", signed ? `${signed.by}, ${zonedTime(signed.at)}` : unsignedNote]);
    return row;
  });
};

/** Returns what each point of the memo earned; the cell is empty if the mark says nothing about the point. */
function pointCells(mark: QuestionMark, points: PointsByQuestion, isEmpty: boolean): Row {
  const all = pointsOf(points, mark.questionNumber);
  const live = all.filter(({ isWithdrawn }) => !isWithdrawn);
  const given = new Map(
    !isEmpty && isSumOfTicks(mark) ? mark.points.map((one) => [one.id, one]) : [],
  );
  return live.map(({ id, text, worth }) => {
    const found = given.get(id);
    const earned = found && (found.isTicked ? found.worth : 0);
    return [`${mark.questionNumber} ${text} (${worth})`, earned ?? null];
  });
}

/** The numbers of questions, each with a Q in front, so that no spreadsheet reads a number or date. */
const numbersOf = (marks: QuestionMark[]) =>
  marks.map(({ questionNumber }) => `Q${questionNumber}`).join(" ");

/** The names of those who decided the marks, each once. */
const decidersOf = (marks: QuestionMark[], reader: Reader) =>
  [...new Set(marks.map((mark) => nameOfDecider(mark, reader)))].join("; ");

/** Columns that list a learner's questions whose marks match; left out if no mark of the class does. */
const remarks: [column: string, matches: (mark: QuestionMark) => boolean][] = [
  ["Look here first", needsLook],
  ["Not answered", ({ notAnswered }) => notAnswered === true],
];

const awarded = (submission: MarkedSubmission) => totalOf(submission).awarded;

/** Returns the number from the class list, or else the name: platforms do not know the program's own numbers. */
const idOf = (submission: MarkedSubmission) => listedNumber(submission) ?? submission.studentName;

/** The files by name. Gradebooks have the columns that each platform's import documents (decision 152). */
const formats = new Map(
  Object.entries<Format>({
    marks: { rows: marksRows, keepsProposals: true },
    moodle: {
      rows: ({ title, submissions, signed }) =>
        submissions.map((submission) => [
          ["ID number", idOf(submission)],
          [`${title} (Real)`, awarded(submission)],
          [`${title} (Feedback)`, feedbackForLearner(submission, signed !== undefined)],
        ]),
    },
    canvas: {
      rows: ({ title, submissions }) => {
        const row = (student: string, id: string, marks: number | null): Row => [
          ["Student", student],
          ["ID", ""],
          ["SIS User ID", id],
          ["SIS Login ID", ""],
          ["Section", ""],
          [title, marks],
        ];
        return [
          row("Points Possible", "", sumOf(submissions[0]!.questionMarks).total),
          ...submissions.map((one) => row(one.studentName, idOf(one), awarded(one))),
        ];
      },
    },
    brightspace: {
      rows: ({ title, submissions }) =>
        submissions.map((submission) => [
          ["OrgDefinedId", idOf(submission)],
          [`${title} Points Grade`, awarded(submission)],
          ["End-of-Line Indicator", "#"],
        ]),
    },
    blackboard: {
      isQuoted: true,
      rows: ({ title, submissions }) =>
        submissions.map((submission) => [
          ["Username", idOf(submission)],
          [title, awarded(submission)],
        ]),
    },
  }),
);

/** A title as part of a file name on any system. */
function plainName(title: string): string {
  const plain = title.replace(/[/\\:*?"<>|\p{Cc}]+/gu, " ").replace(/\s+/g, " ");
  // Spread, so that no character is cut in half.
  return [...plain.toWellFormed()].slice(0, 80).join("").trim();
}

/** A Content-Disposition with the name for old programs in ASCII, and in UTF-8 (RFC 6266). */
export function attachment(fileName: string): string {
  // NFKD turns other forms of quotes and slashes into those that are removed here.
  const ascii = fileName.normalize("NFKD").replace(/[^ -~]|["\\/;]/g, "");
  const encoded = encodeURIComponent(fileName).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
