/** The marking desk: where markers and the educator decide the marks of a class under private links. */

import type { ScriptsReady } from "./class-jobs.ts";
import type { DecisionRejection, LinkRejection, TypedDecision } from "./decision.ts";
import type { Asked } from "./lead-question.ts";
import type { MemoPoint, SeenPoints, ShownPoints } from "./memo-point.ts";
import type { ShownPage } from "./page-image.ts";
import type { Choice, NoGrade, QuestionMark, Signature } from "./result.ts";
import type { Stamp } from "./stamp.ts";

/** A question of the paper, as the table of questions defines it. */
export interface PaperQuestion {
  questionNumber: string;
  totalMarks: number;
  /** What the question asks. */
  description: string;
  /** What the answer should have; may be empty. */
  memo: string;
  /** The points of the memo, in its order; missing if the memo has none. */
  memoPoints?: MemoPoint[];
  /** Present if the question is part of a choice. */
  choice?: Choice;
}

/** A marking link before it is stored. */
export interface NewMarkingLink {
  token: string;
  /** Name of the marker, under which decisions are recorded. */
  marker: string;
  /** Numbers of the questions that the link opens; null for all. */
  questions: string[] | null;
  /** Ids of the learners whose work the link opens; null for all. */
  learners: number[] | null;
  showsNames: boolean;
  /** For a second marker: by how much the marks of both markers may differ; null for other markers. */
  tolerance: number | null;
  expiresAt: Date;
  /** Ids of learners whose proposals are to be hidden from all markers. Ignored if the class hides some already. */
  blindLearners?: number[];
}

/** What becomes of a new marking link. Unless it is "stored", nothing was changed. */
export type AddedLink =
  /** `hidden` is the number of learners whose proposals are hidden; missing if the link was to hide none. */
  | { outcome: "stored"; hidden?: number }
  | { outcome: "open already"; expiresAt: string }
  /** The link with this token was closed, or has expired. */
  | { outcome: "ended" }
  /** `by` is the second marker who has an open link to some of the same answers. */
  | { outcome: "second marker"; by: string };

/** "closed" by a person, "expired" by time. "unknown": no marking link and no open link to results has the token. */
export type MarkingLinkState = "open" | "closed" | "expired" | "unknown";

/** A link that opens the desk: a marking link, or the educator’s link to the results. Times are ISO 8601, UTC. */
export interface DeskLink extends Omit<MarkingLink, "state"> {
  /** The educator sees names and all proposals, and only decides. */
  isEducators: boolean;
}

export const opensLearner = ({ learners }: Pick<DeskLink, "learners">, id: number): boolean =>
  learners === null || learners.includes(id);

export const opensQuestion = (
  { questions }: Pick<DeskLink, "questions">,
  number: string,
): boolean => questions === null || questions.includes(number);

/** Whether a link opens all learners and all questions. */
export const opensWholeClass = ({
  learners,
  questions,
}: Pick<DeskLink, "learners" | "questions">): boolean => learners === null && questions === null;

/** Whether a link may change the questions and learners of a class, and problem pages if it shows names. */
export const preparesClass = ({ link, signed }: Pick<Desk, "link" | "signed">): boolean =>
  opensWholeClass(link) && !link.isEducators && !signed;

/** Whether a link opens problem pages, which may be any learner's and may show a name. */
export const opensProblems = (link: DeskLink): boolean => opensWholeClass(link) && link.showsNames;

/** A stored marking link. Times are ISO 8601, UTC. */
export interface MarkingLink extends Omit<NewMarkingLink, "token" | "expiresAt" | "blindLearners"> {
  id: number;
  reference: string;
  state: Exclude<MarkingLinkState, "unknown">;
  createdAt: string;
  expiresAt: string;
  /** When the link was first opened; null if it has not been. */
  openedAt: string | null;
  /** When the request was received, from which its retention counts. */
  receivedAt: string;
}

/** A marking link with what was done under it. */
export interface ListedMarkingLink extends MarkingLink {
  email: string | null;
  /** Number of decisions, those that were changed later included. */
  decisions: number;
  /** Time of the last decision; null if there is none. */
  lastDecisionAt: string | null;
}

/** Names an answer by its learner and its question. */
export interface AnswerKey {
  /** The learner's id, which is the id of the submission. */
  learnerId: number;
  questionNumber: string;
}

/** Pages of a file that are part of a learner's work. */
export interface WorkFile {
  fileId: number;
  /** From 1. */
  firstPage: number;
  /** Null for the last page of the file. */
  lastPage: number | null;
}

/** A file of a learner's work, or of the paper, as a link shows it. */
export interface ShownFile extends WorkFile {
  /** Null if the link shows no names. */
  name: string | null;
  /** Null before the file is rendered. `pages` has only those from the first to the last page of the work. */
  rendered:
    | { kind: "pages"; pages: ShownPage[] }
    | { kind: "paragraphs"; paragraphs: string[] }
    /** The reason is the rest of a sentence that begins with the file. */
    | { kind: "original"; reason: string }
    | null;
  /** The stamps on what is shown, in the order in which they were placed. */
  stamps: Stamp[];
}

/** A learner as a link shows them. */
export interface DeskLearner {
  id: number;
  number: string;
  /** Null if the link shows no names. */
  name: string | null;
  /** Null if the link shows no names: the file may be named after the learner. */
  fileName: string | null;
  /** Present if the learner gets no grade. */
  noGrade?: NoGrade;
  /** The marker who reported that the learner was absent; present until the report is decided on. */
  absenceReportedBy?: string;
  /** Empty if there is no work. */
  files: WorkFile[];
  /** The marks on the link's questions, in the order of the paper. */
  marks: QuestionMark[];
}

/** What a person typed for an answer and has not saved. */
export interface MarkDraft extends AnswerKey, TypedDecision {
  /** The comment of a stamp. */
  stampText: string;
  /** A question to the lead. */
  askText: string;
}

/** A request as a private link opens it. */
export interface Desk {
  link: DeskLink;
  /** Title of the class. */
  title: string;
  /** The questions that the link opens. */
  questions: PaperQuestion[];
  /** Changes with the questions and the title, so that a form made from older ones is recognised. */
  paperVersion: string;
  learners: DeskLearner[];
  /** Answers that other people have opened within the last five minutes, with their names. */
  openElsewhere: (AnswerKey & { marker: string })[];
  /** The drafts of this link. */
  drafts: MarkDraft[];
  /** The questions to the lead that were asked under the link, oldest first. */
  asked: (AnswerKey & Asked)[];
  /** Present while the marks are signed: nothing can be changed. */
  signed?: Signature;
}

/** What the heading of every page of the desk says. */
export interface DeskHead extends Pick<Desk, "link" | "title" | "signed"> {
  /** Counts of the link's answers, without those of learners who get no grade. */
  progress: { decided: number; total: number };
  /** Number of questions that the link opens. */
  questionCount: number;
  /** How many problem pages there are, and how many still wait for a learner; null if the link does not open them. */
  problems: { all: number; open: number } | null;
  /** How many scripts of the class can be shown; null unless other scripts are being rendered. */
  scriptsReady: ScriptsReady | null;
}

/** One answer as a link shows it. It contains no mark of another learner, except the mark of `saved`. */
export interface DeskAnswer {
  head: DeskHead;
  learner: Pick<DeskLearner, "id" | "number" | "name" | "noGrade" | "absenceReportedBy">;
  question: PaperQuestion;
  mark: QuestionMark;
  work: ShownFile[];
  /** The draft of this link. */
  draft?: MarkDraft;
  /** The question to the lead that was asked about the answer under the link; null if there is none. */
  asked: Asked | null;
  /** Names of others who have opened the answer within the last five minutes. */
  elsewhere: string[];
  /** Whether the link has opened the answer within the last minute. */
  isOpened: boolean;
  /** Comments given before on the question, at most ten: the one that most learners got comes first. */
  usedComments: string[];
  /** All of the learner’s marks, for the educator’s link; otherwise empty. */
  learnerMarks: QuestionMark[];
  /** The answers before and after this one in the order of marking, decided or not; null at an end. */
  before: AnswerKey | null;
  after: AnswerKey | null;
  /** The answer that was decided on the page before; null if that page decided none. */
  saved: SavedAnswer | null;
}

/** An answer that was decided on the page before. */
export interface SavedAnswer {
  learner: DeskAnswer["learner"];
  mark: QuestionMark;
}

/** A class as the team sees it. */
export interface PreparedClass {
  /** Empty before the questions of the class are set. */
  questions: PaperQuestion[];
  learners: { id: number; number: string; name: string; fileName: string }[];
}

/** What became of a stamp or of a turned page; one that is posted again is stored once. */
export type StampOutcome =
  | { outcome: "stored" }
  /** The learner's work has no such page or paragraph. */
  | { outcome: "no place" }
  | { outcome: "too many stamps"; max: number }
  | LinkRejection;

/** The order in which answers are marked: one question of all learners, or all of one learner. */
export type MarkingOrder = "question" | "learner";

/** Where the search for the next answer begins. */
export interface NextFrom {
  order: MarkingOrder;
  after?: AnswerKey | undefined;
  /** Present if an answer is fetched ahead: the answer that the page shows, and the last one that it has fetched. */
  ahead?: { shown: AnswerKey; last: AnswerKey } | undefined;
}

export type NextAnswer =
  | ({ outcome: "answer" } & AnswerKey)
  /** Others opened or fetched ahead the `openElsewhere` answers that are left, within the last five minutes. */
  | { outcome: "none"; openElsewhere: number }
  | LinkRejection;

/** What becomes of a decision on the desk; in the same transaction the link takes the next answer. */
export type AnswerOutcome =
  | { outcome: "stored"; mark: QuestionMark; next: NextAnswer }
  | DecisionRejection;

/** What becomes of agreeing with all proposals of a learner that are left. */
export type RestOutcome = { outcome: "stored"; next: NextAnswer } | DecisionRejection;

/** New questions of a paper, before they are stored. */
export interface NewPaper {
  /** Title of the class. */
  title: string;
  questions: PaperQuestion[];
  /** The version of the paper that the form was made from. */
  seenVersion: string;
  /** The version of the effects that the person agreed to; missing before a person was asked. */
  confirmedVersion?: string;
  /** What the person says of the points of the memos; missing before they were shown. */
  points?: SeenPoints;
}

export type PaperOutcome =
  | { outcome: "stored" }
  /** The paper has been changed since the form was made. */
  | { outcome: "conflict" }
  /** A sentence for each effect on decided marks; nothing was changed. */
  | { outcome: "affects"; effects: string[]; version: string; points?: ShownPoints }
  | LinkRejection;

/** A learner who is added, or gets pages of another learner. */
export interface NewLearner {
  number: string;
  name: string;
}

/** A change of who the learners are, and whose work is whose. */
export type LearnerChange =
  /** `noGrade` is null if the learner gets a grade again. */
  | { change: "no grade"; learnerId: number; noGrade: NoGrade | null }
  /** Reports a learner without work as absent; if the link may decide that, the learner gets no grade. */
  | { change: "absent"; learnerId: number }
  | { change: "add"; learner: NewLearner }
  /** Gives the learner all work of the other learner, and removes the other. */
  | { change: "join"; learnerId: number; otherId: number }
  /** Gives the pages of a file from `page` on to another learner, existing or new. */
  | {
      change: "divide";
      learnerId: number;
      /** The first of these pages, counted from 1 over all files of the learner's work. */
      page: number;
      to: { learnerId: number } | NewLearner;
    };

export type LearnerOutcome =
  /** The learner that was changed, or is new. */
  | { outcome: "stored"; learnerId: number }
  /** An answer of one of the learners is decided, so their work stays with them. */
  | { outcome: "decided" }
  /** A mark of the learner is decided. */
  | { outcome: "has marks" }
  /** The learner has work. */
  | { outcome: "has work" }
  /** There is no such page, or it is the first of its file, so that the learner would keep no page of the file. */
  | { outcome: "no page" }
  | { outcome: "number taken" }
  | LinkRejection;
