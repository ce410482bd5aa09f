/**
 * The tables of the one SQLite file. Names are the specification's (snake_case in SQL); what it
 * leaves open is added below its columns. Times are ISO 8601 in UTC, so that whoever opens the file
 * can read them. After a change here: `npm run migration`.
 */
import { sql } from "drizzle-orm";
import {
  type AnySQLiteColumn,
  blob,
  check,
  index,
  integer,
  sqliteTable,
  text,
} from "drizzle-orm/sqlite-core";

const id = () => integer("id").primaryKey({ autoIncrement: true });
const createdAt = () => text("created_at").notNull();

export const users = sqliteTable("users", {
  id: id(),
  username: text("username").notNull().unique(),
  password: text("password").notNull(),
});

export const contactRequests = sqliteTable(
  "contact_requests",
  {
    id: id(),
    name: text("name").notNull(),
    email: text("email").notNull(),
    institution: text("institution"),
    phone: text("phone"),
    message: text("message").notNull(),
    requestType: text("request_type").notNull().default("contact"),
    createdAt: createdAt(),
    /** What the visitor was given to quote, as shown: ABCD-EFGH-JKMN. */
    reference: text("reference").notNull().unique(),
    /** SHA-256 of all that was posted: the same post again soon after is the same request. */
    fingerprint: text("fingerprint"),
  },
  (table) => [index("contact_requests_fingerprint").on(table.fingerprint)],
);

export const assessmentSubmissions = sqliteTable(
  "assessment_submissions",
  {
    id: id(),
    contactId: integer("contact_id")
      .notNull()
      .references(() => contactRequests.id, { onDelete: "cascade" }),
    questionsFileName: text("questions_file_name").notNull(),
    rubricFileName: text("rubric_file_name").notNull(),
    submissionFileCount: integer("submission_file_count").notNull(),
    submissionFileNames: text("submission_file_names", { mode: "json" }).$type<string[]>(),
    /** The three `…FileData` columns hold ids of uploaded_files; the bytes are in uploaded_file_bytes. */
    questionsFileData: integer("questions_file_data").references(() => uploadedFiles.id),
    rubricFileData: integer("rubric_file_data").references(() => uploadedFiles.id),
    submissionFilesData: text("submission_files_data", { mode: "json" }).$type<number[]>(),
    status: text("status").notNull().default("submitted"),
    createdAt: createdAt(),
  },
  (table) => [index("assessment_submissions_contact").on(table.contactId)],
);

export const assessments = sqliteTable(
  "assessments",
  {
    id: id(),
    userId: integer("user_id").references(() => users.id),
    title: text("title").notNull(),
    questionsFile: text("questions_file"),
    rubricFile: text("rubric_file"),
    questionsContent: text("questions_content"),
    rubricContent: text("rubric_content"),
    assessmentData: text("assessment_data", { mode: "json" }),
    status: text("status").notNull().default("pending"),
    results: text("results", { mode: "json" }),
    createdAt: createdAt(),
    /** The upload that this assessment marks. */
    assessmentSubmissionId: integer("assessment_submission_id").references(
      () => assessmentSubmissions.id,
      { onDelete: "cascade" },
    ),
  },
  (table) => [index("assessments_submission").on(table.assessmentSubmissionId)],
);

export const submissions = sqliteTable(
  "submissions",
  {
    id: id(),
    assessmentId: integer("assessment_id").references(() => assessments.id, {
      onDelete: "cascade",
    }),
    studentName: text("student_name").notNull(),
    fileName: text("file_name").notNull(),
    submissionContent: text("submission_content"),
    grade: integer("grade"),
    feedback: text("feedback"),
    questionMarks: text("question_marks", { mode: "json" }),
    processedAt: text("processed_at"),
  },
  (table) => [index("submissions_assessment").on(table.assessmentId)],
);

export const rubricRequests = sqliteTable("rubric_requests", {
  id: id(),
  fullName: text("full_name").notNull(),
  email: text("email").notNull(),
  phone: text("phone").notNull(),
  institution: text("institution"),
  expectedImprovements: text("expected_improvements").notNull(),
  /** The files: ids of uploaded_files. */
  assessmentQuestions: integer("assessment_questions").references(
    (): AnySQLiteColumn => uploadedFiles.id,
  ),
  gradingRubric: integer("grading_rubric").references((): AnySQLiteColumn => uploadedFiles.id),
  markingMemo: integer("marking_memo").references((): AnySQLiteColumn => uploadedFiles.id),
  createdAt: createdAt(),
  reference: text("reference").notNull().unique(),
});

/**
 * Holds files of a form that came back to a visitor without JavaScript, so that they need not be chosen
 * again. Whoever has the token may add to them, remove them and submit them, and never read them.
 */
export const staging = sqliteTable("staging", {
  id: id(),
  /** SHA-256 of the token: who reads this file cannot use it. */
  tokenHash: text("token_hash").notNull().unique(),
  /** The form that the token is good for. */
  form: text("form").notNull(),
  expiresAt: text("expires_at").notNull(),
});

/**
 * What a visitor uploaded. A file is *staged* while it belongs to no request: it has arrived, but its
 * request is not complete. Staged files are swept unless a live token holds them; the final transaction
 * of a request gives them their owner.
 */
export const uploadedFiles = sqliteTable(
  "uploaded_files",
  {
    id: id(),
    /** The form field that the file came in, as the call names it: questionsFile, submissionFiles … */
    field: text("field").notNull(),
    name: text("name").notNull(),
    mediaType: text("media_type").notNull(),
    size: integer("size").notNull(),
    sha256: text("sha256").notNull(),
    createdAt: createdAt(),
    contactRequestId: integer("contact_request_id").references(() => contactRequests.id, {
      onDelete: "cascade",
    }),
    rubricRequestId: integer("rubric_request_id").references(() => rubricRequests.id, {
      onDelete: "cascade",
    }),
    stagingId: integer("staging_id").references(() => staging.id, { onDelete: "cascade" }),
  },
  (table) => [
    index("uploaded_files_staging").on(table.stagingId),
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

/** The bytes stand alone: changing a small column beside a blob would write the blob to the log again. */
export const uploadedFileBytes = sqliteTable("uploaded_file_bytes", {
  fileId: integer("file_id")
    .primaryKey()
    .references(() => uploadedFiles.id, { onDelete: "cascade" }),
  bytes: blob("bytes", { mode: "buffer" }).notNull(),
});

/** Letters to the team, written in the same transaction as what they tell of, and sent afterwards. */
export const outbox = sqliteTable(
  "outbox",
  {
    id: id(),
    /** The request that the letter tells of. */
    reference: text("reference").notNull(),
    /** Fixed when the letter is written, so that a letter sent twice can be recognised as one. */
    messageId: text("message_id").notNull().unique(),
    subject: text("subject").notNull(),
    body: text("body").notNull(),
    /** The visitor's address, validated; the only thing typed by a visitor that reaches a header. */
    replyTo: text("reply_to").notNull(),
    status: text("status", { enum: ["waiting", "sent", "given up"] })
      .notNull()
      .default("waiting"),
    attempts: integer("attempts").notNull().default(0),
    nextAttemptAt: text("next_attempt_at").notNull(),
    firstAttemptAt: text("first_attempt_at"),
    lastError: text("last_error"),
    createdAt: createdAt(),
    sentAt: text("sent_at"),
  },
  (table) => [index("outbox_due").on(table.status, table.nextAttemptAt)],
);
