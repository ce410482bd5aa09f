/**
 * The tables of the one SQLite file. Names are the specification's (snake_case in SQL); what it
 * leaves open is added below its columns. Times are ISO 8601 in UTC, so that whoever opens the file
 * can read them. After a change here: `npm run migration`.
 *
 * The comment in front of each table and column is its description in docs/database.md, which
 * scripts/database-doc.ts writes from here.
 */
import { sql } from "drizzle-orm";
import {
  type AnySQLiteColumn,
  blob,
  check,
  index,
  integer,
  sqliteTable,
  sqliteView,
  text,
} from "drizzle-orm/sqlite-core";
import type { QuestionMark, ResultSummary, Results } from "../app/domain/result.ts";

/** Counts up; a number is never given twice. */
const id = () => integer("id").primaryKey({ autoIncrement: true });
/** When it came in. */
const createdAt = () => text("created_at").notNull();

/** What every request carries, whichever form it came by. */
const requestColumns = () => ({
  /** What the visitor was given to quote, as shown: ABCD-EFGH-JKMN. */
  reference: text("reference").notNull().unique(),
  /** SHA-256 of all that was posted: the same post again soon after is the same request. */
  fingerprint: text("fingerprint"),
  /** Why it was put in quarantine; null for what nobody suspects. Its letter is held back. */
  spam: text("spam"),
  /** Sent from the page that tests the forms. */
  isTest: integer("is_test", { mode: "boolean" }).notNull().default(false),
});

/** Nobody yet: there is no sign-in. Here because the specification has it. */
export const users = sqliteTable("users", {
  id: id(),
  /** The name to sign in with. */
  username: text("username").notNull().unique(),
  /** To hold a hash, never the password itself. */
  password: text("password").notNull(),
});

/** What came by the contact form, the demo form and the demo upload: one row a request. */
export const contactRequests = sqliteTable(
  "contact_requests",
  {
    id: id(),
    /** The sender, as typed. */
    name: text("name").notNull(),
    /** The sender's address, as typed. */
    email: text("email").notNull(),
    /** The school or organisation, where one was typed. */
    institution: text("institution"),
    /** As typed. */
    phone: text("phone"),
    /** As typed, with its line breaks. */
    message: text("message").notNull(),
    /** What the request is about: "contact", "demo" and others that the forms offer. */
    requestType: text("request_type").notNull().default("contact"),
    createdAt: createdAt(),
    /** The form that it came by; the request type does not tell, three forms use "demo". */
    form: text("form", { enum: ["contact", "demo-request", "demo-upload"] })
      .notNull()
      .default("contact"),
    ...requestColumns(),
    /** When the sender of a demo upload ticked that the files may be shared; null where nobody did. */
    confirmedAt: text("confirmed_at"),
    /** The day that the wording is of which was ticked. */
    noticeVersion: text("notice_version"),
  },
  (table) => [index("contact_requests_fingerprint").on(table.fingerprint)],
);

/** The files of a demo upload as one piece of work: questions, rubric and the learners' answers. */
export const assessmentSubmissions = sqliteTable(
  "assessment_submissions",
  {
    id: id(),
    /** The request that they came with. */
    contactId: integer("contact_id")
      .notNull()
      .references(() => contactRequests.id, { onDelete: "cascade" }),
    /** The name that the visitor's file had. */
    questionsFileName: text("questions_file_name").notNull(),
    /** The name that the visitor's file had. */
    rubricFileName: text("rubric_file_name").notNull(),
    /** How many answers were uploaded. */
    submissionFileCount: integer("submission_file_count").notNull(),
    /** Their names, as a JSON list in the order they were sent. */
    submissionFileNames: text("submission_file_names", { mode: "json" }).$type<string[]>(),
    /** The file with the questions; its bytes are in uploaded_file_bytes. */
    questionsFileData: integer("questions_file_data").references(() => uploadedFiles.id),
    /** The file with the rubric. */
    rubricFileData: integer("rubric_file_data").references(() => uploadedFiles.id),
    /** The files with the answers: a JSON list of ids in uploaded_files. */
    submissionFilesData: text("submission_files_data", { mode: "json" }).$type<number[]>(),
    /** Always "submitted" so far. */
    status: text("status").notNull().default("submitted"),
    createdAt: createdAt(),
  },
  (table) => [index("assessment_submissions_contact").on(table.contactId)],
);

/** A piece of work to be marked. Each demo upload makes one; people mark it, and import what they found. */
export const assessments = sqliteTable(
  "assessments",
  {
    id: id(),
    /** Whose it is; empty, since there are no users yet. */
    userId: integer("user_id").references(() => users.id),
    /** What it is called; a demo upload's bears the request's reference. */
    title: text("title").notNull(),
    /** The name of the file with the questions. */
    questionsFile: text("questions_file"),
    /** The name of the file with the rubric. */
    rubricFile: text("rubric_file"),
    /** The questions as text; nothing fills it yet. */
    questionsContent: text("questions_content"),
    /** The rubric as text; nothing fills it yet. */
    rubricContent: text("rubric_content"),
    /** Anything else about it, as JSON; nothing fills it yet. */
    assessmentData: text("assessment_data", { mode: "json" }),
    /** How far the marking is: a demo upload begins as "submitted"; with marks it is "graded", then "published". */
    status: text("status", { enum: ["pending", "submitted", "graded", "published"] })
      .notNull()
      .default("pending"),
    /** What the marking found, as JSON: title, averageGrade (not rounded), totalSubmissions. */
    results: text("results", { mode: "json" }).$type<ResultSummary & { title: string }>(),
    createdAt: createdAt(),
    /** The upload that this assessment marks. */
    assessmentSubmissionId: integer("assessment_submission_id").references(
      () => assessmentSubmissions.id,
      { onDelete: "cascade" },
    ),
  },
  (table) => [index("assessments_submission").on(table.assessmentSubmissionId)],
);

/** One learner's marked answer within an assessment. */
export const submissions = sqliteTable(
  "submissions",
  {
    id: id(),
    /** The assessment that it belongs to. */
    assessmentId: integer("assessment_id").references(() => assessments.id, {
      onDelete: "cascade",
    }),
    /** The learner, as named by whoever marked. */
    studentName: text("student_name").notNull(),
    /** The name of the file with the answer. */
    fileName: text("file_name").notNull(),
    /** The answer as text. */
    submissionContent: text("submission_content"),
    /** The marks as a whole percentage of the 50 there are. */
    grade: integer("grade"),
    /** For the learner. */
    feedback: text("feedback"),
    /** Marks by question, as a JSON list: questionNumber, description, totalMarks, marksAwarded, feedback. */
    questionMarks: text("question_marks", { mode: "json" }).$type<QuestionMark[]>(),
    /** When its marks were imported. */
    processedAt: text("processed_at"),
  },
  (table) => [index("submissions_assessment").on(table.assessmentId)],
);

/** Marks that an import has put others in the place of. */
export const replacedResults = sqliteTable(
  "replaced_results",
  {
    id: id(),
    /** The assessment that they were of. */
    assessmentId: integer("assessment_id")
      .notNull()
      .references(() => assessments.id, { onDelete: "cascade" }),
    /** All of them, as JSON: title, averageGrade, totalSubmissions and the submissions with their marks. */
    results: text("results", { mode: "json" }).$type<Results>().notNull(),
    /** When others took their place. */
    replacedAt: text("replaced_at").notNull(),
  },
  (table) => [index("replaced_results_assessment").on(table.assessmentId)],
);

/** Private links to published marks. At most one for an assessment is open at a time. */
export const resultLinks = sqliteTable(
  "result_links",
  {
    id: id(),
    /** The assessment whose marks it opens. */
    assessmentId: integer("assessment_id")
      .notNull()
      .references(() => assessments.id, { onDelete: "cascade" }),
    /** SHA-256 of the link's token: who reads this file cannot use it. */
    tokenHash: text("token_hash").notNull().unique(),
    createdAt: createdAt(),
    /** When it stops opening anything. */
    expiresAt: text("expires_at").notNull(),
    /** When it was withdrawn, by command or because other marks were imported. */
    revokedAt: text("revoked_at"),
  },
  (table) => [index("result_links_assessment").on(table.assessmentId)],
);

/** What came by the form that asks for a better rubric: one row a request. */
export const rubricRequests = sqliteTable(
  "rubric_requests",
  {
    id: id(),
    /** The sender, as typed. */
    fullName: text("full_name").notNull(),
    /** The sender's address, as typed. */
    email: text("email").notNull(),
    /** As typed. */
    phone: text("phone").notNull(),
    /** The school or organisation, where one was typed. */
    institution: text("institution"),
    /** What the rubric should do better, as typed. */
    expectedImprovements: text("expected_improvements").notNull(),
    /** The file with the questions. */
    assessmentQuestions: integer("assessment_questions").references(
      (): AnySQLiteColumn => uploadedFiles.id,
    ),
    /** The file with the rubric as it is. */
    gradingRubric: integer("grading_rubric").references((): AnySQLiteColumn => uploadedFiles.id),
    /** The file with the memo, where one was sent. */
    markingMemo: integer("marking_memo").references((): AnySQLiteColumn => uploadedFiles.id),
    createdAt: createdAt(),
    ...requestColumns(),
  },
  (table) => [index("rubric_requests_fingerprint").on(table.fingerprint)],
);

/** Addresses that asked for news of the blog; kept until they are removed. */
export const subscriptions = sqliteTable("subscriptions", {
  id: id(),
  /** In lower case, so that an address is here once. */
  email: text("email").notNull().unique(),
  /** When consent was given. */
  createdAt: createdAt(),
  ...requestColumns(),
});

/**
 * Holds files of a form that came back to a visitor without JavaScript, so that they need not be chosen
 * again. Whoever has the token may add to them, remove them and submit them, and never read them.
 */
export const uploadDrafts = sqliteTable("upload_drafts", {
  id: id(),
  /** SHA-256 of the token: who reads this file cannot use it. */
  tokenHash: text("token_hash").notNull().unique(),
  /** The form that the token is good for. */
  form: text("form").notNull(),
  /** When the token dies and the files with it. */
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
    /** The name that the visitor's file had. */
    name: text("name").notNull(),
    /** The kind that the content was found to be, as in application/pdf. */
    mediaType: text("media_type").notNull(),
    /** In bytes. */
    size: integer("size").notNull(),
    /** Of the bytes, in hexadecimal: what `sha256sum` prints for the same file. */
    sha256: text("sha256").notNull(),
    createdAt: createdAt(),
    /** The request that the file belongs to, if it came by the demo upload. */
    contactRequestId: integer("contact_request_id").references(() => contactRequests.id, {
      onDelete: "cascade",
    }),
    /** The request that the file belongs to, if it came by the rubric form. */
    rubricRequestId: integer("rubric_request_id").references(() => rubricRequests.id, {
      onDelete: "cascade",
    }),
    /** The token that holds it, while it is staged and a form came back. */
    draftId: integer("draft_id").references(() => uploadDrafts.id, { onDelete: "cascade" }),
  },
  (table) => [
    index("uploaded_files_draft").on(table.draftId),
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
  /** The file that they are of. */
  fileId: integer("file_id")
    .primaryKey()
    .references(() => uploadedFiles.id, { onDelete: "cascade" }),
  /** The file, byte for byte as it came. */
  bytes: blob("bytes", { mode: "buffer" }).notNull(),
});

/**
 * Letters to the team, and to educators whose marks are published; written in the same transaction as what
 * they tell of, and sent afterwards. Those of suspected spam and of tests are held, which is to say never sent unless released.
 */
export const outbox = sqliteTable(
  "outbox",
  {
    id: id(),
    /** What the email is about. */
    kind: text("kind", { enum: ["request", "results", "spam report"] })
      .notNull()
      .default("request"),
    /** The request that it is about; null for a spam report. */
    reference: text("reference"),
    /** The day that a spam report covers, as in 2026-11-21 (UTC); null for other kinds. */
    reportDay: text("report_day"),
    /** Fixed when the letter is written, so that a letter sent twice can be recognised as one. */
    messageId: text("message_id").notNull().unique(),
    /** The letter's subject line. */
    subject: text("subject").notNull(),
    /** The letter, as plain text. */
    body: text("body").notNull(),
    /** Whom it goes to, one validated address; null is the team. */
    recipient: text("recipient"),
    /** One validated address: the visitor's in letters to the team, the team's in all others. */
    replyTo: text("reply_to").notNull(),
    /** The private link that is put into the letter as it is sent; emptied once it is sent or given up. */
    link: text("link"),
    /** The link that the letter brings. */
    resultLinkId: integer("result_link_id").references(() => resultLinks.id, {
      onDelete: "cascade",
    }),
    /** Where the letter stands. */
    status: text("status", { enum: ["pending", "on hold", "sent", "failed", "discarded"] })
      .notNull()
      .default("pending"),
    /** How often it was tried. */
    attempts: integer("attempts").notNull().default(0),
    /** Not tried again before; means nothing once it is sent or given up. */
    nextAttemptAt: text("next_attempt_at").notNull(),
    /** When it failed for the first time: 48 hours after that it is given up. */
    firstAttemptAt: text("first_attempt_at"),
    /** What the mail server answered to the last attempt that failed. */
    lastError: text("last_error"),
    /** When the letter was written. */
    createdAt: createdAt(),
    /** When the mail server took it. */
    sentAt: text("sent_at"),
  },
  (table) => [index("outbox_due").on(table.status, table.nextAttemptAt)],
);

/** What operators have deleted by command, and nothing that tells of whom. */
export const audit = sqliteTable("audit", {
  id: id(),
  /** When it began. */
  createdAt: createdAt(),
  /** What was done. */
  action: text("action", {
    enum: ["subject erased", "requests purged", "subscription removed"],
  }).notNull(),
  /** How many requests were deleted. */
  requests: integer("requests").notNull().default(0),
  /** How many files went with them. */
  files: integer("files").notNull().default(0),
  /** How many letters. */
  emails: integer("emails").notNull().default(0),
  /** How many subscriptions. */
  subscriptions: integer("subscriptions").notNull().default(0),
});

/** Every request in readable columns, whichever form it came by. */
export const inbox = sqliteView("inbox", {
  /** What the visitor was given to quote. */
  reference: text("reference").notNull(),
  /** When it came in. */
  receivedAt: text("received_at").notNull(),
  /** The form that it came by: "contact", "demo-request", "demo-upload" or "rubric-request". */
  form: text("form").notNull(),
  /** What it is about; the rubric form does not ask. */
  requestType: text("request_type"),
  /** The sender, as typed. */
  name: text("name").notNull(),
  /** The sender's address, as typed. */
  email: text("email").notNull(),
  /** As typed. */
  phone: text("phone"),
  /** The school or organisation, where one was typed. */
  institution: text("institution"),
  /** What the visitor wrote. */
  message: text("message").notNull(),
  /** How many files came with it. */
  files: integer("files").notNull(),
  /** Why it is in quarantine; null for what nobody suspects. */
  spam: text("spam"),
  /** Sent from the page that tests the forms. */
  isTest: integer("is_test", { mode: "boolean" }).notNull(),
  /** When the sender of a demo upload ticked that the files may be shared; null where nobody did. */
  confirmedAt: text("confirmed_at"),
  /** The day that the wording is of which was ticked. */
  noticeVersion: text("notice_version"),
}).as(sql`SELECT reference, created_at AS received_at, form, request_type, name, email, phone, institution, message,
    (SELECT count(*) FROM uploaded_files WHERE contact_request_id = contact_requests.id) AS files, spam, is_test,
    confirmed_at, notice_version
  FROM contact_requests
  UNION ALL
  SELECT reference, created_at, 'rubric-request', NULL, full_name, email, phone, institution, expected_improvements,
    (SELECT count(*) FROM uploaded_files WHERE rubric_request_id = rubric_requests.id), spam, is_test,
    NULL, NULL
  FROM rubric_requests`);

/** Every file that belongs to a request, without its bytes. Staged files are left out. */
export const filesReceived = sqliteView("files_received", {
  /** The request's, as the visitor quotes it. */
  reference: text("reference").notNull(),
  /** When the request came in. */
  receivedAt: text("received_at").notNull(),
  /** The form that it came by. */
  form: text("form").notNull(),
  /** Which of the form's files it is: "questionsFile", "submissionFiles" and others. */
  field: text("field").notNull(),
  /** The name that the visitor's file had. */
  fileName: text("file_name").notNull(),
  /** The kind that the content was found to be. */
  mediaType: text("media_type").notNull(),
  /** In bytes. */
  size: integer("size").notNull(),
  /** Of the bytes, in hexadecimal. */
  sha256: text("sha256").notNull(),
  /** Where the bytes are: `SELECT bytes FROM uploaded_file_bytes WHERE file_id = …`. */
  fileId: integer("file_id").notNull(),
  /** Why the request is in quarantine; null for what nobody suspects. */
  spam: text("spam"),
  /** Sent from the page that tests the forms. */
  isTest: integer("is_test", { mode: "boolean" }).notNull(),
}).as(sql`SELECT contact_requests.reference, contact_requests.created_at AS received_at, form, field, uploaded_files.name AS file_name,
    media_type, size, sha256, uploaded_files.id AS file_id, spam, is_test
  FROM uploaded_files JOIN contact_requests ON contact_requests.id = contact_request_id
  UNION ALL
  SELECT rubric_requests.reference, rubric_requests.created_at, 'rubric-request', field, uploaded_files.name,
    media_type, size, sha256, uploaded_files.id, spam, is_test
  FROM uploaded_files JOIN rubric_requests ON rubric_requests.id = rubric_request_id`);

/** Every letter, and how its sending stands. */
export const emails = sqliteView("emails", {
  /** What the email is about: "request", "results" or "spam report". */
  kind: text("kind").notNull(),
  /** The request that it is about; null for a spam report. */
  reference: text("reference"),
  /** The day that a spam report covers. */
  reportDay: text("report_day"),
  /** When it was written. */
  writtenAt: text("written_at").notNull(),
  /** "pending", "on hold" (suspected spam and tests), "sent" or "failed". */
  status: text("status").notNull(),
  /** How often it was tried. */
  attempts: integer("attempts").notNull(),
  /** When it is tried next; null for all but those that wait. */
  nextAttemptAt: text("next_attempt_at"),
  /** When the mail server took it. */
  sentAt: text("sent_at"),
  /** What the mail server answered to the last attempt that failed. */
  lastError: text("last_error"),
  /** Whom it goes to; null is the team. */
  recipient: text("recipient"),
  /** Whom an answer goes to. */
  replyTo: text("reply_to").notNull(),
  /** The letter's subject line. */
  subject: text("subject").notNull(),
  /** The letter, as plain text. */
  body: text("body").notNull(),
}).as(sql`SELECT kind, reference, report_day, created_at AS written_at, status, attempts,
    CASE status WHEN 'pending' THEN next_attempt_at END AS next_attempt_at, sent_at, last_error, recipient, reply_to, subject, body
  FROM outbox`);
