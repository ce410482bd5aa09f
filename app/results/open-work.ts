/** What of a class is still open before its educator gets it. */
import { counted } from "../domain/counted.ts";
import { withoutExtension } from "../domain/file-name.ts";
import type { MarkedSubmission, QuestionMark } from "../domain/result.ts";
import type { ProblemPage } from "../domain/scan.ts";
import { gradedMarks, hasDifference, isDecided } from "./class-report.ts";
import { hasOpenProposal, isUnmarked } from "./decision-progress.ts";

export type OpenItem =
  | ({ kind: "problem page" } & Pick<ProblemPage, "scan" | "page">)
  | { kind: "no work"; learnerId: number; learner: string }
  | {
      kind: "no mark" | "difference" | "pencil";
      learnerId: number;
      learner: string;
      questions: string[];
    };

export interface OpenWork {
  items: OpenItem[];
  learners: number;
  /** Learners of whom nothing is open. */
  complete: number;
  decided: number;
  /** Proposals that no person has decided. They are open only where other answers are decided. */
  inPencil: number;
  /** Learners who have no name but that of their file, which is not open. */
  unnamed: string[];
}

/** What is open, in the order in which it is to be settled. */
export function openWorkOf({
  submissions,
  withoutWork,
  problemPages,
}: {
  submissions: readonly MarkedSubmission[];
  /** The ids of learners without a file. */
  withoutWork: ReadonlySet<number>;
  /** Pages of scans that belong to no learner. */
  problemPages: readonly Pick<ProblemPage, "scan" | "page">[];
}): OpenWork {
  const graded = submissions.filter(({ noGrade }) => !noGrade);
  const [missing, present] = [true, false].map((isMissing) =>
    graded.filter(({ learnerId }) => withoutWork.has(learnerId!) === isMissing),
  ) as [MarkedSubmission[], MarkedSubmission[]];
  const marks = gradedMarks(submissions);
  const decided = marks.filter(isDecided).length;
  const items: OpenItem[] = [
    ...problemPages.map(({ scan, page }) => ({ kind: "problem page" as const, scan, page })),
    ...missing.map((submission) => ({ kind: "no work" as const, ...learnerOf(submission) })),
    ...answers("no mark", present, isUnmarked),
    ...answers("difference", graded, hasDifference),
    ...(decided > 0 ? answers("pencil", graded, hasOpenProposal) : []),
  ];
  const open = new Set(items.flatMap((item) => ("learnerId" in item ? item.learnerId : [])));
  return {
    items,
    learners: submissions.length,
    complete: submissions.length - open.size,
    decided,
    inPencil: marks.filter(hasOpenProposal).length,
    unnamed: submissions.filter(isUnnamed).map(({ studentName }) => studentName),
  };
}

const learnerOf = ({ learnerId, studentName }: MarkedSubmission) => ({
  learnerId: learnerId!,
  learner: studentName,
});

const answers = (
  kind: "no mark" | "difference" | "pencil",
  submissions: readonly MarkedSubmission[],
  isOpen: (mark: QuestionMark) => boolean,
): OpenItem[] =>
  submissions.flatMap((submission) => {
    const open = submission.questionMarks.filter(isOpen);
    const questions = open.map(({ questionNumber }) => questionNumber);
    return open.length === 0 ? [] : [{ kind, ...learnerOf(submission), questions }];
  });

/** Whether a learner is called as a scanner or a camera calls a file: names of people have no digits. */
const isUnnamed = ({ studentName, fileName }: MarkedSubmission): boolean =>
  /\d/.test(studentName) && studentName === withoutExtension(fileName);

/** By kind: what is counted, and what is said of one and of several. */
const sentenceParts: Record<OpenItem["kind"], [noun: string, one: string, several: string]> = {
  "problem page": ["problem page", "belongs to no learner", "belong to no learner"],
  "no work": ["learner", "is not absent and has no work", "are not absent and have no work"],
  "no mark": ["answer", "has neither mark nor proposal", "have neither mark nor proposal"],
  difference: [
    "difference",
    "between two markers is open: the first mark counts",
    "between two markers are open: the first mark counts",
  ],
  pencil: ["answer", "is still in pencil", "are still in pencil"],
};

/** The same as sentences; the last ones name what is no reason to wait. */
export function openWorkSentences({ items, decided, inPencil, unnamed }: OpenWork): string[] {
  const open = Object.entries(sentenceParts).map(([kind, [noun, one, several]]) => {
    const own = items.filter((item) => item.kind === kind);
    const count = own.reduce(
      (sum, item) => sum + ("questions" in item ? item.questions.length : 1),
      0,
    );
    return listed(`${counted(count, noun)} ${count === 1 ? one : several}`, own.map(nameOf));
  });
  const told = [
    decided === 0 && inPencil > 0 && `${counted(inPencil, "proposal")}, nobody has decided.`,
    listed(`${counted(unnamed.length, "learner")} named after a file`, unnamed),
  ];
  return [...open, ...told].filter((sentence) => sentence !== false);
}

function nameOf(item: OpenItem): string {
  if (item.kind === "problem page") return `${item.scan}, page ${item.page}`;
  if (item.kind === "no work") return item.learner;
  const { learner, questions } = item;
  return `${learner}, question${questions.length === 1 ? "" : "s"} ${questions.join(" ")}`;
}

/** How many are named in a sentence. */
const maxNamed = 8;

/** A sentence that names what it counts; false if there is nothing. */
function listed(text: string, names: string[]): string | false {
  if (names.length === 0) return false;
  const more = names.length - maxNamed;
  const shown = [...names.slice(0, maxNamed), ...(more > 0 ? [`and ${more} more`] : [])];
  return `${text}: ${shown.join("; ")}.`;
}
