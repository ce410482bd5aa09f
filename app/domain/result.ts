/** The marked work of a class, as pages and calls hand it on. */

/** How one question was marked. */
export interface QuestionMark {
  questionNumber: string;
  description: string;
  totalMarks: number;
  marksAwarded: number;
  /** May be empty. */
  feedback: string;
}

/** One learner's marked work. */
export interface MarkedSubmission {
  studentName: string;
  fileName: string;
  /** A whole percentage. */
  grade: number;
  /** Of all of it; may be empty. */
  feedback: string;
  questionMarks: QuestionMark[];
}

export interface ResultSummary {
  /** Of the grades, not rounded. */
  averageGrade: number;
  totalSubmissions: number;
}

export interface Results extends ResultSummary {
  title: string;
  /** In the order of the marking. */
  submissions: MarkedSubmission[];
  /** What a sample was made from; only a sample has it. */
  sampleFiles?: { name: string; href: string }[];
}

/** The address's token that asks for the sample. */
export const sampleToken = "sample";
