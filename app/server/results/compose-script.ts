/** The parts of a learner's script as a PDF: a text with marks and comments, then each shown file with its stamps. */
import type { ScriptPart, TextBlock } from "../../desk/script-job.ts";
import { formatDayOf } from "../../domain/day.ts";
import { textsIn } from "../../domain/decision.ts";
import type { ShownFile } from "../../domain/desk.ts";
import type { MarkedSubmission, QuestionMark, Results } from "../../domain/result.ts";
import { feedbackForLearner, reasonForLearner } from "../../results/apply-decision.ts";
import { isDecided } from "../../results/class-report.ts";
import { hasOpenProposal } from "../../results/decision-progress.ts";
import { choicesIn, noMark, shownMarks, shownTotal, totalOf } from "../../results/grade.ts";
import { earnedPoints } from "../../results/point-report.ts";

/** A file of a learner's work, with its bytes if it is shown as pages. */
export type ReadFile = ShownFile & { bytes: Buffer | null };

const block = (
  text: string,
  colour: TextBlock["colour"] = "ink",
  size: TextBlock["size"] = "body",
): TextBlock => ({ text, size, colour });

/** The parts of a script. Files that are not shown are named with the reason. */
export function scriptParts(
  results: Results,
  submission: MarkedSubmission,
  work: ReadFile[],
): ScriptPart[] {
  const notShown = work.filter(({ rendered }) => rendered === null || rendered.kind === "original");
  const blocks = [
    ...marksBlocks(results, submission),
    ...notShown.map(({ name, rendered }) =>
      block(
        `${name}: ${rendered?.kind === "original" ? rendered.reason : "it has not been rendered."}`,
      ),
    ),
  ];
  return [{ blocks }, ...work.flatMap(partOf)];
}

/** The part of a script for a file; empty if the file is not shown. */
function partOf({ rendered, stamps, bytes }: ReadFile): ScriptPart | [] {
  if (rendered?.kind === "pages") {
    const pages = rendered.pages.map(({ page, turn }) => ({
      page,
      turn,
      stamps: stamps.filter((stamp) => stamp.page === page),
    }));
    return { file: bytes!, pages };
  }
  if (rendered?.kind !== "paragraphs") return [];
  const blocks = rendered.paragraphs.flatMap((text, index) => [
    block(`${index + 1}.  ${text}`),
    ...stamps
      .filter(({ paragraph }) => paragraph === index + 1)
      .map(({ kind, text: comment }) => block(comment || stampWords[kind], "red")),
  ]);
  return { blocks };
}

/** The words for stamps without a comment, which are listed below paragraphs. */
const stampWords = { tick: "Right", cross: "Wrong", question: "?", comment: "" };

function marksBlocks(
  { title, signed, link, points }: Results,
  submission: MarkedSubmission,
): TextBlock[] {
  const { studentName, learnerNumber, grade, noGrade, questionMarks } = submission;
  const feedback = feedbackForLearner(submission, signed !== undefined);
  const marks = totalOf(submission);
  const isAllDecided = questionMarks.every(isDecided);
  const colour = isAllDecided ? "red" : "pencil";
  const person = signed?.by ?? link?.sender;
  const awarded = marks.awarded ?? noMark;
  const outOfShown = marks.total === shownTotal ? "" : `${shownMarks(marks)} of ${shownTotal}, `;
  return [
    {
      ...block(studentName, "ink", "title"),
      ...(!noGrade && {
        right: { text: `${awarded}/${marks.total}`, colour, isRinged: true },
      }),
    },
    {
      ...block(
        [title, learnerNumber && `learner ${learnerNumber}`].filter(Boolean).join(", "),
        "ink",
        "heading",
      ),
      ...(grade !== null && { right: { text: `${outOfShown}${grade}%`, colour } }),
    },
    ...(signed ? [{ ...block(signed.by, "red", "title"), isSignature: true as const }] : []),
    block(
      signed
        ? `Signed by ${signed.by} on ${formatDayOf(signed.at)}. The marks are final.`
        : "Not signed yet: these marks are not final.",
    ),
    ...questionMarks.flatMap((mark) => questionBlocks(mark, points)),
    noGrade
      ? block(`No grade: ${noGrade}.`, "ink", "heading")
      : {
          ...block("Total", "ink", "heading"),
          right: { text: `${awarded}/${marks.total}`, colour },
        },
    ...[choicesIn(questionMarks), feedback].filter(Boolean).map((text) => block(text)),
    block(
      `${coloursOf(questionMarks)}To query a mark, ask ${person ?? "your educator"}, and say which question.`,
      "pencil",
    ),
  ];
}

/** Explains the colours of the marks, as far as they occur. */
function coloursOf(marks: QuestionMark[]): string {
  const red = marks.some(isDecided) ? "Red is what a person decided. " : "";
  return marks.some(hasOpenProposal) ? `${red}Grey is proposed, and not decided. ` : red;
}

function questionBlocks(mark: QuestionMark, points: Results["points"]): TextBlock[] {
  const { questionNumber, description, totalMarks, marksAwarded, notAnswered } = mark;
  const feedback = reasonForLearner(mark);
  const colour = mark.takesReason ? "red" : "pencil";
  const marks = `${marksAwarded ?? noMark}/${totalMarks}`;
  const { earned = [], missed = [] } = earnedPoints(mark, points) ?? {};
  return [
    {
      ...block(`${questionNumber}  ${description}`),
      right: {
        text: notAnswered ? `not answered ${marks}` : marks,
        colour: isDecided(mark) ? "red" : "pencil",
      },
    },
    ...(feedback ? [block(feedback, colour)] : []),
    ...(earned.length > 0 ? [block(`Earned: ${earned.join("; ")}`, "red")] : []),
    ...(missed.length > 0 ? [block(`Not earned: ${missed.join("; ")}`)] : []),
    ...textsIn(mark).map((text) => block(text, "red")),
  ];
}
