/** The marked work of a class, as pages show it and API endpoints send it. */

/** The marks for one question. */
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
  /** On the submission as a whole; may be empty. */
  feedback: string;
  questionMarks: QuestionMark[];
}

export interface ResultSummary {
  /** Mean of the grades, not rounded. */
  averageGrade: number;
  totalSubmissions: number;
}

export interface Results extends ResultSummary {
  title: string;
  /** In the order of the results file. */
  submissions: MarkedSubmission[];
  /** The files that the sample's marks belong to; only for the sample. */
  sampleFiles?: { name: string; href: string }[];
}

/** Opens the sample in place of a private link's token. */
export const sampleToken = "sample";
