/**
 * The tables of the database. Names follow the specification (snake_case in SQL); columns that it
 * does not name come last. Times are ISO 8601 in UTC, readable in any database browser. After a
 * change: `npm run migration`.
 *
 * The comment before each table and column is its description in docs/database.md, which
 * scripts/database-doc.ts generates.
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
import { decisionKinds, type GivenPoint } from "../app/domain/decision.ts";
import { renderingKinds } from "../app/domain/page-image.ts";
import { contactForms } from "../app/domain/request.ts";
import {
  noGradeReasons,
  type QuestionMark,
  type ResultSummary,
  type Results,
} from "../app/domain/result.ts";
import type { SplitOutcome } from "../app/domain/scan-upload.ts";
import { stampKinds } from "../app/domain/stamp.ts";

/** ISO 8601 in UTC, whatever type the engine stores. */
const time = customType<{ data: string }>({ dataType: () => "text" });

/** Increases; numbers are never reused. */
const id = () => integer("id").primaryKey({ autoIncrement: true });
/** When the row was added. */
const createdAt = () => time("created_at").notNull();

/** The row that this one is part of, and is deleted with. */
const partOf = (column: string, row: () => AnySQLiteColumn) =>
  integer(column).notNull().references(row, { onDelete: "cascade" });

/** The private link that made this row, and with which the row is deleted; null if a link of the other kind made it. */
const linkOf = (column: string, link: () => AnySQLiteColumn) =>
  integer(column).references(link, { onDelete: "cascade" });

/** Columns of every table of requests, and of subscriptions. */
const requestColumns = () => ({
  /** The reference given to the visitor, for example ABCD-EFGH-JKMN. */
  reference: text("reference").notNull().unique(),
  /**
   * SHA-256 of the post, unique in its table. An equal post soon afterwards is a duplicate and is not
   * stored; a later one takes the fingerprint over, and it becomes null here. Null for subscriptions.
   */
  fingerprint: text("fingerprint"),
  /** Why the request is in quarantine; null if it is not. */
  spam: text("spam"),
  /** A test, sent from /test-forms or with `?test`. */
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
    /** The visitor's name, as typed. */
    name: text("name").notNull(),
    /** The visitor's email address, as typed. */
    email: text("email").notNull(),
    /** The school or organisation, if given. */
    institution: text("institution"),
    /** The phone number, as typed. */
    phone: text("phone"),
    /** The message, as typed, with its line breaks. */
    message: text("message").notNull(),
    /** The type that the form sent: "contact", "demo" or "general". */
    requestType: text("request_type").notNull().default("contact"),
    createdAt: createdAt(),
    /** The form that was posted. The request type does not identify it: three forms use "demo". */
    form: text("form", { enum: contactForms }).notNull().default("contact"),
    ...requestColumns(),
    /** When the visitor confirmed that the files of a demo upload may be shared; null if a program sent them. */
    confirmedAt: time("confirmed_at"),
    /** Version (date) of the notice that the visitor agreed to. */
    noticeVersion: text("notice_version"),
  },
  (table) => [uniqueIndex("contact_requests_fingerprint").on(table.fingerprint)],
);

/** The files of a demo upload: questions, rubric and submissions. One row for each upload. */
export const assessmentSubmissions = sqliteTable(
  "assessment_submissions",
  {
    id: id(),
    /** The request that they belong to. */
    contactId: partOf("contact_id", () => contactRequests.id),
    /** The file's name, as the visitor sent it. */
    questionsFileName: text("questions_file_name").notNull(),
    /** The file's name, as the visitor sent it. */
    rubricFileName: text("rubric_file_name").notNull(),
    /** Number of submissions. */
    submissionFileCount: integer("submission_file_count").notNull(),
    /** Names of the submissions' files, as a JSON list in the order they were sent. */
    submissionFileNames: text("submission_file_names", { mode: "json" }).$type<string[]>(),
    /** The file with the questions. */
    questionsFileData: integer("questions_file_data").references(() => uploadedFiles.id),
    /** The file with the rubric. */
    rubricFileData: integer("rubric_file_data").references(() => uploadedFiles.id),
    /** The submissions' files: a JSON list of ids in uploaded_files. */
    submissionFilesData: text("submission_files_data", { mode: "json" }).$type<number[]>(),
    /** Always "submitted" for now. */
    status: text("status").notNull().default("submitted"),
    createdAt: createdAt(),
  },
  (table) => [index("assessment_submissions_contact").on(table.contactId)],
);

/** Work to be marked. Each demo upload adds one; the team marks it and imports the results. */
export const assessments = sqliteTable(
  "assessments",
  {
    id: id(),
    /** The owner; null, because there are no users yet. */
    userId: integer("user_id").references(() => users.id),
    /** For a demo upload, contains the request's reference. */
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
     * Progress of the marking. A demo upload starts as "submitted", is "graded" after an import,
     * then "published".
     */
    status: text("status", { enum: ["pending", "submitted", "graded", "published"] })
      .notNull()
      .default("pending"),
    /** Summary of the results, as JSON: title, averageGrade (not rounded), totalSubmissions. */
    results: text("results", { mode: "json" }).$type<ResultSummary & { title: string }>(),
    createdAt: createdAt(),
    /** The demo upload to be marked. */
    assessmentSubmissionId: integer("assessment_submission_id").references(
      () => assessmentSubmissions.id,
      { onDelete: "cascade" },
    ),
  },
  (table) => [index("assessments_submission").on(table.assessmentSubmissionId)],
);

/**
 * The questions of a paper: its one definition. The marks of each submission repeat what pages show of
 * them. Assessments whose marks were imported before schema version 20 have none until their desk opens.
 */
export const questions = sqliteTable(
  "questions",
  {
    id: id(),
    assessmentId: partOf("assessment_id", () => assessments.id),
    /** Its number on the paper, for example 1.1. */
    number: text("number").notNull(),
    /** The marks that it is out of, in quarters. */
    total: real("total").notNull(),
    /** What it asks. */
    text: text("text").notNull(),
    /** What the answer should have; may be empty. */
    memo: text("memo").notNull(),
    /** Its place on the paper, from 1. */
    position: integer("position").notNull(),
    /** The choice that it is part of, numbered from 1; null if it always counts. */
    choiceGroup: integer("choice_group"),
    /** How many questions of the choice count: those with the most marks. Null without a choice. */
    choiceCount: integer("choice_count"),
  },
  (table) => [uniqueIndex("questions_number").on(table.assessmentId, table.number)],
);

/**
 * The points of the memos of a paper, of which answers earn their marks. Decisions name them by id. A point whose
 * text or worth is changed keeps its row; it is deleted only if no decision names it.
 */
export const memoPoints = sqliteTable(
  "memo_points",
  {
    id: id(),
    assessmentId: partOf("assessment_id", () => assessments.id),
    /** The number of the question. */
    questionNumber: text("question_number").notNull(),
    /** Its place in the memo, from 1. */
    position: integer("position").notNull(),
    /** What the answer should have. */
    text: text("text").notNull(),
    /** The marks that it earns, in quarters. */
    worth: real("worth").notNull(),
    /** When it left the memo; null while it is part of it. */
    withdrawnAt: time("withdrawn_at"),
  },
  (table) => [index("memo_points_question").on(table.assessmentId, table.questionNumber)],
);

/** One learner's submission, made when the marking desk opens or with the first import. Ids stay. */
export const submissions = sqliteTable(
  "submissions",
  {
    id: id(),
    /** The assessment that it is part of. */
    assessmentId: integer("assessment_id").references(() => assessments.id, {
      onDelete: "cascade",
    }),
    /** The learner's name, as in the class list or the results file. */
    studentName: text("student_name").notNull(),
    /** Name of the submission's file; of its files and pages, if it was joined or divided. */
    fileName: text("file_name").notNull(),
    /** The submission as text; not used yet. */
    submissionContent: text("submission_content"),
    /** The marks as a whole percentage; null until every question has a mark. */
    grade: integer("grade"),
    /** Feedback for the learner. */
    feedback: text("feedback"),
    /**
     * Marks per question, as a JSON list: questionNumber, description, totalMarks, marksAwarded (what
     * counts now; null if there is neither a proposal nor a decision), feedback (the reason of the proposal). Also
     * importId, the import that proposed it (missing before imports were recorded: then learners read the reason,
     * whatever was decided); takesReason, if the decision took the reason; unsure, if the model was unsure; choice
     * (group, best), if the question is part of one; and proposedMarks, notAnswered,
     * comment, points and the last decision (id, how, by, role, at), once a person has decided the mark. blindMarks are those of a
     * decision without a view of the proposal; second is the mark of a second marker, which does not count.
     */
    questionMarks: text("question_marks", { mode: "json" }).$type<QuestionMark[]>(),
    /** When the marks were imported; null if they were not. */
    processedAt: time("processed_at"),
    /** The learner's number, from the class list or in the order of the files; null before the desk opens. */
    learnerNumber: text("learner_number"),
    /** Whether a class list gave the number. If not, a gradebook does not know it. */
    isNumberListed: integer("is_number_listed", { mode: "boolean" }).notNull().default(false),
    /** Why the learner gets no grade; null if the learner gets one. */
    noGrade: text("no_grade", { enum: noGradeReasons }),
    /** Whether markers see the proposals of this learner only once they have decided. */
    isBlind: integer("is_blind", { mode: "boolean" }).notNull().default(false),
    /**
     * Derived from question_marks: a character for each question of the paper, by which the next answer and what is open
     * are found. "-": it has neither mark nor proposal, "p": a proposal waits for a decision, "d": decided; "s" and "t": the
     * same as "-" and "p", and a second marker has marked it; "b": both markers, "x": both, and they differ.
     */
    answerStates: text("answer_states").notNull().default(""),
    /** The link of the marker who found no work and says that the learner was absent; null without such a report. */
    absenceReportedBy: integer("absence_reported_by").references(
      (): AnySQLiteColumn => markingLinks.id,
      { onDelete: "set null" },
    ),
  },
  (table) => [
    index("submissions_assessment").on(table.assessmentId),
    // Covers what is read of a class to show one mark, so that no row of it is read, nor its marks.
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

/** The files of each submission, or those of their pages that are part of it, in order of the ids. */
export const submissionFiles = sqliteTable(
  "submission_files",
  {
    id: id(),
    /** The learner's submission. */
    submissionId: partOf("submission_id", () => submissions.id),
    fileId: partOf("file_id", () => uploadedFiles.id),
    /** The first page that is part of it, from 1. */
    firstPage: integer("first_page").notNull().default(1),
    /** The last page; null for the last of the file. */
    lastPage: integer("last_page"),
  },
  (table) => [
    index("submission_files_submission").on(table.submissionId),
    index("submission_files_file").on(table.fileId),
  ],
);

/** Imports of proposals, oldest first. Marks name the one that proposed them. */
export const imports = sqliteTable(
  "imports",
  {
    id: id(),
    assessmentId: partOf("assessment_id", () => assessments.id),
    /** Who proposed the marks, as the import says it, such as the name of a model; may be empty. */
    proposedBy: text("proposed_by").notNull(),
    /** Number of proposals that were new or changed. */
    proposals: integer("proposals").notNull(),
    /** Number of learners with such proposals. */
    learners: integer("learners").notNull(),
    /** How many decided marks were discarded; they stay in decisions. */
    discardedDecisions: integer("discarded_decisions").notNull(),
    createdAt: createdAt(),
  },
  (table) => [index("imports_assessment").on(table.assessmentId)],
);

/** Earlier results, replaced by a new import, or by other questions that discarded decided marks. */
export const replacedResults = sqliteTable(
  "replaced_results",
  {
    id: id(),
    assessmentId: partOf("assessment_id", () => assessments.id),
    /**
     * The replaced results, as JSON: title, averageGrade, totalSubmissions and the submissions with
     * their marks; of an import only those that it changed.
     */
    results: text("results", { mode: "json" }).$type<Results>().notNull(),
    /** When they were replaced. */
    replacedAt: time("replaced_at").notNull(),
    /** How many decided marks were discarded; they stay in decisions. */
    discardedDecisions: integer("discarded_decisions").notNull().default(0),
    /** The import that replaced them; null for other questions, and before imports were recorded. */
    importId: integer("import_id").references(() => imports.id, { onDelete: "cascade" }),
  },
  (table) => [
    index("replaced_results_assessment").on(table.assessmentId),
    index("replaced_results_import").on(table.importId).where(sql`import_id IS NOT NULL`),
  ],
);

/**
 * Decisions of people on marks, of which none is changed later. One counts if its submission's
 * question_marks name its id; an import or other questions may have discarded others.
 */
export const decisions = sqliteTable(
  "decisions",
  {
    id: id(),
    /** The learner's submission. */
    submissionId: partOf("submission_id", () => submissions.id),
    /** The question. */
    questionNumber: text("question_number").notNull(),
    /** What counted before; null if the question had no mark. */
    fromMarks: real("from_marks"),
    /** What counts from now on. */
    toMarks: real("to_marks").notNull(),
    /** The person decided that the question was not answered, which counts 0. */
    isNotAnswered: integer("is_not_answered", { mode: "boolean" }).notNull(),
    /** The person's comment, if one was given. */
    comment: text("comment"),
    /** The reason of the proposal, if the person took it with the mark: the learner reads it. */
    reason: text("reason"),
    /** Name of the person: the sender of the work, a marker, or "the team". */
    decidedBy: text("decided_by").notNull(),
    /** The link to the results under which it was decided; null for a command or a marker. */
    resultLinkId: integer("result_link_id").references(() => resultLinks.id, {
      onDelete: "set null",
    }),
    /** The marking link under which it was decided; null for others. */
    markingLinkId: integer("marking_link_id").references((): AnySQLiteColumn => markingLinks.id, {
      onDelete: "set null",
    }),
    /**
     * "agreed" with the proposal, "changed" it, "entered" a mark without one; "rest": agreed, in one press
     * for all that were left of the learner; "blind": without a view of the proposal; "second": by a second
     * marker, which does not count.
     */
    how: text("how", { enum: decisionKinds }).notNull(),
    createdAt: createdAt(),
    /**
     * The points of the memo as the person saw them, as a JSON list: id (of memo_points), worth and isTicked. Null if
     * the decision says nothing about them: nothing was ticked, and the mark is not 0.
     */
    points: text("points", { mode: "json" }).$type<GivenPoint[]>(),
  },
  (table) => [
    index("decisions_submission").on(table.submissionId),
    // Counts what was decided under a link.
    index("decisions_marking_link")
      .on(table.markingLinkId, table.createdAt)
      .where(sql`marking_link_id IS NOT NULL`),
    // Finds the comments used before on a question.
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
    /** Name of the person, as typed. */
    signedBy: text("signed_by").notNull(),
    /** The private link under which it was signed. */
    resultLinkId: integer("result_link_id").references(() => resultLinks.id, {
      onDelete: "set null",
    }),
    createdAt: createdAt(),
    /** When the team reopened the marks; null while the signature holds. */
    reopenedAt: time("reopened_at"),
  },
  (table) => [index("signatures_assessment").on(table.assessmentId)],
);

/** Private links to results. At most one that decides is open per assessment; reading copies may be several. */
export const resultLinks = sqliteTable(
  "result_links",
  {
    id: id(),
    /** The assessment whose results the link opens. */
    assessmentId: partOf("assessment_id", () => assessments.id),
    /** SHA-256 of the link's token, so that reading the database gives no access. */
    tokenHash: text("token_hash").notNull().unique(),
    createdAt: createdAt(),
    /** When the link stops working. */
    expiresAt: time("expires_at").notNull(),
    /** When the link was revoked by command; null if it was not. */
    revokedAt: time("revoked_at"),
    /** "decide" is the sender's and decides and signs; "read" is a reading copy. */
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
    /** The assessment that is marked. */
    assessmentId: partOf("assessment_id", () => assessments.id),
    /** Name of the marker, under which decisions are recorded; "a marker" once it is erased. */
    markerName: text("marker_name").notNull(),
    /** The marker's email address, if the link was sent. */
    email: text("email"),
    /** Numbers of the questions that the link opens, as a JSON list; null for all. */
    questions: text("questions", { mode: "json" }).$type<string[]>(),
    /** Ids of the submissions that the link opens, as a JSON list; null for all. */
    learners: text("learners", { mode: "json" }).$type<number[]>(),
    /** Whether the desk shows the learners' names. */
    showsNames: integer("shows_names", { mode: "boolean" }).notNull(),
    /** SHA-256 of the link's token, so that reading the database gives no access. */
    tokenHash: text("token_hash").notNull().unique(),
    createdAt: createdAt(),
    /** When the link stops working. */
    expiresAt: time("expires_at").notNull(),
    /** When the link was closed by command; null if it was not. */
    revokedAt: time("revoked_at"),
    /** When the link was first opened. */
    openedAt: time("opened_at"),
    /** For a second marker: by how much the marks of both may differ; null for others. */
    tolerance: real("tolerance"),
  },
  (table) => [index("marking_links_assessment").on(table.assessmentId)],
);

/** What a marker typed and has not saved as a decision. It does not count. */
export const markDrafts = sqliteTable(
  "mark_drafts",
  {
    id: id(),
    /** The marker's link; null for the educator's. */
    markingLinkId: linkOf("marking_link_id", () => markingLinks.id),
    /** The learner's submission. */
    submissionId: partOf("submission_id", () => submissions.id),
    /** The question. */
    questionNumber: text("question_number").notNull(),
    /** The marks as typed; may be empty. */
    marks: text("marks").notNull(),
    /** The comment as typed; may be empty. */
    comment: text("comment").notNull(),
    /** When it was last changed. */
    updatedAt: time("updated_at").notNull(),
    /** Whether "not answered" was chosen. */
    isNotAnswered: integer("is_not_answered", { mode: "boolean" }).notNull().default(false),
    /** The comment of a stamp that was not placed, as typed; may be empty. */
    stampText: text("stamp_text").notNull().default(""),
    /** A question to the lead that was not sent, as typed; may be empty. */
    askText: text("ask_text").notNull().default(""),
    /** The educator's link to the results; null for a marker's. */
    resultLinkId: linkOf("result_link_id", () => resultLinks.id),
    /** Ids of the points that were ticked (see memo_points), with spaces between them; may be empty. */
    ticks: text("ticks").notNull().default(""),
  },
  (table) => [
    uniqueIndex("mark_drafts_answer").on(
      table.markingLinkId,
      table.submissionId,
      table.questionNumber,
    ),
    uniqueIndex("mark_drafts_educator").on(
      table.resultLinkId,
      table.submissionId,
      table.questionNumber,
    ),
    index("mark_drafts_submission").on(table.submissionId),
  ],
);

/** Answers that markers have open, so that others get another one next. Rows count for five minutes. */
export const openAnswers = sqliteTable(
  "open_answers",
  {
    id: id(),
    /** The marker's link; null for the educator's. */
    markingLinkId: linkOf("marking_link_id", () => markingLinks.id),
    /** The learner's submission. */
    submissionId: partOf("submission_id", () => submissions.id),
    /** The question. */
    questionNumber: text("question_number").notNull(),
    /** When it was last opened. */
    openedAt: time("opened_at").notNull(),
    /** Whether a page has only fetched it ahead: others get it once nothing else is left. */
    isAhead: integer("is_ahead", { mode: "boolean" }).notNull().default(false),
    /** The educator's link to the results; null for a marker's. */
    resultLinkId: linkOf("result_link_id", () => resultLinks.id),
  },
  (table) => [
    uniqueIndex("open_answers_answer").on(
      table.markingLinkId,
      table.submissionId,
      table.questionNumber,
    ),
    uniqueIndex("open_answers_educator").on(
      table.resultLinkId,
      table.submissionId,
      table.questionNumber,
    ),
    index("open_answers_submission").on(table.submissionId),
  ],
);

/** Questions of markers to the lead about an answer, with what the lead says: one of each for a link and an answer. */
export const leadQuestions = sqliteTable(
  "lead_questions",
  {
    id: id(),
    /** The marker's link. */
    markingLinkId: partOf("marking_link_id", () => markingLinks.id),
    /** The learner's submission. */
    submissionId: partOf("submission_id", () => submissions.id),
    /** The question of the paper. */
    questionNumber: text("question_number").notNull(),
    /** What the marker asks. */
    text: text("text").notNull(),
    createdAt: createdAt(),
    /** What the lead says; null before that. Who said it is in team_actions. */
    reply: text("reply"),
    /** When the lead said it. */
    repliedAt: time("replied_at"),
  },
  (table) => [
    uniqueIndex("lead_questions_answer").on(
      table.markingLinkId,
      table.submissionId,
      table.questionNumber,
    ),
    index("lead_questions_submission").on(table.submissionId),
  ],
);

/** Requests for the rubric service, one row each. */
export const rubricRequests = sqliteTable(
  "rubric_requests",
  {
    id: id(),
    /** The visitor's name, as typed. */
    name: text("full_name").notNull(),
    /** The visitor's email address, as typed. */
    email: text("email").notNull(),
    /** The phone number, as typed. */
    phone: text("phone").notNull(),
    /** The school or organisation, if given. */
    institution: text("institution"),
    /** What the rubric should do better, as typed. */
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

/** Addresses that get an email about new articles. Stored until they are removed. */
export const subscriptions = sqliteTable("subscriptions", {
  id: id(),
  /** In lower case, so that each address is stored once. */
  email: text("email").notNull().unique(),
  /** When consent was given. */
  createdAt: createdAt(),
  ...requestColumns(),
  /** When the address was confirmed by the link in an email. Only confirmed ones get articles. */
  confirmedAt: time("confirmed_at"),
});

/** Links in emails to subscribers, by which they confirm and end their subscription. */
export const subscriptionLinks = sqliteTable(
  "subscription_links",
  {
    id: id(),
    subscriptionId: partOf("subscription_id", () => subscriptions.id),
    /** SHA-256 of the token in the link, so that reading the database gives no access. */
    tokenHash: text("token_hash").notNull().unique(),
    createdAt: createdAt(),
  },
  (table) => [index("subscription_links_subscription").on(table.subscriptionId)],
);

/** Articles that were announced to subscribers, so that none is announced twice. */
export const announcements = sqliteTable("announcements", {
  id: id(),
  /** The article's slug. */
  slug: text("slug").notNull().unique(),
  /** When its emails were put into the outbox. */
  createdAt: createdAt(),
  /** Number of subscribers. */
  recipients: integer("recipients").notNull(),
});

/**
 * One row for each post of the subscription form, also for an address that is subscribed already,
 * so that the response to it does not differ. Contains no address. Deleted after the retention
 * period.
 */
export const subscriptionReceipts = sqliteTable("subscription_receipts", {
  id: id(),
  /** The reference given to the visitor. */
  reference: text("reference").notNull().unique(),
  createdAt: createdAt(),
});

/**
 * Upload drafts: the valid files of a form that is not complete yet, because it has errors or its upload
 * was interrupted, so that they need not be sent again. A draft's token allows adding, removing and
 * submitting files, but not reading them. With JavaScript the browser makes up the token.
 */
export const uploadDrafts = sqliteTable("upload_drafts", {
  id: id(),
  /** SHA-256 of the token, so that reading the database gives no access. */
  tokenHash: text("token_hash").notNull().unique(),
  /** The form that the token is valid for. */
  form: text("form").notNull(),
  /** When the draft is deleted with its files. */
  expiresAt: time("expires_at").notNull(),
  /**
   * The request that its files became, so that sending the same upload again stores nothing. Null
   * before that.
   */
  reference: text("reference"),
});

/**
 * Files that visitors uploaded. A file is *staged* until its request is stored: it has been
 * received, but belongs to no request. Staged files are deleted after two hours unless they are in
 * an upload draft.
 */
export const uploadedFiles = sqliteTable(
  "uploaded_files",
  {
    id: id(),
    /** The form field, as the API names it: questionsFile, submissionFiles … "scannedPages" are cut from a scan by the team. */
    field: text("field").notNull(),
    /** The file's name, as the visitor sent it. */
    name: text("name").notNull(),
    /** The media type, determined from the content: application/pdf … */
    mediaType: text("media_type").notNull(),
    /** In bytes. */
    size: integer("size").notNull(),
    /** SHA-256 of the bytes in hexadecimal, as `sha256sum` prints it. */
    sha256: text("sha256").notNull(),
    createdAt: createdAt(),
    /** The request, for a file of a demo upload. */
    contactRequestId: integer("contact_request_id").references(() => contactRequests.id, {
      onDelete: "cascade",
    }),
    /** The request, for a file of the rubric form. */
    rubricRequestId: integer("rubric_request_id").references(() => rubricRequests.id, {
      onDelete: "cascade",
    }),
    /** The upload draft that the staged file is in, if any. */
    draftId: integer("draft_id").references(() => uploadDrafts.id, { onDelete: "cascade" }),
    /** Its number in the upload, which the browser chose. Null if it was sent without JavaScript. */
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

/**
 * The bytes of the files. In a table of their own, because updating a column next to a blob writes
 * the blob to the WAL again.
 */
export const uploadedFileBytes = sqliteTable("uploaded_file_bytes", {
  fileId: integer("file_id")
    .primaryKey()
    .references(() => uploadedFiles.id, { onDelete: "cascade" }),
  /** The content, byte for byte as it was sent. */
  bytes: blob("bytes", { mode: "buffer" }).notNull(),
});

/** What rendering a file for the marking desk gave. Deleted a week after the last marking link has ended. */
export const renderedFiles = sqliteTable("rendered_files", {
  id: id(),
  fileId: integer("file_id")
    .notNull()
    .unique()
    .references(() => uploadedFiles.id, { onDelete: "cascade" }),
  /** "pages" has rows in page_images; "paragraphs" is a text; the file of an "original" has to be opened. */
  kind: text("kind", { enum: renderingKinds }).notNull(),
  /** Why only the original can be opened, without the file's name; null for other kinds. */
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
    /** In pixels. */
    width: integer("width").notNull(),
    /** In pixels. */
    height: integer("height").notNull(),
    /** The page's text layer; null if it has none. */
    text: text("text"),
    /** What may be wrong with the picture; null if nothing is. */
    warning: text("warning"),
    /** The picture as WebP. */
    bytes: blob("bytes", { mode: "buffer" }).notNull(),
  },
  (table) => [uniqueIndex("page_images_page").on(table.fileId, table.page)],
);

/** What markers put on the pages and paragraphs of submissions. It decides no mark. */
export const stamps = sqliteTable(
  "stamps",
  {
    id: id(),
    fileId: partOf("file_id", () => uploadedFiles.id),
    /** The page, from 1; null for a paragraph. */
    page: integer("page"),
    /** The paragraph, from 1; null for a page. */
    paragraph: integer("paragraph"),
    /** Its place on the page, as a part of the width; null if it belongs to the whole page or to a paragraph. */
    x: real("x"),
    /** Its place on the page, as a part of the height; null if x is. */
    y: real("y"),
    /** A tick, a cross, a question mark or a comment. */
    kind: text("kind", { enum: stampKinds }).notNull(),
    /** The comment; empty for other kinds. */
    text: text("text").notNull(),
    /** The question that was being marked. */
    questionNumber: text("question_number").notNull(),
    /** The marking link under which it was placed. */
    markingLinkId: integer("marking_link_id").references(() => markingLinks.id, {
      onDelete: "set null",
    }),
    createdAt: createdAt(),
    /** The educator's link to the results under which it was placed. */
    resultLinkId: integer("result_link_id").references(() => resultLinks.id, {
      onDelete: "set null",
    }),
  },
  (table) => [index("stamps_file").on(table.fileId)],
);

/** Pages that markers have turned, because they were scanned sideways. */
export const pageTurns = sqliteTable(
  "page_turns",
  {
    id: id(),
    fileId: partOf("file_id", () => uploadedFiles.id),
    /** The page, from 1. */
    page: integer("page").notNull(),
    /** In degrees, clockwise: 90, 180 or 270. */
    turn: integer("turn").notNull(),
  },
  (table) => [uniqueIndex("page_turns_page").on(table.fileId, table.page)],
);

/** Scans of a class whose pages have become scripts and problem pages, so that none is cut twice. */
export const scans = sqliteTable(
  "scans",
  {
    id: id(),
    assessmentId: integer("assessment_id")
      .notNull()
      .references(() => assessments.id, { onDelete: "cascade" }),
    /** Name of the scan's file, which is not stored itself. */
    name: text("name").notNull(),
    /** SHA-256 of the scan in hexadecimal. */
    sha256: text("sha256").notNull(),
    createdAt: createdAt(),
  },
  (table) => [uniqueIndex("scans_sha256").on(table.assessmentId, table.sha256)],
);

/** Scans of classes that are cut in the background, and what became of them. */
export const scanUploads = sqliteTable(
  "scan_uploads",
  {
    id: id(),
    assessmentId: partOf("assessment_id", () => assessments.id),
    /** Made up by the sender, so that what is sent again is stored once. */
    key: text("upload_key").notNull(),
    /** Name of each scan, as a JSON list of objects. They are cut together. */
    scans: text("scans", { mode: "json" }).$type<{ name: string }[]>().notNull(),
    /** How many pages every script has; null if cover sheets say where each ends. */
    scriptPages: integer("script_pages"),
    createdAt: createdAt(),
    /** When all parts had arrived. */
    queuedAt: time("queued_at"),
    /** What the scans were cut into, or why nothing was stored, as JSON; null before that. */
    outcome: text("outcome", { mode: "json" }).$type<SplitOutcome>(),
  },
  (table) => [uniqueIndex("scan_uploads_key").on(table.assessmentId, table.key)],
);

/** The bytes of scans until they are cut: any server may get a part, and any may cut. */
export const scanParts = sqliteTable(
  "scan_parts",
  {
    id: id(),
    uploadId: partOf("upload_id", () => scanUploads.id),
    /** Which of its scans, from 0. */
    scan: integer("scan").notNull(),
    /** Which part of the scan, from 0. */
    position: integer("position").notNull(),
    /** In bytes. */
    size: integer("size").notNull(),
    /** At most a megabyte of the scan. */
    bytes: blob("bytes", { mode: "buffer" }).notNull(),
  },
  (table) => [uniqueIndex("scan_parts_position").on(table.uploadId, table.scan, table.position)],
);

/** Pages of scans that belonged to no learner when the scan was cut. One that a marker gives to a learner stays here. */
export const problemPages = sqliteTable(
  "problem_pages",
  {
    id: id(),
    scanId: integer("scan_id")
      .notNull()
      .references(() => scans.id, { onDelete: "cascade" }),
    /** The page as a file of its own. */
    fileId: integer("file_id")
      .notNull()
      .unique()
      .references(() => uploadedFiles.id, { onDelete: "cascade" }),
    /** Its number in the scan, from 1. */
    page: integer("page").notNull(),
    /** Why it belongs to no learner, as the rest of a sentence that begins with the page. */
    reason: text("reason").notNull(),
    /** When a marker put it aside; null if it was not. */
    discardedAt: time("discarded_at"),
  },
  (table) => [index("problem_pages_scan").on(table.scanId)],
);

/**
 * Emails to the team, to educators whose results are published, to markers, visitors and subscribers, and webhooks.
 * Each is stored in the transaction that causes it, and sent afterwards. An email about suspected spam is on hold until
 * the request is released. An email about a test stays on hold, unless the test was sent with
 * `?test=mail`.
 */
export const outbox = sqliteTable(
  "outbox",
  {
    id: id(),
    /** What the email is about; "webhook" tells a receiver of a request or of signed marks. */
    kind: text("kind", {
      enum: [
        ...([
          "request",
          "results",
          "spam report",
          "summary",
          "signed",
          "reminder",
          "team action",
        ] as const),
        ...(["marking", "acknowledgement", "confirmation", "announcement", "webhook"] as const),
      ],
    })
      .notNull()
      .default("request"),
    /** The request that it is about; null for other kinds. */
    reference: text("reference"),
    /** The row of the same request, if it came by another form. Found by id: new ids go to the end of an index. */
    contactRequestId: integer("contact_request_id").references(() => contactRequests.id, {
      onDelete: "cascade",
    }),
    /** The row of the same request, if it asks for a rubric. */
    rubricRequestId: integer("rubric_request_id").references(() => rubricRequests.id, {
      onDelete: "cascade",
    }),
    /** The day that a spam report covers, as in 2026-11-21 (UTC); null for other kinds. */
    reportDay: text("report_day"),
    /**
     * The Message-ID, or webhook-id, constant over all attempts, so that what is sent twice is recognised as one.
     */
    messageId: text("message_id").notNull().unique(),
    /** The subject line. */
    subject: text("subject").notNull(),
    /**
     * The text. In webhooks only the type of the event, empty for "request.received": their content is made
     * from the request when they are sent.
     */
    body: text("body").notNull(),
    /** One validated address; null is the team, or the receiver of webhooks. */
    recipient: text("recipient"),
    /**
     * One validated address: the visitor's in emails about requests, the team's in all others. Empty in
     * webhooks.
     */
    replyTo: text("reply_to").notNull(),
    /**
     * The private link that is put into the text when the email is sent. Null once it is sent or
     * has failed.
     */
    link: text("link"),
    /** The link to results that the email contains. */
    resultLinkId: integer("result_link_id").references(() => resultLinks.id, {
      onDelete: "cascade",
    }),
    /** The marking link that the email contains. */
    markingLinkId: integer("marking_link_id").references(() => markingLinks.id, {
      onDelete: "cascade",
    }),
    /** Status of the delivery. An email that is "summed up" is named in a summary instead. */
    status: text("status", {
      enum: ["pending", "on hold", "sent", "failed", "discarded", "summed up"],
    })
      .notNull()
      .default("pending"),
    /** Number of attempts. */
    attempts: integer("attempts").notNull().default(0),
    /** Earliest time of the next attempt; meaningless unless the email is pending. */
    nextAttemptAt: time("next_attempt_at").notNull(),
    /**
     * Time of the first failed attempt. If attempts fail for 48 hours, the status becomes "failed".
     */
    firstAttemptAt: time("first_attempt_at"),
    /**
     * Error of the last failed attempt, such as the mail server's reply. In a sent email: why some
     * recipients did not get it.
     */
    lastError: text("last_error"),
    /** When the email was composed. */
    createdAt: createdAt(),
    /** When the mail server, or the receiver, accepted it. */
    sentAt: time("sent_at"),
    /**
     * The recipients for whom the mail server accepted the email, as a JSON list, if it rejected
     * others. Only the others get it again.
     */
    acceptedBy: text("accepted_by", { mode: "json" }).$type<string[]>(),
    /** The summary (an id in this table) that names the request instead of this email. */
    summaryId: integer("summary_id"),
    /** Names the attempt that is sending the email, so that no other server sends it too. */
    lease: text("lease"),
    /** When that attempt loses the email if it has not been heard of since, by the database's clock. */
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
 * Deletions, exports, publications, restores, links that were made or opened, signatures, and marks that the team
 * decided, without any personal data.
 */
export const audit = sqliteTable(
  "audit",
  {
    id: id(),
    /** When it began. */
    createdAt: createdAt(),
    /** What was done. "requests expired" is by the retention period, the others are by people. */
    action: text("action", {
      enum: [
        ...(["subject erased", "requests purged", "subscription removed"] as const),
        ...(["requests expired", "subject exported", "requests exported"] as const),
        ...(["files exported", "results published", "results revoked", "mark decided"] as const),
        ...(["results link opened", "results signed", "results reopened"] as const),
        ...(["reading copy shared", "reading copies revoked", "backup restored"] as const),
        ...(["marking opened", "marking closed", "marking link opened"] as const),
        ...([
          "original opened",
          "scripts exported",
          "scan sent",
          "scan split",
          "learner erased",
        ] as const),
        ...(["problem pages given", "problem pages discarded", "problem pages put back"] as const),
        ...(["team link made", "team link closed", "class list stored", "file assigned"] as const),
        ...(["marking handed over", "reply to a marker"] as const),
        ...(["names exported", "sheet filled"] as const),
        ...(["results imported", "class pages exported"] as const),
      ],
    }).notNull(),
    /** Number of requests deleted. */
    requests: integer("requests").notNull().default(0),
    /** Number of files deleted. */
    files: integer("files").notNull().default(0),
    /** Number of emails deleted. */
    emails: integer("emails").notNull().default(0),
    /** Number of subscriptions deleted. */
    subscriptions: integer("subscriptions").notNull().default(0),
    /** The request whose files or results it was; null for other actions, and once the request is deleted. */
    reference: text("reference"),
  },
  (table) => [
    index("audit_reference").on(table.reference).where(sql`${table.reference} IS NOT NULL`),
  ],
);

/** The private link to the team's page of a request: a new one takes the place of the one before. */
export const teamLinks = sqliteTable("team_links", {
  id: id(),
  /** The request that the page is about. */
  contactRequestId: partOf("contact_request_id", () => contactRequests.id).unique(),
  /** SHA-256 of the link's token, so that reading the database gives no access. */
  tokenHash: text("token_hash").notNull().unique(),
  createdAt: createdAt(),
});

/** Who did on the team's page what an entry of the audit table says. */
export const teamActions = sqliteTable(
  "team_actions",
  {
    id: id(),
    /** The request that the page is about. */
    contactRequestId: partOf("contact_request_id", () => contactRequests.id),
    auditId: partOf("audit_id", () => audit.id).unique(),
    /** The name that the person gave. */
    doneBy: text("done_by").notNull(),
  },
  (table) => [index("team_actions_contact_request").on(table.contactRequestId)],
);

/**
 * Requests that were deleted, by command or by age: what the drop folder has of them is deleted too. Rows
 * stay for the retention period.
 */
export const deletedRequests = sqliteTable("deleted_requests", {
  id: id(),
  /** SHA-256 of the reference that the request had. */
  referenceHash: text("reference_hash").notNull().unique(),
  createdAt: createdAt(),
});

/** One row: when data was last deleted by age, by which a wrong clock is recognised. */
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
 * Classes that have scans to cut or files to render, one row each. A server or a command that has leased a row does the work; the
 * row goes when it is done.
 */
export const classJobs = sqliteTable("class_jobs", {
  id: id(),
  assessmentId: integer("assessment_id")
    .notNull()
    .unique()
    .references(() => assessments.id, { onDelete: "cascade" }),
  createdAt: createdAt(),
  /** How often it was taken since a file was last rendered. A file that ends the program again and again is left out. */
  attempts: integer("attempts").notNull().default(0),
  /** Names the server or command that does the work. */
  lease: text("lease"),
  /** When another one may take it over, by the database's clock. */
  leasedUntil: time("leased_until"),
});

/** What one server at a time does, by the database's clock. */
export const leases = sqliteTable("leases", {
  /** The work, for example "cleanup". */
  name: text("name").primaryKey(),
  /** The server that does it: a random text. */
  holder: text("holder").notNull(),
  /** When another server may take it over. */
  heldUntil: time("held_until").notNull(),
});

/** The tables of requests. Anything that concerns all requests iterates over this list. */
export const requestTables = [contactRequests, rubricRequests] as const;
export type RequestTable = (typeof requestTables)[number];

/** The tables with a person's email address in the column `email`. */
export const tablesWithEmail = [...requestTables, subscriptions] as const;

/** A column of the view of all requests, and what it shows of contact_requests and of rubric_requests. */
const shown = <Column>(column: Column, contact: SQL, rubric: SQL) => ({ column, contact, rubric });

const inboxColumns = {
  reference: shown(text("reference").notNull(), sql`reference`, sql`reference`),
  /** When the request was received. */
  receivedAt: shown(time("received_at").notNull(), sql`created_at AS received_at`, sql`created_at`),
  /** The form, as in contact_requests, or "rubric-request". */
  form: shown(text("form").notNull(), sql`form`, sql`'rubric-request'`),
  /** The type that the form sent; null for the rubric form. */
  requestType: shown(text("request_type"), sql`request_type`, sql`NULL`),
  /** The visitor's name, as typed. */
  name: shown(text("name").notNull(), sql`name`, sql`full_name`),
  /** The visitor's email address, as typed. */
  email: shown(text("email").notNull(), sql`email`, sql`email`),
  /** The phone number, as typed. */
  phone: shown(text("phone"), sql`phone`, sql`phone`),
  /** The school or organisation, if given. */
  institution: shown(text("institution"), sql`institution`, sql`institution`),
  /** The visitor's message. */
  message: shown(text("message").notNull(), sql`message`, sql`expected_improvements`),
  /** Number of files. */
  files: shown(
    integer("files").notNull(),
    sql`(SELECT count(*) FROM uploaded_files WHERE contact_request_id = contact_requests.id) AS files`,
    sql`(SELECT count(*) FROM uploaded_files WHERE rubric_request_id = rubric_requests.id)`,
  ),
  spam: shown(text("spam"), sql`spam`, sql`spam`),
  isTest: shown(integer("is_test", { mode: "boolean" }).notNull(), sql`is_test`, sql`is_test`),
  /** When the visitor confirmed that the files of a demo upload may be shared; null if a program sent them. */
  confirmedAt: shown(time("confirmed_at"), sql`confirmed_at`, sql`NULL`),
  /** Version (date) of the notice that the visitor agreed to. */
  noticeVersion: shown(text("notice_version"), sql`notice_version`, sql`NULL`),
  /** Status of the email to the team about the request (see emails); null if it was discarded. */
  emailStatus: shown(
    text("email_status"),
    sql`(SELECT status FROM outbox WHERE contact_request_id = contact_requests.id AND kind = 'request') AS email_status`,
    sql`(SELECT status FROM outbox WHERE rubric_request_id = rubric_requests.id AND kind = 'request')`,
  ),
};

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

/** The marks of each learner that have been imported, published or not. A learner without a grade is not in it. */
export const marks = sqliteView("marks", {
  /** The request's reference. */
  reference: text("reference").notNull(),
  /** "graded" until they are published, then "published". */
  status: text("status").notNull(),
  /** The learner's name, as in the results file. */
  learner: text("learner").notNull(),
  /** Name of the file with the learner's work. */
  fileName: text("file_name").notNull(),
  /** A whole percentage. */
  grade: integer("grade").notNull(),
  /** Feedback for the learner. */
  feedback: text("feedback"),
  /** When the marks were imported. */
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
  /** The form. */
  form: text("form").notNull(),
  /** The form field: "questionsFile", "submissionFiles" … */
  field: text("field").notNull(),
  /** The file's name, as the visitor sent it. */
  fileName: text("file_name").notNull(),
  /** The media type, determined from the content. */
  mediaType: text("media_type").notNull(),
  /** In bytes. */
  size: integer("size").notNull(),
  /** SHA-256 of the bytes, in hexadecimal. */
  sha256: text("sha256").notNull(),
  /** For the bytes: `SELECT bytes FROM uploaded_file_bytes WHERE file_id = …`. */
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
   * What the email is about: "request", "results", "spam report", "summary", "signed", "reminder", "marking",
   * "acknowledgement", "confirmation" or "announcement"; or "webhook".
   */
  kind: text("kind").notNull(),
  /** The request that it is about; null for other kinds. */
  reference: text("reference"),
  /** The day that a spam report covers. */
  reportDay: text("report_day"),
  /** When the email was composed. */
  writtenAt: time("written_at").notNull(),
  /** "pending", "on hold" (suspected spam and tests), "sent", "failed", "discarded" or "summed up". */
  status: text("status").notNull(),
  /** Number of attempts. */
  attempts: integer("attempts").notNull(),
  /** Earliest time of the next attempt; null unless pending. */
  nextAttemptAt: time("next_attempt_at"),
  /** When the mail server, or the receiver, accepted it. */
  sentAt: time("sent_at"),
  /** Error of the last failed attempt, such as the mail server's reply. */
  lastError: text("last_error"),
  /** One address; null is the team, or the receiver of webhooks. */
  recipient: text("recipient"),
  /** The address that a reply goes to; empty in webhooks. */
  replyTo: text("reply_to").notNull(),
  /** The subject line. */
  subject: text("subject").notNull(),
  /** The text. */
  body: text("body").notNull(),
}).as(sql`SELECT kind, reference, report_day, created_at AS written_at, status, attempts,
    CASE status WHEN 'pending' THEN next_attempt_at END AS next_attempt_at, sent_at, last_error, recipient, reply_to, subject, body
  FROM outbox`);
