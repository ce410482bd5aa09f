/**
 * The tables of the database. Names follow the specification (snake_case in SQL); columns that it does not name come
 * last. Times are ISO 8601 in UTC, readable in any database browser. After a change: `npm run migration`.
 *
 * The comment before each table and column is its description in docs/database.md, which scripts/database-doc.ts
 * generates.
 */
import { type SQL, sql } from "drizzle-orm";
import {
  type AnySQLiteColumn,
  blob,
  check,
  customType,
  index,
  integer,
  real,
  sqliteTable,
  sqliteView,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";
import { auditActions } from "../app/domain/data-subject.ts";
import { decisionKinds, type GivenPoint } from "../app/domain/decision.ts";
import { emailKinds } from "../app/domain/email.ts";
import { renderingKinds } from "../app/domain/page-image.ts";
import { contactForms, type RequestForm } from "../app/domain/request.ts";
import {
  noGradeReasons,
  type QuestionMark,
  type ResultSummary,
  type Results,
} from "../app/domain/result.ts";
import type { SplitOutcome } from "../app/domain/scan-upload.ts";
import { stampKinds } from "../app/domain/stamp.ts";

/** A column of times: its values are ISO 8601 in UTC, even where the engine stores another type. */
const time = customType<{ data: string }>({ dataType: () => "text" });

/** The row's number. Numbers increase, and are never reused. */
const id = () => integer("id").primaryKey({ autoIncrement: true });
/** When the row was added. */
const createdAt = () => time("created_at").notNull();
/** The question's number on the paper, for example 1.1. */
const questionNumber = () => text("question_number").notNull();
/** SHA-256 of the token, so that reading the database gives no access. */
const tokenHash = () => text("token_hash").notNull().unique();

/** A column that names the row's owner. Deleting the owner deletes the row. */
const partOf = (column: string, row: () => AnySQLiteColumn) =>
  integer(column).notNull().references(row, { onDelete: "cascade" });

/** As `partOf`, but null if the row has no owner, or an owner of another kind. */
const mayBePartOf = (column: string, row: () => AnySQLiteColumn) =>
  integer(column).references(row, { onDelete: "cascade" });

/** A column that names the link under which the row was made. Null without a link, or once it is deleted. */
const causedBy = (column: string, row: () => AnySQLiteColumn) =>
  integer(column).references(row, { onDelete: "set null" });

/** A unique index: a link has at most one row for each answer. */
const oneForAnswer = (
  name: string,
  link: AnySQLiteColumn,
  answer: Record<"submissionId" | "questionNumber", AnySQLiteColumn>,
) => uniqueIndex(name).on(link, answer.submissionId, answer.questionNumber);

/** Columns of every table of requests, and of subscriptions. */
const requestColumns = () => ({
  /** The reference given to the visitor, for example ABCD-EFGH-JKMN. */
  reference: text("reference").notNull().unique(),
  /**
   * SHA-256 of the post, unique in the table. An equal post soon afterwards is a duplicate and is not stored. If an
   * equal post is stored later, the fingerprint moves to that row and is null in this row. Null for subscriptions.
   */
  fingerprint: text("fingerprint"),
  /** Why the request is in quarantine; null if it is not in quarantine. */
  spam: text("spam"),
  /** Whether the request is a test, sent from /test-forms or with `?test`. */
  isTest: integer("is_test", { mode: "boolean" }).notNull().default(false),
});

/** Empty: there is no sign-in yet. Required by the specification. */
export const users = sqliteTable("users", {
  id: id(),
  /** The name to sign in with. */
  username: text("username").notNull().unique(),
  /** A hash of the password, never the password itself. */
  password: text("password").notNull(),
});

/** Requests from the contact form, the demo form and the demo upload, one row each. */
export const contactRequests = sqliteTable(
  "contact_requests",
  {
    id: id(),
    /** The visitor's name, as `cleanText` returns it. */
    name: text("name").notNull(),
    /** The visitor's email address, as `cleanText` returns it. */
    email: text("email").notNull(),
    /** The school or organisation, as `cleanText` returns it; null if it was not given. */
    institution: text("institution"),
    /** The phone number, as `cleanText` returns it; null if it was not given. */
    phone: text("phone"),
    /** The message, as `cleanText` returns it: its line breaks are LF. */
    message: text("message").notNull(),
    /** The type that the form sent: "contact", "demo" or "general". */
    requestType: text("request_type").notNull().default("contact"),
    createdAt: createdAt(),
    /** The form that was posted. The request type does not identify the form: three forms use "demo". */
    form: text("form", { enum: contactForms }).notNull().default("contact"),
    ...requestColumns(),
    /** When the sender confirmed that the files may be shared; null if not asked, or if a program did not confirm. */
    confirmedAt: time("confirmed_at"),
    /** Version (date) of the notice that the visitor agreed to; null without a confirmation. */
    noticeVersion: text("notice_version"),
  },
  (table) => [uniqueIndex("contact_requests_fingerprint").on(table.fingerprint)],
);

/** The files of a demo upload: questions, rubric and submissions. One row for each upload. */
export const assessmentSubmissions = sqliteTable(
  "assessment_submissions",
  {
    id: id(),
    /** The request that the files belong to. */
    contactId: partOf("contact_id", () => contactRequests.id),
    /** Name of the file with the questions, as in uploaded_files. */
    questionsFileName: text("questions_file_name").notNull(),
    /** Name of the file with the rubric, as in uploaded_files. */
    rubricFileName: text("rubric_file_name").notNull(),
    /** Number of the submissions' files. */
    submissionFileCount: integer("submission_file_count").notNull(),
    /** Names of the submissions' files, as a JSON list in the order they were sent. */
    submissionFileNames: text("submission_file_names", { mode: "json" }).$type<string[]>(),
    /** The file with the questions. */
    questionsFileData: integer("questions_file_data").references(() => uploadedFiles.id),
    /** The file with the rubric. */
    rubricFileData: integer("rubric_file_data").references(() => uploadedFiles.id),
    /** The files of the submissions, as a JSON list of ids in uploaded_files. */
    submissionFilesData: text("submission_files_data", { mode: "json" }).$type<number[]>(),
    /** Always "submitted" for now. */
    status: text("status").notNull().default("submitted"),
    createdAt: createdAt(),
  },
  (table) => [index("assessment_submissions_contact").on(table.contactId)],
);

/** The marking of a class. Each demo upload adds one. */
export const assessments = sqliteTable(
  "assessments",
  {
    id: id(),
    /** The owner; null, because there are no users yet. */
    userId: integer("user_id").references(() => users.id),
    /** For a demo upload, the title contains the request's reference. */
    title: text("title").notNull(),
    /** Name of the file with the questions. */
    questionsFile: text("questions_file"),
    /** Name of the file with the rubric. */
    rubricFile: text("rubric_file"),
    /** The questions as text; not used yet. */
    questionsContent: text("questions_content"),
    /** The rubric as text; not used yet. */
    rubricContent: text("rubric_content"),
    /** Further data as JSON; not used yet. */
    assessmentData: text("assessment_data", { mode: "json" }),
    /**
     * Progress of the marking: "submitted", then "graded" from the first import or decision, and "published" while the
     * results are published. "pending" is not used.
     */
    status: text("status", { enum: ["pending", "submitted", "graded", "published"] })
      .notNull()
      .default("pending"),
    /**
     * Summary of the results, as JSON: title, averageGrade (not rounded; null without a grade), totalSubmissions. Null
     * before there are questions.
     */
    results: text("results", { mode: "json" }).$type<ResultSummary & { title: string }>(),
    createdAt: createdAt(),
    /** The demo upload to be marked. */
    assessmentSubmissionId: mayBePartOf("assessment_submission_id", () => assessmentSubmissions.id),
  },
  (table) => [index("assessments_submission").on(table.assessmentSubmissionId)],
);

/**
 * The questions of each paper, defined here only. The marks of a submission repeat the fields that pages show. An
 * assessment whose marks were imported before this table existed has no questions here until its desk opens.
 */
export const questions = sqliteTable(
  "questions",
  {
    id: id(),
    assessmentId: partOf("assessment_id", () => assessments.id),
    /** The question's number on the paper, for example 1.1. */
    number: text("number").notNull(),
    /** The marks that the question is out of, a multiple of a quarter. */
    total: real("total").notNull(),
    /** What the question asks. */
    text: text("text").notNull(),
    /** What the answer should have; may be empty. */
    memo: text("memo").notNull(),
    /** The question's place on the paper, from 1. */
    position: integer("position").notNull(),
    /** The choice that the question is part of, numbered from 1; null if the question always counts. */
    choiceGroup: integer("choice_group"),
    /** How many questions of the choice count: those with the most marks. Null without a choice. */
    choiceCount: integer("choice_count"),
  },
  (table) => [uniqueIndex("questions_number").on(table.assessmentId, table.number)],
);

/**
 * The points of a paper's memos, each with the marks that it earns. Decisions name points by id: a point keeps its row
 * when its text or worth changes, and is deleted only if no decision names it.
 */
export const memoPoints = sqliteTable(
  "memo_points",
  {
    id: id(),
    assessmentId: partOf("assessment_id", () => assessments.id),
    /** The number of the question whose memo has the point. */
    questionNumber: text("question_number").notNull(),
    /** The point's place in the memo, from 1. */
    position: integer("position").notNull(),
    /** What the answer should have. */
    text: text("text").notNull(),
    /** The marks that the point earns, a multiple of a quarter. */
    worth: real("worth").notNull(),
    /** When the point left the memo; null while the memo has the point. */
    withdrawnAt: time("withdrawn_at"),
  },
  (table) => [index("memo_points_question").on(table.assessmentId, table.questionNumber)],
);

/**
 * One learner's submission. Rows are made when the marking desk opens or with the first import; class lists, scans and
 * markers add more.
 */
export const submissions = sqliteTable(
  "submissions",
  {
    id: id(),
    assessmentId: mayBePartOf("assessment_id", () => assessments.id),
    /** The learner's name: from a class list, a results file or the desk, or else the file's name without extension. */
    studentName: text("student_name").notNull(),
    /**
     * Name of the submission's file, with the pages if only some of them belong to the submission. Several names are
     * joined by " + ". Without a file, "no file (NUMBER)".
     */
    fileName: text("file_name").notNull(),
    /** The submission as text; not used yet. */
    submissionContent: text("submission_content"),
    /** The marks as a whole percentage; null until every question has a mark, and if no_grade is not null. */
    grade: integer("grade"),
    /** Feedback for the learner on the submission as a whole. */
    feedback: text("feedback"),
    /**
     * Marks per question, as a JSON list: questionNumber, description, totalMarks, marksAwarded (the mark that counts
     * now; null if there is neither a proposal nor a decision) and feedback (the reason of the proposal). importId
     * names the import that proposed the mark. Marks that were imported before imports were recorded have no importId;
     * learners read their reasons, whatever was decided. takesReason: the decision took the reason. unsure: the model
     * was unsure. choice (group, best): the question is part of a choice. Once a person has decided the mark, there are
     * proposedMarks, notAnswered, comment, points and the last decision (id, how, by, role, at). blindMarks are the
     * marks of a decision without a view of the proposal. second is the mark of a second marker, which does not count.
     */
    questionMarks: text("question_marks", { mode: "json" }).$type<QuestionMark[]>(),
    /** When an import last changed the marks; null if none has. */
    processedAt: time("processed_at"),
    /** The learner's number, from a class list or the desk, else the smallest free one; null before the desk opens. */
    learnerNumber: text("learner_number"),
    /** Whether a class list gave the number. Gradebooks know no other numbers. */
    isNumberListed: integer("is_number_listed", { mode: "boolean" }).notNull().default(false),
    /** Why the learner gets no grade; null if the learner gets one. */
    noGrade: text("no_grade", { enum: noGradeReasons }),
    /** Whether markers see the proposals of this learner only once they have decided. */
    isBlind: integer("is_blind", { mode: "boolean" }).notNull().default(false),
    /**
     * A character for each question of the paper, derived from question_marks, by which open answers are found. "-":
     * the answer has neither mark nor proposal. "p": a proposal waits for a decision. "d": the mark is decided. "s": as
     * "-", and a second marker has marked the answer. "t": as "p", and a second marker has marked the answer. "b": as
     * "d", and a second marker has marked the answer. "x": as "b", and the marks differ by more than the tolerance,
     * unresolved.
     */
    answerStates: text("answer_states").notNull().default(""),
    /** The link of the marker who reported the learner as absent; null without such a report. */
    absenceReportedBy: causedBy("absence_reported_by", () => markingLinks.id),
  },
  (table) => [
    index("submissions_assessment").on(table.assessmentId),
    // Covers what showing one answer reads of the whole class, so that the long rows with the marks are not read.
    index("submissions_states").on(
      table.assessmentId,
      table.id,
      table.noGrade,
      table.grade,
      table.answerStates,
      table.learnerNumber,
      table.studentName,
    ),
    index("submissions_absence_reported_by")
      .on(table.absenceReportedBy)
      .where(sql`absence_reported_by IS NOT NULL`),
  ],
);

/** The files of each submission, in the order of the ids. A row may stand for some pages of a file only. */
export const submissionFiles = sqliteTable(
  "submission_files",
  {
    id: id(),
    submissionId: partOf("submission_id", () => submissions.id),
    fileId: partOf("file_id", () => uploadedFiles.id),
    /** From 1. Earlier pages of the file are not part of the submission. */
    firstPage: integer("first_page").notNull().default(1),
    /** The last page that is part of the submission; null for the last page of the file. */
    lastPage: integer("last_page"),
  },
  (table) => [
    index("submission_files_submission").on(table.submissionId),
    index("submission_files_file").on(table.fileId),
  ],
);

/** Imports of proposals, oldest first. Each mark names the import that proposed it. */
export const imports = sqliteTable(
  "imports",
  {
    id: id(),
    assessmentId: partOf("assessment_id", () => assessments.id),
    /** Who proposed the marks, in the words of the import, such as the name of a model; empty if unknown or erased. */
    proposedBy: text("proposed_by").notNull(),
    /** Number of proposals that were new or changed. */
    proposals: integer("proposals").notNull(),
    /** Number of learners with new or changed proposals. */
    learners: integer("learners").notNull(),
    /** How many decided marks were discarded. Their rows in decisions stay. */
    discardedDecisions: integer("discarded_decisions").notNull(),
    createdAt: createdAt(),
  },
  (table) => [index("imports_assessment").on(table.assessmentId)],
);

/** Earlier results, stored when an import replaced them or a change of the questions discarded decided marks. */
export const replacedResults = sqliteTable(
  "replaced_results",
  {
    id: id(),
    assessmentId: partOf("assessment_id", () => assessments.id),
    /**
     * The replaced results, as JSON: title, averageGrade, totalSubmissions and the submissions with their marks. If an
     * import replaced them, the JSON has only the submissions that the import changed.
     */
    results: text("results", { mode: "json" }).$type<Results>().notNull(),
    /** When the results were replaced. */
    replacedAt: time("replaced_at").notNull(),
    /** How many decided marks were discarded. Their rows in decisions stay. */
    discardedDecisions: integer("discarded_decisions").notNull().default(0),
    /** The import that replaced the results; null if changed questions replaced them, or if it was not recorded. */
    importId: mayBePartOf("import_id", () => imports.id),
  },
  (table) => [
    index("replaced_results_assessment").on(table.assessmentId),
    index("replaced_results_import").on(table.importId).where(sql`import_id IS NOT NULL`),
  ],
);

/**
 * Decisions of people on marks. Rows are never changed, except for the name of an erased marker. A decision counts
 * while the question_marks of its submission name its id; an import or a change of the questions may discard it.
 */
export const decisions = sqliteTable(
  "decisions",
  {
    id: id(),
    submissionId: partOf("submission_id", () => submissions.id),
    questionNumber: questionNumber(),
    /** The mark before, which may be a proposal; null if none. For "second", the second marker's mark before. */
    fromMarks: real("from_marks"),
    /** The mark that counts from the decision on; a second marker's does not count. */
    toMarks: real("to_marks").notNull(),
    /** Whether the person decided "not answered", which counts 0. */
    isNotAnswered: integer("is_not_answered", { mode: "boolean" }).notNull(),
    /** The person's comment, on one line; null if none was given. */
    comment: text("comment"),
    /** The proposal's reason, if the person took it with the mark for the learner to read; null otherwise. */
    reason: text("reason"),
    /** Name of the person: a marker ("a marker" once erased), the sender of the work, the signer, or "the team". */
    decidedBy: text("decided_by").notNull(),
    /** The link to the results under which the person decided; null if a command or a marker decided. */
    resultLinkId: causedBy("result_link_id", () => resultLinks.id),
    /** The marking link under which the marker decided; null if another person decided. */
    markingLinkId: causedBy("marking_link_id", () => markingLinks.id),
    /**
     * How the person decided. "agreed": took the proposed mark. "changed": gave another mark. "entered": gave a mark
     * without a proposal. "rest": agreed, in one press, with the learner's open proposals. "blind": gave a mark
     * without a view of the proposal. "second": gave a mark as a second marker, which does not count.
     */
    how: text("how", { enum: decisionKinds }).notNull(),
    createdAt: createdAt(),
    /**
     * The points of the memo as the person saw them, as a JSON list: id (of memo_points), worth and isTicked. Null if
     * the decision says nothing about points, as when none was ticked and the mark is not 0.
     */
    points: text("points", { mode: "json" }).$type<GivenPoint[]>(),
  },
  (table) => [
    index("decisions_submission").on(table.submissionId),
    // For the number of decisions made under a link, and the time of the last.
    index("decisions_marking_link")
      .on(table.markingLinkId, table.createdAt)
      .where(sql`marking_link_id IS NOT NULL`),
    // For the comments used before on a question.
    index("decisions_comments")
      .on(table.submissionId, table.questionNumber)
      .where(sql`comment IS NOT NULL`),
  ],
);

/** Signatures: a person said that all marks of an assessment are decided and final. */
export const signatures = sqliteTable(
  "signatures",
  {
    id: id(),
    assessmentId: partOf("assessment_id", () => assessments.id),
    /** Name of the person, as `readName` returns it. */
    signedBy: text("signed_by").notNull(),
    /** The private link under which the person signed. */
    resultLinkId: causedBy("result_link_id", () => resultLinks.id),
    createdAt: createdAt(),
    /** When the team reopened the marks; null while the signature holds. */
    reopenedAt: time("reopened_at"),
  },
  (table) => [index("signatures_assessment").on(table.assessmentId)],
);

/** Private links to results. An assessment has at most one open link that decides, and any number that only read. */
export const resultLinks = sqliteTable(
  "result_links",
  {
    id: id(),
    assessmentId: partOf("assessment_id", () => assessments.id),
    tokenHash: tokenHash(),
    createdAt: createdAt(),
    /** When the link stops working. */
    expiresAt: time("expires_at").notNull(),
    /** When the link was revoked; null if it was not. */
    revokedAt: time("revoked_at"),
    /** "decide": a link with which the sender decides and signs. "read": a reading copy. */
    kind: text("kind", { enum: ["decide", "read"] })
      .notNull()
      .default("decide"),
    /** Name of the sender, under which the link's decisions are recorded; null in links of release 1.0.0. */
    senderName: text("sender_name"),
    /** When the link was first opened. */
    openedAt: time("opened_at"),
    /** When the sender was reminded that the link ends soon. */
    remindedAt: time("reminded_at"),
  },
  (table) => [index("result_links_assessment").on(table.assessmentId)],
);

/** Private links to the marking desk of a request, each for one marker. */
export const markingLinks = sqliteTable(
  "marking_links",
  {
    id: id(),
    assessmentId: partOf("assessment_id", () => assessments.id),
    /** Name of the marker, under which decisions are recorded; "a marker" once the name is erased. */
    markerName: text("marker_name").notNull(),
    /** The marker's email address; null if the link was not emailed, or the marker was erased. */
    email: text("email"),
    /** Numbers of the questions that the link opens, as a JSON list; null for all. */
    questions: text("questions", { mode: "json" }).$type<string[]>(),
    /** Ids of the submissions that the link opens, as a JSON list; null for all. */
    learners: text("learners", { mode: "json" }).$type<number[]>(),
    /** Whether the desk shows the learners' names. */
    showsNames: integer("shows_names", { mode: "boolean" }).notNull(),
    tokenHash: tokenHash(),
    createdAt: createdAt(),
    /** When the link stops working. */
    expiresAt: time("expires_at").notNull(),
    /** When the link was closed; null if it was not. */
    revokedAt: time("revoked_at"),
    /** When the link was first opened. */
    openedAt: time("opened_at"),
    /** Maximum difference, in marks, between the first and the second marker's mark; null for first markers' links. */
    tolerance: real("tolerance"),
  },
  (table) => [index("marking_links_assessment").on(table.assessmentId)],
);

/**
 * What a marker or an educator typed and has not saved as a decision. A draft does not count. Each text is one line of
 * at most 20,000 characters, without spaces at its ends, and may be empty.
 */
export const markDrafts = sqliteTable(
  "mark_drafts",
  {
    id: id(),
    /** The marker's link; null if the row is an educator's. */
    markingLinkId: mayBePartOf("marking_link_id", () => markingLinks.id),
    submissionId: partOf("submission_id", () => submissions.id),
    questionNumber: questionNumber(),
    /** The marks, valid or not. */
    marks: text("marks").notNull(),
    /** The comment as typed so far. */
    comment: text("comment").notNull(),
    /** When the draft was last changed. */
    updatedAt: time("updated_at").notNull(),
    /** Whether "not answered" was chosen. */
    isNotAnswered: integer("is_not_answered", { mode: "boolean" }).notNull().default(false),
    /** The comment of a stamp that was not placed. */
    stampText: text("stamp_text").notNull().default(""),
    /** A question to the lead that was not sent. */
    askText: text("ask_text").notNull().default(""),
    /** The educator's link to the results; null if the row is a marker's. */
    resultLinkId: mayBePartOf("result_link_id", () => resultLinks.id),
    /** Ids of the points that were ticked (see memo_points), with spaces between them. */
    ticks: text("ticks").notNull().default(""),
    /** Whether the reason of the proposal is kept from the learner. */
    withoutReason: integer("without_reason", { mode: "boolean" }).notNull().default(false),
  },
  (table) => [
    oneForAnswer("mark_drafts_answer", table.markingLinkId, table),
    oneForAnswer("mark_drafts_educator", table.resultLinkId, table),
    index("mark_drafts_submission").on(table.submissionId),
  ],
);

/** Answers that markers and educators have open, so that others get other answers. Rows count for five minutes. */
export const openAnswers = sqliteTable(
  "open_answers",
  {
    id: id(),
    /** The marker's link; null if the row is an educator's. */
    markingLinkId: mayBePartOf("marking_link_id", () => markingLinks.id),
    submissionId: partOf("submission_id", () => submissions.id),
    questionNumber: questionNumber(),
    /** When the answer was last opened. */
    openedAt: time("opened_at").notNull(),
    /** Whether a page has only fetched the answer ahead. Other people get such an answer once no other is left. */
    isAhead: integer("is_ahead", { mode: "boolean" }).notNull().default(false),
    /** The educator's link to the results; null if the row is a marker's. */
    resultLinkId: mayBePartOf("result_link_id", () => resultLinks.id),
  },
  (table) => [
    oneForAnswer("open_answers_answer", table.markingLinkId, table),
    oneForAnswer("open_answers_educator", table.resultLinkId, table),
    index("open_answers_submission").on(table.submissionId),
  ],
);

/** Questions of markers to the lead, with the replies. A link has at most one question about an answer. */
export const leadQuestions = sqliteTable(
  "lead_questions",
  {
    id: id(),
    markingLinkId: partOf("marking_link_id", () => markingLinks.id),
    submissionId: partOf("submission_id", () => submissions.id),
    questionNumber: questionNumber(),
    /** What the marker asks, as `readComment` returns it: one line. */
    text: text("text").notNull(),
    createdAt: createdAt(),
    /** The lead's reply, one line; null until there is one. The name of the person who replied is in team_actions. */
    reply: text("reply"),
    /** When the lead replied. */
    repliedAt: time("replied_at"),
  },
  (table) => [
    oneForAnswer("lead_questions_answer", table.markingLinkId, table),
    index("lead_questions_submission").on(table.submissionId),
  ],
);

/** Requests for the rubric service, one row each. */
export const rubricRequests = sqliteTable(
  "rubric_requests",
  {
    id: id(),
    /** The visitor's name, as `cleanText` returns it. */
    name: text("full_name").notNull(),
    /** The visitor's email address, as `cleanText` returns it. */
    email: text("email").notNull(),
    /** The phone number, as `cleanText` returns it. */
    phone: text("phone").notNull(),
    /** The school or organisation, as `cleanText` returns it; null if it was not given. */
    institution: text("institution"),
    /** What the rubric should do better, as `cleanText` returns it. */
    message: text("expected_improvements").notNull(),
    /** The file with the questions. */
    assessmentQuestions: integer("assessment_questions").references(
      (): AnySQLiteColumn => uploadedFiles.id,
    ),
    /** The file with the current rubric. */
    gradingRubric: integer("grading_rubric").references((): AnySQLiteColumn => uploadedFiles.id),
    /** The file with the memo, if one was sent. */
    markingMemo: integer("marking_memo").references((): AnySQLiteColumn => uploadedFiles.id),
    createdAt: createdAt(),
    ...requestColumns(),
  },
  (table) => [uniqueIndex("rubric_requests_fingerprint").on(table.fingerprint)],
);

/** Email addresses that get an email about each new article. An address is stored until it is removed. */
export const subscriptions = sqliteTable("subscriptions", {
  id: id(),
  /** The email address in lower case, so that each is stored once. */
  email: text("email").notNull().unique(),
  /** When consent was given. */
  createdAt: createdAt(),
  ...requestColumns(),
  /** When the address was confirmed by the link in an email. Articles are announced to confirmed addresses only. */
  confirmedAt: time("confirmed_at"),
});

/** Links in emails to subscribers, by which they confirm and end their subscription. */
export const subscriptionLinks = sqliteTable(
  "subscription_links",
  {
    id: id(),
    subscriptionId: partOf("subscription_id", () => subscriptions.id),
    tokenHash: tokenHash(),
    createdAt: createdAt(),
  },
  (table) => [index("subscription_links_subscription").on(table.subscriptionId)],
);

/** Articles that were announced to subscribers, so that none is announced twice. */
export const announcements = sqliteTable("announcements", {
  id: id(),
  /** The article's slug. */
  slug: text("slug").notNull().unique(),
  /** When the emails about the article were put into the outbox. */
  createdAt: createdAt(),
  /** Number of subscribers to whom the article was announced. */
  recipients: integer("recipients").notNull(),
});

/**
 * One row for each post of the subscription form, even for an address that is subscribed already: the response must not
 * differ. Rows contain no address, and are deleted after the retention period.
 */
export const subscriptionReceipts = sqliteTable("subscription_receipts", {
  id: id(),
  /** The reference given to the visitor. */
  reference: text("reference").notNull().unique(),
  createdAt: createdAt(),
});

/**
 * Upload drafts: the valid files of a form that came back with errors, and the files that JavaScript sends one by one.
 * The visitor need not send them again. A draft's token allows adding, removing and submitting files, but not
 * reading them. With JavaScript the browser makes up the token.
 */
export const uploadDrafts = sqliteTable("upload_drafts", {
  id: id(),
  tokenHash: tokenHash(),
  /** The form that the token is valid for. */
  form: text("form").notNull(),
  /** When the draft is deleted with its files. */
  expiresAt: time("expires_at").notNull(),
  /** Reference of the request that got the draft's files, so that the request is stored only once; null before that. */
  reference: text("reference"),
});

/**
 * Files that visitors uploaded. A file is *staged* until its request is stored: it has been received, but belongs to no
 * request. Staged files are deleted after two hours unless they are in an upload draft.
 */
export const uploadedFiles = sqliteTable(
  "uploaded_files",
  {
    id: id(),
    /** The form field, as in the API, such as questionsFile; scannedPages for a file cut from a scan. */
    field: text("field").notNull(),
    /** The file's name, as `storedName` returns it: without folders and invisible characters. */
    name: text("name").notNull(),
    /** The media type, determined from the content: application/pdf … */
    mediaType: text("media_type").notNull(),
    /** The size in bytes. */
    size: integer("size").notNull(),
    /** SHA-256 of the bytes in hexadecimal, as `sha256sum` prints it. */
    sha256: text("sha256").notNull(),
    createdAt: createdAt(),
    /** The request, for a file of a demo upload or of a scan of its class. */
    contactRequestId: mayBePartOf("contact_request_id", () => contactRequests.id),
    /** The request, for a file of the rubric form. */
    rubricRequestId: mayBePartOf("rubric_request_id", () => rubricRequests.id),
    /** The upload draft that the staged file is in, if any. */
    draftId: mayBePartOf("draft_id", () => uploadDrafts.id),
    /** The file's number in the upload, which the script of a form chose; null for all other files. */
    position: integer("position"),
  },
  (table) => [
    uniqueIndex("uploaded_files_draft_position").on(table.draftId, table.position),
    index("uploaded_files_staged")
      .on(table.size)
      .where(sql`${table.contactRequestId} IS NULL AND ${table.rubricRequestId} IS NULL`),
    index("uploaded_files_contact_request").on(table.contactRequestId),
    index("uploaded_files_rubric_request").on(table.rubricRequestId),
    check(
      "uploaded_files_one_owner",
      sql`${table.contactRequestId} IS NULL OR ${table.rubricRequestId} IS NULL`,
    ),
  ],
);

/** The bytes of uploaded files, in a table of their own: updating a column next to a blob writes the blob again. */
export const uploadedFileBytes = sqliteTable("uploaded_file_bytes", {
  fileId: integer("file_id")
    .primaryKey()
    .references(() => uploadedFiles.id, { onDelete: "cascade" }),
  /** The content, byte for byte as it was sent. */
  bytes: blob("bytes", { mode: "buffer" }).notNull(),
});

/** The outcome of rendering each file. Rows are deleted a week after the last link to the desk or the results ended. */
export const renderedFiles = sqliteTable("rendered_files", {
  id: id(),
  fileId: partOf("file_id", () => uploadedFiles.id).unique(),
  /** "pages": pictures in page_images. "paragraphs": text in this row. "original": the file alone. */
  kind: text("kind", { enum: renderingKinds }).notNull(),
  /** Why only the original can be opened; does not contain the file's name. Null for other kinds. */
  reason: text("reason"),
  /** The text as a JSON list of paragraphs; null for other kinds. */
  paragraphs: text("paragraphs", { mode: "json" }).$type<string[]>(),
  createdAt: createdAt(),
});

/** Pictures of the pages of rendered files. */
export const pageImages = sqliteTable(
  "page_images",
  {
    id: id(),
    fileId: partOf("file_id", () => uploadedFiles.id),
    /** The page, from 1. */
    page: integer("page").notNull(),
    /** The width in pixels. */
    width: integer("width").notNull(),
    /** The height in pixels. */
    height: integer("height").notNull(),
    /** The page's text layer; null if it has none. */
    text: text("text"),
    /** What may be wrong with the picture; null without a warning. */
    warning: text("warning"),
    /** The picture as WebP. */
    bytes: blob("bytes", { mode: "buffer" }).notNull(),
  },
  (table) => [uniqueIndex("page_images_page").on(table.fileId, table.page)],
);

/** Stamps that markers and educators put on the pages and paragraphs of submissions. A stamp decides no mark. */
export const stamps = sqliteTable(
  "stamps",
  {
    id: id(),
    fileId: partOf("file_id", () => uploadedFiles.id),
    /** The page, from 1; null for a paragraph. */
    page: integer("page"),
    /** The paragraph, from 1; null for a page. */
    paragraph: integer("paragraph"),
    /**
     * The stamp's distance from the left of the page before it is turned, as a share of the width; null if the stamp
     * belongs to the whole page or to a paragraph.
     */
    x: real("x"),
    /** The stamp's distance from the top, as a share of the height; null if x is null. */
    y: real("y"),
    /** A tick, a cross, a question mark or a comment. */
    kind: text("kind", { enum: stampKinds }).notNull(),
    /** The comment; empty for other kinds. */
    text: text("text").notNull(),
    /** The number of the question that was being marked. */
    questionNumber: text("question_number").notNull(),
    /** The marking link under which the stamp was placed. */
    markingLinkId: causedBy("marking_link_id", () => markingLinks.id),
    createdAt: createdAt(),
    /** The educator's link to the results under which the stamp was placed. */
    resultLinkId: causedBy("result_link_id", () => resultLinks.id),
  },
  (table) => [index("stamps_file").on(table.fileId)],
);

/** Pages that were turned at the desk, because they were scanned sideways. */
export const pageTurns = sqliteTable(
  "page_turns",
  {
    id: id(),
    fileId: partOf("file_id", () => uploadedFiles.id),
    /** The page, from 1. */
    page: integer("page").notNull(),
    /** By how many degrees the page is turned clockwise: 90, 180 or 270. */
    turn: integer("turn").notNull(),
  },
  (table) => [uniqueIndex("page_turns_page").on(table.fileId, table.page)],
);

/** Scans of a class that have been cut into scripts and problem pages, so that none is cut twice. */
export const scans = sqliteTable(
  "scans",
  {
    id: id(),
    assessmentId: partOf("assessment_id", () => assessments.id),
    /** Name of the scan's file, which is not stored itself. */
    name: text("name").notNull(),
    /** SHA-256 of the scan in hexadecimal. */
    sha256: text("sha256").notNull(),
    createdAt: createdAt(),
  },
  (table) => [uniqueIndex("scans_sha256").on(table.assessmentId, table.sha256)],
);

/** Uploads of a class's scans, which are cut in the background, with the outcome. */
export const scanUploads = sqliteTable(
  "scan_uploads",
  {
    id: id(),
    assessmentId: partOf("assessment_id", () => assessments.id),
    /** A text that the sender made up. Uploads with the same text are one, which is stored once. */
    key: text("upload_key").notNull(),
    /** The scans of the upload, which are cut together, as a JSON list of objects with a name. */
    scans: text("scans", { mode: "json" }).$type<{ name: string }[]>().notNull(),
    /** How many pages every script has; null if cover sheets say where each ends. */
    scriptPages: integer("script_pages"),
    createdAt: createdAt(),
    /** When all parts had arrived; null before that. */
    queuedAt: time("queued_at"),
    /** What the scans were cut into, or why nothing was stored, as JSON; null until they were cut. */
    outcome: text("outcome", { mode: "json" }).$type<SplitOutcome>(),
  },
  (table) => [uniqueIndex("scan_uploads_key").on(table.assessmentId, table.key)],
);

/** The bytes of scans until they are cut, in the database because any server may receive or cut them. */
export const scanParts = sqliteTable(
  "scan_parts",
  {
    id: id(),
    uploadId: partOf("upload_id", () => scanUploads.id),
    /** Which scan of the upload, from 0. */
    scan: integer("scan").notNull(),
    /** Which part of the scan, from 0. */
    position: integer("position").notNull(),
    /** The size in bytes. */
    size: integer("size").notNull(),
    /** The bytes of the part, at most a megabyte. */
    bytes: blob("bytes", { mode: "buffer" }).notNull(),
  },
  (table) => [uniqueIndex("scan_parts_position").on(table.uploadId, table.scan, table.position)],
);

/** Pages of scans that belonged to no learner when the scan was cut. Rows stay when a learner gets the page. */
export const problemPages = sqliteTable(
  "problem_pages",
  {
    id: id(),
    scanId: partOf("scan_id", () => scans.id),
    /** The page as a file of its own. */
    fileId: partOf("file_id", () => uploadedFiles.id).unique(),
    /** The page's number in the scan, from 1. */
    page: integer("page").notNull(),
    /** Why the page belongs to no learner, as the rest of a sentence that begins with the page. */
    reason: text("reason").notNull(),
    /** When a marker put the page aside; null if no marker did. */
    discardedAt: time("discarded_at"),
  },
  (table) => [index("problem_pages_scan").on(table.scanId)],
);

/**
 * Emails to the team, to educators whose results are published, to markers, visitors and subscribers, and webhooks.
 * Each is stored in the transaction that causes it, and sent afterwards. An email about suspected spam is on hold until
 * the request is released. An email about a test stays on hold, unless the test was sent with `?test=mail`.
 */
export const outbox = sqliteTable(
  "outbox",
  {
    id: id(),
    /** What the email is about. A "webhook" informs a receiver about a request or about signed marks. */
    kind: text("kind", { enum: emailKinds }).notNull().default("request"),
    /** Reference of the request that the email is about; null if it is about none. */
    reference: text("reference"),
    /**
     * The row of the same request, if the request does not ask for a rubric. Emails are found by this id, because an
     * index of increasing ids is cheap to extend, and references are random.
     */
    contactRequestId: mayBePartOf("contact_request_id", () => contactRequests.id),
    /** The row of the same request, if the request asks for a rubric. */
    rubricRequestId: mayBePartOf("rubric_request_id", () => rubricRequests.id),
    /** The day that a spam report covers, as in 2026-11-21 (South African time); null for other kinds. */
    reportDay: text("report_day"),
    /** The Message-ID or webhook-id, the same in all attempts, so that a repeated email is recognised. */
    messageId: text("message_id").notNull().unique(),
    /** The subject line. */
    subject: text("subject").notNull(),
    /**
     * The text. For a webhook, the type of its event; empty for "request.received". The content of a webhook is made
     * from the request when the webhook is sent.
     */
    body: text("body").notNull(),
    /** One validated address; null if the team, or the receiver of webhooks, is the recipient. */
    recipient: text("recipient"),
    /** One validated address: the visitor's if the team gets a request, otherwise the team's. Empty in webhooks. */
    replyTo: text("reply_to").notNull(),
    /** The private link that is put into the text when the email is sent; null afterwards, and if there is none. */
    link: text("link"),
    /** The link to results that the email contains, or reminds of. */
    resultLinkId: mayBePartOf("result_link_id", () => resultLinks.id),
    /** The marking link that the email contains. */
    markingLinkId: mayBePartOf("marking_link_id", () => markingLinks.id),
    /** Status of the delivery. A summary names the request of an email that is "summed up". */
    status: text("status", {
      enum: ["pending", "on hold", "sent", "failed", "discarded", "summed up"],
    })
      .notNull()
      .default("pending"),
    /** Number of attempts. */
    attempts: integer("attempts").notNull().default(0),
    /** Earliest time of the next attempt; meaningless unless the email is pending. */
    nextAttemptAt: time("next_attempt_at").notNull(),
    /** Time of the first failed attempt. The email fails 48 hours later, but not before 50 attempts. */
    firstAttemptAt: time("first_attempt_at"),
    /** Error of the last failed attempt. In a sent email: why some recipients did not get it. */
    lastError: text("last_error"),
    /** When the email was composed; for the announcement of an article, when it is first due. */
    createdAt: createdAt(),
    /** When the mail server accepted the email, or the receiver the webhook. */
    sentAt: time("sent_at"),
    /** The recipients for whom the mail server accepted the email, as a JSON list, if it rejected others. */
    acceptedBy: text("accepted_by", { mode: "json" }).$type<string[]>(),
    /** The summary (an id in this table) that names the request instead of this email. */
    summaryId: integer("summary_id"),
    /** Names the attempt that is sending the email, so that no other server sends it too. */
    lease: text("lease"),
    /** When the lease ends, by the database's clock, unless it is renewed. Then another server may send the email. */
    leasedUntil: time("leased_until"),
  },
  (table) => [
    index("outbox_due").on(table.status, table.nextAttemptAt),
    index("outbox_contact_request")
      .on(table.contactRequestId)
      .where(sql`${table.contactRequestId} IS NOT NULL`),
    index("outbox_rubric_request")
      .on(table.rubricRequestId)
      .where(sql`${table.rubricRequestId} IS NOT NULL`),
    index("outbox_result_link")
      .on(table.resultLinkId)
      .where(sql`${table.resultLinkId} IS NOT NULL`),
    index("outbox_marking_link")
      .on(table.markingLinkId)
      .where(sql`${table.markingLinkId} IS NOT NULL`),
    index("outbox_recipient")
      .on(table.recipient, table.createdAt)
      .where(sql`${table.recipient} IS NOT NULL`),
    index("outbox_summary").on(table.summaryId).where(sql`${table.summaryId} IS NOT NULL`),
  ],
);

/**
 * What was done with the data: deletions, exports, imports, publications, restores, links that were made or opened,
 * signatures, marks that the team decided, and what was done on the team's page. Rows have no personal data.
 */
export const audit = sqliteTable(
  "audit",
  {
    id: id(),
    /** When the action began. */
    createdAt: createdAt(),
    /** What was done: "requests expired" by the retention period, "scan split" by the server, all else by people. */
    action: text("action", { enum: auditActions }).notNull(),
    /** Number of requests deleted. */
    requests: integer("requests").notNull().default(0),
    /** Number of files deleted; not counted for "requests expired". */
    files: integer("files").notNull().default(0),
    /** Number of emails deleted; not counted for "requests expired". */
    emails: integer("emails").notNull().default(0),
    /** Number of subscriptions deleted. */
    subscriptions: integer("subscriptions").notNull().default(0),
    /** Reference of the request that the action was about; null if it was about none, or the request was deleted. */
    reference: text("reference"),
  },
  (table) => [
    index("audit_reference").on(table.reference).where(sql`${table.reference} IS NOT NULL`),
  ],
);

/** The private link to the team's page of each request. A new link replaces the one before. */
export const teamLinks = sqliteTable("team_links", {
  id: id(),
  contactRequestId: partOf("contact_request_id", () => contactRequests.id).unique(),
  tokenHash: tokenHash(),
  createdAt: createdAt(),
});

/** Names of people who acted on the team's page or, as leads, at the desk, each for an entry of the audit table. */
export const teamActions = sqliteTable(
  "team_actions",
  {
    id: id(),
    contactRequestId: partOf("contact_request_id", () => contactRequests.id),
    auditId: partOf("audit_id", () => audit.id).unique(),
    /** The name that the person gave; "a person with the link" for a download, which asks for no name. */
    doneBy: text("done_by").notNull(),
  },
  (table) => [index("team_actions_contact_request").on(table.contactRequestId)],
);

/**
 * Requests that were deleted, so that their folders in the drop folder are deleted too. Rows stay for the retention
 * period, at least a year.
 */
export const deletedRequests = sqliteTable("deleted_requests", {
  id: id(),
  /** SHA-256 of the reference that the request had. */
  referenceHash: text("reference_hash").notNull().unique(),
  createdAt: createdAt(),
});

/** One row with the time when data was last deleted by age, by which a wrong clock is recognised. */
export const clock = sqliteTable(
  "clock",
  {
    id: integer("id").primaryKey(),
    /** Time of the last cleanup. */
    lastCleanupAt: time("last_cleanup_at").notNull(),
  },
  (table) => [check("clock_one_row", sql`${table.id} = 1`)],
);

/**
 * Classes that have scans to cut or files to render, one row each. The server or command that has leased a row does the
 * work, and deletes the row when it is done.
 */
export const classJobs = sqliteTable("class_jobs", {
  id: id(),
  assessmentId: partOf("assessment_id", () => assessments.id).unique(),
  createdAt: createdAt(),
  /**
   * Number of leases in a row that cut no scan, rendered no file and were not given back. A scan or file at which
   * attempts keep ending is skipped.
   */
  attempts: integer("attempts").notNull().default(0),
  /** Names the lease of the server or command that does the work. */
  lease: text("lease"),
  /** When another server or command may lease the row, by the database's clock. */
  leasedUntil: time("leased_until"),
});

/**
 * Work that one server at a time does. In PostgreSQL, each server also has a row of its own, to try whether the
 * database takes writes.
 */
export const leases = sqliteTable("leases", {
  /** The work, for example "cleanup"; for counting emails, their kind; for a server's own row, "probe …". */
  name: text("name").primaryKey(),
  /** The server that does the work, as a random text. For counting emails and in a server's own row: the name. */
  holder: text("holder").notNull(),
  /** When another server may do the work, by the database's clock. */
  heldUntil: time("held_until").notNull(),
});

/** The tables of requests. Anything that concerns all requests iterates over this list. */
export const requestTables = [contactRequests, rubricRequests] as const;
export type RequestTable = (typeof requestTables)[number];

/** The tables of requests and subscriptions: each row has a reference and the sender's email address. */
export const tablesWithEmail = [...requestTables, subscriptions] as const;

/** A column of the view inbox, and the SQL that selects it from contact_requests and from rubric_requests. */
const shown = <Column>(column: Column, contact: SQL, rubric: SQL) => ({ column, contact, rubric });

const inboxColumns = {
  reference: shown(text("reference").notNull(), sql`reference`, sql`reference`),
  /** When the request was received. */
  receivedAt: shown(time("received_at").notNull(), sql`created_at AS received_at`, sql`created_at`),
  /** The form, as in contact_requests, or "rubric-request". */
  form: shown(text("form").$type<RequestForm>().notNull(), sql`form`, sql`'rubric-request'`),
  /** The type that the form sent; null for the rubric form. */
  requestType: shown(text("request_type"), sql`request_type`, sql`NULL`),
  /** The visitor's name, as `cleanText` returns it. */
  name: shown(text("name").notNull(), sql`name`, sql`full_name`),
  /** The visitor's email address, as `cleanText` returns it. */
  email: shown(text("email").notNull(), sql`email`, sql`email`),
  /** The phone number, as `cleanText` returns it; null if it was not given. */
  phone: shown(text("phone"), sql`phone`, sql`phone`),
  /** The school or organisation, as `cleanText` returns it; null if it was not given. */
  institution: shown(text("institution"), sql`institution`, sql`institution`),
  /** The visitor's message, as `cleanText` returns it: its line breaks are LF. */
  message: shown(text("message").notNull(), sql`message`, sql`expected_improvements`),
  /** Number of files. */
  files: shown(
    integer("files").notNull(),
    sql`(SELECT count(*) FROM uploaded_files WHERE contact_request_id = contact_requests.id) AS files`,
    sql`(SELECT count(*) FROM uploaded_files WHERE rubric_request_id = rubric_requests.id)`,
  ),
  spam: shown(text("spam"), sql`spam`, sql`spam`),
  isTest: shown(integer("is_test", { mode: "boolean" }).notNull(), sql`is_test`, sql`is_test`),
  /** When the sender confirmed that the files may be shared; null if not asked, or if a program did not confirm. */
  confirmedAt: shown(time("confirmed_at"), sql`confirmed_at`, sql`NULL`),
  /** Version (date) of the notice that the visitor agreed to; null without a confirmation. */
  noticeVersion: shown(text("notice_version"), sql`notice_version`, sql`NULL`),
  /** Status of the email to the team about the request (see emails); null if the email was discarded. */
  emailStatus: shown(
    text("email_status"),
    sql`(SELECT status FROM outbox WHERE contact_request_id = contact_requests.id AND kind = 'request') AS email_status`,
    sql`(SELECT status FROM outbox WHERE rubric_request_id = rubric_requests.id AND kind = 'request')`,
  ),
};

/** What the view selects from one of the two tables. */
const inboxOf = (table: "contact" | "rubric") =>
  sql.join(
    Object.values(inboxColumns).map((one) => one[table]),
    sql`, `,
  );

/** All requests of all forms in readable columns, newest first. */
export const inbox = sqliteView(
  "inbox",
  Object.fromEntries(Object.entries(inboxColumns).map(([name, { column }]) => [name, column])) as {
    [Name in keyof typeof inboxColumns]: (typeof inboxColumns)[Name]["column"];
  },
).as(sql`SELECT ${inboxOf("contact")} FROM contact_requests
  UNION ALL SELECT ${inboxOf("rubric")} FROM rubric_requests
  ORDER BY received_at DESC`);

/** The marks of each learner that count, published or not. A learner without a grade is left out. */
export const marks = sqliteView("marks", {
  /** The request's reference. */
  reference: text("reference").notNull(),
  /** "published" while the marks are published, otherwise "graded". */
  status: text("status").notNull(),
  /** The learner's name: from a class list, a results file or the desk, or else the file's name without extension. */
  learner: text("learner").notNull(),
  /** Name of the file with the learner's work; "no file (NUMBER)" without one. */
  fileName: text("file_name").notNull(),
  /** The marks as a whole percentage. */
  grade: integer("grade").notNull(),
  /** Feedback for the learner on the submission as a whole. */
  feedback: text("feedback"),
  /** When an import last changed the marks; null if none has. */
  importedAt: time("imported_at"),
}).as(sql`SELECT contact_requests.reference, assessments.status, student_name AS learner, file_name, grade, feedback,
    processed_at AS imported_at
  FROM submissions JOIN assessments ON assessments.id = submissions.assessment_id
    JOIN assessment_submissions ON assessment_submissions.id = assessments.assessment_submission_id
    JOIN contact_requests ON contact_requests.id = assessment_submissions.contact_id
  WHERE grade IS NOT NULL`);

/** All files that belong to a request, without their bytes. Staged files are not included. */
export const filesReceived = sqliteView("files_received", {
  /** The request's reference. */
  reference: text("reference").notNull(),
  /** When the request was received. */
  receivedAt: time("received_at").notNull(),
  /** The form, as in contact_requests, or "rubric-request". */
  form: text("form").notNull(),
  /** The form field: "questionsFile", "submissionFiles" … */
  field: text("field").notNull(),
  /** The file's name, as `storedName` returns it: without folders and invisible characters. */
  fileName: text("file_name").notNull(),
  /** The media type, determined from the content. */
  mediaType: text("media_type").notNull(),
  /** The size in bytes. */
  size: integer("size").notNull(),
  /** SHA-256 of the bytes, in hexadecimal. */
  sha256: text("sha256").notNull(),
  /** The file's id. For its bytes: `SELECT bytes FROM uploaded_file_bytes WHERE file_id = …`. */
  fileId: integer("file_id").notNull(),
  spam: text("spam"),
  isTest: integer("is_test", { mode: "boolean" }).notNull(),
}).as(sql`SELECT contact_requests.reference, contact_requests.created_at AS received_at, form, field, uploaded_files.name AS file_name,
    media_type, size, sha256, uploaded_files.id AS file_id, spam, is_test
  FROM uploaded_files JOIN contact_requests ON contact_requests.id = contact_request_id
  UNION ALL
  SELECT rubric_requests.reference, rubric_requests.created_at, 'rubric-request', field, uploaded_files.name,
    media_type, size, sha256, uploaded_files.id, spam, is_test
  FROM uploaded_files JOIN rubric_requests ON rubric_requests.id = rubric_request_id`);

/** All emails and webhooks, with the status of their delivery. */
export const emails = sqliteView("emails", {
  /**
   * What the email is about: "request", "results", "spam report", "summary", "signed", "reminder", "reopened",
   * "team action", "marking", "acknowledgement", "confirmation" or "announcement"; or "webhook".
   */
  kind: text("kind").notNull(),
  /** Reference of the request that the email is about; null if it is about none. */
  reference: text("reference"),
  /** The day that a spam report covers, as in 2026-11-21 (South African time); null for other kinds. */
  reportDay: text("report_day"),
  /** When the email was composed; for the announcement of an article, when it is first due. */
  writtenAt: time("written_at").notNull(),
  /** "pending", "on hold" (suspected spam and tests), "sent", "failed", "discarded" or "summed up". */
  status: text("status").notNull(),
  /** Number of attempts. */
  attempts: integer("attempts").notNull(),
  /** Earliest time of the next attempt; null unless pending. */
  nextAttemptAt: time("next_attempt_at"),
  /** When the mail server accepted the email, or the receiver the webhook. */
  sentAt: time("sent_at"),
  /** Error of the last failed attempt, such as the mail server's reply. */
  lastError: text("last_error"),
  /** One address; null if the team, or the receiver of webhooks, is the recipient. */
  recipient: text("recipient"),
  /** The address that a reply goes to; empty in webhooks. */
  replyTo: text("reply_to").notNull(),
  /** The subject line. */
  subject: text("subject").notNull(),
  /** The text; of a webhook, the type of its event, or empty for "request.received". */
  body: text("body").notNull(),
}).as(sql`SELECT kind, reference, report_day, created_at AS written_at, status, attempts,
    CASE status WHEN 'pending' THEN next_attempt_at END AS next_attempt_at, sent_at, last_error, recipient, reply_to, subject, body
  FROM outbox`);
