/** The results of a class, in the format that pages and API endpoints use. */

/** The marks for one question. */
export interface QuestionMark {
  questionNumber: string;
  description: string;
  totalMarks: number;
  /** What counts. */
  marksAwarded: number;
  /** May be empty. */
  feedback: string;
  /** Present if the model was unsure of the mark that it proposed. */
  unsure?: true;
  /** What the model had proposed; present once a person has decided the mark. */
  proposedMarks?: number;
  /** The person's, if one was given. */
  comment?: string;
}

/** One learner's marked work. */
export interface MarkedSubmission {
  studentName: string;
  fileName: string;
  /** A whole percentage. */
  grade: number;
  /** About the submission as a whole; may be empty. */
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

/** The token of the sample, accepted instead of a private link's token. */
export const sampleToken = "sample";
