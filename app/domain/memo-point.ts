/** The points of memos, and what becomes of them when a memo is changed. */

/** A point of a question's memo. Ticks name the id, which stays when the text changes. */
export interface MemoPoint {
  /** 0 before it is stored. */
  id: number;
  text: string;
  /** In marks, to a quarter. The points of a question may sum to more than its total; ticks earn at most that total. */
  worth: number;
}

/** A point as it is stored. A point that has left the memo stays for the decisions that name it. */
export interface StoredPoint extends MemoPoint {
  isWithdrawn?: true;
}

/** Points, also withdrawn ones, by the number of their question. */
export type PointsByQuestion = Record<string, StoredPoint[]>;

/** The points of a question, whose number may be any text, such as “constructor”. */
export const pointsOf = (points: PointsByQuestion, questionNumber: string): StoredPoint[] =>
  Object.hasOwn(points, questionNumber) ? points[questionNumber]! : [];

/** A point of a changed memo. */
export interface PlannedPoint extends MemoPoint {
  /** The point as it is stored; missing if it is new. */
  before?: MemoPoint;
  /** Whether a person has to say if the point is new, or a stored one in new words. */
  isUnclear?: true;
}

/** What becomes of the points of a question. */
export interface QuestionPlan {
  questionNumber: string;
  /** What the question is out of from now on; missing if the question goes. */
  totalMarks?: number;
  /** The points in the order of the new memo; a new point has the id 0. */
  points: PlannedPoint[];
  /** Points that leave the memo, with whether decisions name them. */
  gone: (MemoPoint & { isNamed: boolean })[];
  /** The stored points of which an unclear point may be a rewording. */
  candidates: MemoPoint[];
}

/** Maps the `choiceKey` of an unclear point to the id of the stored point that it rewords; to 0 if the point is new. */
export type PointChoices = Readonly<Record<string, number>>;

/** The key of a point in PointChoices: the positions, from 0, of its question and of the point in the new memo. */
export const choiceKey = (question: number, point: number) => `${question}-${point}`;

/** A person's answer to `ShownPoints`. */
export interface SeenPoints {
  /** The version of what was shown. */
  version: string;
  choices: PointChoices;
  /** Whether decided marks that are sums of ticks are computed again from the changed points. */
  changesDecided: boolean;
}

/** The changes of points that a person sees before they are stored. */
export interface ShownPoints {
  version: string;
  /** Whether the person has said which stored point, if any, each unclear point is. */
  isClear: boolean;
  /** The plans of questions whose points change, with their places on the paper, from 0. */
  plans: (QuestionPlan & { place: number; totalMarks: number })[];
  /** How many decided marks may change with the points. */
  changeable: number;
}
