/** What is still open in a class before its educator gets the marks. */
import { counted } from "../domain/counted.ts";
import { withoutExtension } from "../domain/file-name.ts";
import { firstOf } from "../domain/first-of.ts";
import type { LeadQuestion } from "../domain/lead-question.ts";
import type { MarkedSubmission } from "../domain/result.ts";
import type { ProblemPage } from "../domain/scan.ts";
import { stateIs } from "./answer-states.ts";
import { learnerQuestions } from "./decision-progress.ts";

/** Open answers of a learner. */
interface AnswerItem {
  kind: "no mark" | "difference" | "pencil";
  learnerId: number;
  learner: string;
  questions: string[];
}

type OpenItem =
  | ({ kind: "problem page" } & Pick<ProblemPage, "scan" | "page">)
  | { kind: "no work" | "absent with work"; learnerId: number; learner: string }
  | AnswerItem
  /** A question without a reply. It does not make its learner incomplete. */
  | ({ kind: "question to the lead" } & Pick<
      LeadQuestion,
      "marker" | "learner" | "questionNumber"
    >);

export interface OpenWork {
  items: OpenItem[];
  learners: number;
  /** Number of learners without an open item, apart from questions to the lead. */
  complete: number;
  decided: number;
  /** Proposals that no person has decided. They count as open only once any answer is decided. */
  inPencil: number;
  /** Learners whose only name is that of their file. They do not count as open. */
  unnamed: string[];
}

/** A learner with the states of their answers. */
type LearnerStates = Pick<MarkedSubmission, "studentName" | "fileName"> & {
  id: number;
  hasGrade: boolean;
  isAbsent: boolean;
  /** The states of the learner's answers, as `answerStatesOf` writes them. */
  states: string;
};

interface ClassAtDesk {
  learners: readonly LearnerStates[];
  /** Question numbers, in the order of the paper. */
  questions: readonly string[];
  /** The ids of learners without a file. */
  withoutWork: ReadonlySet<number>;
  /** Pages of scans that belong to no learner. */
  problemPages: readonly Pick<ProblemPage, "scan" | "page">[];
  /** Questions to the lead that have no reply. */
  leadQuestions: readonly Pick<LeadQuestion, "marker" | "learner" | "questionNumber">[];
}

/** What is open, in the order in which it is to be settled. */
export function openWorkOf(atDesk: ClassAtDesk): OpenWork {
  const { learners, questions, withoutWork, problemPages, leadQuestions } = atDesk;
  const graded = learners.filter(({ hasGrade }) => hasGrade);
  // A class without any file was marked from the paper itself, so a learner with a mark has work.
  const isOnPaper = learners.every(({ id }) => withoutWork.has(id));
  const isMissing = ({ id, states }: LearnerStates) =>
    withoutWork.has(id) && !(isOnPaper && [...states].some(stateIs.decided));
  const missing = graded.filter(isMissing);
  const contradictory = learners.filter(
    ({ id, isAbsent, states }) =>
      isAbsent && (!withoutWork.has(id) || [...states].some(stateIs.decided)),
  );
  const present = graded.filter((one) => !isMissing(one));
  const count = (isCounted: (state: string) => boolean) =>
    graded.reduce((sum, { states }) => sum + [...states].filter(isCounted).length, 0);
  const decided = count(stateIs.decided);
  const items: OpenItem[] = [
    ...problemPages.map(({ scan, page }) => ({ kind: "problem page" as const, scan, page })),
    ...learnerItems("no work", missing),
    ...learnerItems("absent with work", contradictory),
    ...answerItems("no mark", present, questions),
    ...answerItems("difference", graded, questions),
    ...(decided > 0 ? answerItems("pencil", graded, questions) : []),
  ];
  const openLearners = new Set(
    items.flatMap((item) => ("learnerId" in item ? item.learnerId : [])),
  );
  const asked = leadQuestions.map(({ marker, learner, questionNumber }) => ({
    kind: "question to the lead" as const,
    marker,
    learner,
    questionNumber,
  }));
  return {
    items: [...items, ...asked],
    learners: learners.length,
    complete: learners.length - openLearners.size,
    decided,
    inPencil: count(stateIs.pencil),
    unnamed: learners.filter(isUnnamed).map(({ studentName }) => studentName),
  };
}

const learnerItems = (kind: "no work" | "absent with work", among: LearnerStates[]): OpenItem[] =>
  among.map(({ id, studentName }) => ({ kind, learnerId: id, learner: studentName }));

const isOpen: Record<AnswerItem["kind"], (state: string) => boolean> = {
  "no mark": stateIs.unmarked,
  difference: stateIs.difference,
  pencil: stateIs.pencil,
};

const answerItems = (
  kind: AnswerItem["kind"],
  among: LearnerStates[],
  questions: readonly string[],
): AnswerItem[] =>
  among.flatMap(({ id, studentName, states }) => {
    const open = questions.filter((_, place) => isOpen[kind](states[place] ?? ""));
    return open.length === 0 ? [] : { kind, learnerId: id, learner: studentName, questions: open };
  });

/** Whether a learner’s name is only that of a file, such as “IMG_0012”: names of people have no digits. */
const isUnnamed = ({ studentName, fileName }: LearnerStates): boolean =>
  /\d/.test(studentName) && studentName === withoutExtension(fileName);

/** By kind: what is counted, and what is said of one and of several. */
const sentenceParts: Record<OpenItem["kind"], [noun: string, one: string, several: string]> = {
  "problem page": ["problem page", "belongs to no learner", "belong to no learner"],
  "no work": ["learner", "is not absent and has no work", "are not absent and have no work"],
  "absent with work": [
    "learner",
    "is set absent, has work or a mark, and gets no grade",
    "are set absent, have work or a mark, and get no grade",
  ],
  "no mark": ["answer", "has neither mark nor proposal", "have neither mark nor proposal"],
  difference: [
    "difference",
    "between two markers is open: the first mark counts",
    "between two markers are open: the first mark counts",
  ],
  pencil: ["answer", "is still in pencil", "are still in pencil"],
  "question to the lead": ["question", "to the lead has no reply", "to the lead have no reply"],
};

/** A sentence for each kind of open item, then notes on what need not be settled first. */
export function openWorkSentences({ items, decided, inPencil, unnamed }: OpenWork): string[] {
  const open = Object.entries(sentenceParts).map(([kind, [noun, one, several]]) => {
    const own = items.filter((item) => item.kind === kind);
    const count = own.reduce(
      (sum, item) => sum + ("questions" in item ? item.questions.length : 1),
      0,
    );
    return listed(`${counted(count, noun)} ${count === 1 ? one : several}`, own.map(nameOf));
  });
  const notes = [
    decided === 0 && inPencil > 0 && `${counted(inPencil, "proposal")}, none decided.`,
    listed(`${counted(unnamed.length, "learner")} named after a file`, unnamed),
  ];
  return [...open, ...notes].filter((sentence) => sentence !== false);
}

function nameOf(item: OpenItem): string {
  if (item.kind === "problem page") return `${item.scan}, page ${item.page}`;
  if (item.kind === "question to the lead") {
    return `${item.learner}, question ${item.questionNumber}, ${item.marker}`;
  }
  if (!("questions" in item)) return item.learner;
  return learnerQuestions(item.learner, item.questions);
}

/** Max names in a sentence. */
const maxNamed = 8;

/** Returns a sentence that ends with the names of what `text` counts; false if there are none. */
function listed(text: string, names: string[]): string | false {
  if (names.length === 0) return false;
  return `${text}: ${firstOf(names, maxNamed).join("; ")}.`;
}
