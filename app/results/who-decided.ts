/** Who decided the marks of a class, and the sentences that say so. */
import { counted } from "../domain/counted.ts";
import { type Decision, erasedMarker, teamName, unnamedMarker } from "../domain/decision.ts";
import type { DeskLink } from "../domain/desk.ts";
import type { MarkedSubmission, OpenedLink, QuestionMark } from "../domain/result.ts";
import { leadOf } from "../domain/team.ts";
import { proposalOf } from "./apply-decision.ts";
import { gradedMarks, isDecided } from "./class-report.ts";
import { hasOpenProposal } from "./decision-progress.ts";
import { sum } from "./grade.ts";

type Person = Pick<Decision, "by" | "role">;

/** A person who decided marks that count, with their number. */
export interface Decider extends Person {
  count: number;
}

/** Counts of the answers of learners who get a grade, and the people who decided them. */
export interface WhoDecided {
  total: number;
  decided: number;
  /** Number of answers in pencil, with a proposal that no person has decided. */
  proposed: number;
  /** Number of answers with neither a proposal nor a decision. */
  unmarked: number;
  /** The person with the most decided marks first. */
  deciders: Decider[];
}

/** Release 1.0.0 stored no decision for marks of the team, so a decided mark without one is the team's. */
const deciderOf = ({ decision }: QuestionMark): Person =>
  decision ?? { by: teamName, role: "team" };

export function whoDecided(
  submissions: readonly Pick<MarkedSubmission, "noGrade" | "questionMarks">[],
): WhoDecided {
  const marks = gradedMarks(submissions);
  const decided = marks.filter(isDecided);
  const deciders = Map.groupBy(decided.map(deciderOf), ({ by, role }) => `${role} ${by}`);
  const proposed = marks.filter(hasOpenProposal).length;
  return {
    total: marks.length,
    decided: decided.length,
    proposed,
    unmarked: marks.length - decided.length - proposed,
    deciders: [...deciders.values()]
      .map((own) => ({ by: own[0]!.by, role: own[0]!.role, count: own.length }))
      .sort((one, other) => other.count - one.count),
  };
}

export type Reader =
  /** Commands and emails of the team add the role: “N. Dlamini (educator)”. */
  | { kind: "team" }
  /** "educator" is called “you”. "copy" sees no names of markers. "file", also for a marker's desk, sees all names. */
  | { kind: "educator" | "copy" | "file"; educator: string };

/** The reader of a page of results. The sample has no link. */
export const readerOf = (link: Pick<OpenedLink, "kind" | "sender"> | undefined): Reader =>
  link
    ? { kind: link.kind === "read" ? "copy" : "educator", educator: link.sender }
    : { kind: "file", educator: "" };

/** The reader of a desk. Markers read names as they are stored. */
export const readerAtDesk = ({ isEducators, marker }: DeskLink): Reader =>
  isEducators ? { kind: "educator", educator: marker } : { kind: "file", educator: "" };

/** The reader of a file: it names the educator, not “you”, because it may be passed on. */
export const inFile = (reader: Reader): Reader =>
  reader.kind === "educator" ? { ...reader, kind: "file" } : reader;

/** What a reader calls the person who decided a mark; undefined before it is decided. */
export const nameOfDecider = (mark: QuestionMark, reader: Reader): string | undefined =>
  isDecided(mark) ? nameOf(deciderOf(mark), reader) : undefined;

/** What a reader calls a person. The role says whether that is the reader, because two people may have one name. */
export function nameOf({ by, role }: Person, reader: Reader): string {
  if (role === "team") return teamName;
  const isMarker = role === "marker";
  if (isMarker && reader.kind === "copy") return unnamedMarker;
  if (isMarker && by === unnamedMarker) return erasedMarker;
  if (reader.kind === "team") return isMarker && leadOf(by) ? by : `${by} (${role})`;
  if (!isMarker) return reader.kind === "educator" ? "you" : by;
  const isAmbiguous = [reader.educator, teamName, "you"].some(
    (name) => name.toLowerCase() === by.trim().toLowerCase(),
  );
  return isAmbiguous ? `a marker recorded as ${by}` : by;
}

/** The names with the number of marks that each decided, most first. */
function peopleOf({ deciders }: WhoDecided, reader: Reader): [name: string, count: number][] {
  const named = Map.groupBy(deciders, (decider) => nameOf(decider, reader));
  return [...named]
    .map(([name, own]): [string, number] => [name, sum(own.map(({ count }) => count))])
    .sort(([, one], [, other]) => other - one);
}

/** For example "171 by N. Dlamini, 9 by you". */
export const peopleText = (who: WhoDecided, reader: Reader): string =>
  peopleOf(who, reader)
    .map(([name, count]) => `${count} by ${name}`)
    .join(", ");

/** The state of a class in a sentence: all in pencil, mixed, or all decided. */
export function sentenceOfClass(who: WhoDecided, reader: Reader): string {
  const { total, decided, proposed, unmarked } = who;
  if (total === 0) return "No learner of this class gets a grade.";
  if (unmarked === total) return "No answer has a mark yet.";
  const people = peopleOf(who, reader);
  const by = people.length === 1 ? ` by ${people[0]![0]}` : `, ${peopleText(who, reader)}`;
  if (decided === total) {
    return total === 1 ? `The one mark was decided${by}.` : `All ${total} marks were decided${by}.`;
  }
  if (proposed === total) {
    return total === 1
      ? "The one mark is a proposal, in pencil: no person has decided it."
      : `All ${total} marks are proposals, in pencil: no person has decided any.`;
  }
  const parts = [
    proposed > 0 &&
      `${counted(proposed, "mark")} ${proposed === 1 ? "is a proposal" : "are proposals"}`,
    decided > 0 &&
      `${proposed > 0 ? decided : counted(decided, "mark")} ${decided === 1 ? "was" : "were"} decided${by}`,
    unmarked > 0 && `${counted(unmarked, "answer")} ${unmarked === 1 ? "has" : "have"} no mark yet`,
    decided === 0 && "none is decided",
  ];
  // A list of people has commas itself, so semicolons separate the parts.
  return `${parts.filter(Boolean).join(decided > 0 && people.length > 1 ? "; " : ", ")}.`;
}

/** What a person who decides can still do. */
export function nextForEducator({ total, decided }: WhoDecided): string {
  if (total === 0) return "You can sign.";
  if (decided === total) return "You can change any of them, then sign.";
  return `${decided === 0 ? "You decide what counts." : "You can change any of them."} Sign when all are decided.`;
}

/** How far one learner's marks are, without saying who decided; empty once all are decided, and without a grade. */
export function sentenceOfLearner(submission: Pick<MarkedSubmission, "noGrade" | "questionMarks">) {
  const { total, decided, proposed, unmarked } = whoDecided([submission]);
  if (decided === total) return "";
  if (proposed === total) return "These marks are proposals: no person has decided them.";
  if (unmarked === total) return "No answer has a mark yet.";
  const parts = [
    decided > 0 && `${decided} of ${total} marks ${decided === 1 ? "is" : "are"} decided, in red`,
    proposed > 0 && `${proposed} ${proposed === 1 ? "is a proposal" : "are proposals"}, in pencil`,
    unmarked > 0 && `${counted(unmarked, "answer")} ${unmarked === 1 ? "has" : "have"} no mark yet`,
  ];
  return `${parts.filter(Boolean).join("; ")}.`;
}

/** Whether there were proposals, and markers or the team have decided every one, with or without seeing it. */
export const areChecked = (submissions: readonly MarkedSubmission[]): boolean => {
  const marks = gradedMarks(submissions).filter((mark) => proposalOf(mark) !== null);
  return (
    marks.length > 0 &&
    marks.every((mark) => isDecided(mark) && deciderOf(mark).role !== "educator")
  );
};
