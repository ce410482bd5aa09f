CREATE TABLE `announcements` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`slug` text NOT NULL,
	`created_at` text NOT NULL,
	`recipients` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `announcements_slug_unique` ON `announcements` (`slug`);--> statement-breakpoint
CREATE TABLE `assessment_submissions` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`contact_id` integer NOT NULL,
	`questions_file_name` text NOT NULL,
	`rubric_file_name` text NOT NULL,
	`submission_file_count` integer NOT NULL,
	`submission_file_names` text,
	`questions_file_data` integer,
	`rubric_file_data` integer,
	`submission_files_data` text,
	`status` text DEFAULT 'submitted' NOT NULL,
	`created_at` text NOT NULL,
	FOREIGN KEY (`contact_id`) REFERENCES `contact_requests`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`questions_file_data`) REFERENCES `uploaded_files`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`rubric_file_data`) REFERENCES `uploaded_files`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `assessment_submissions_contact` ON `assessment_submissions` (`contact_id`);--> statement-breakpoint
CREATE TABLE `assessments` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer,
	`title` text NOT NULL,
	`questions_file` text,
	`rubric_file` text,
	`questions_content` text,
	`rubric_content` text,
	`assessment_data` text,
	`status` text DEFAULT 'pending' NOT NULL,
	`results` text,
	`created_at` text NOT NULL,
	`assessment_submission_id` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`assessment_submission_id`) REFERENCES `assessment_submissions`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `assessments_submission` ON `assessments` (`assessment_submission_id`);--> statement-breakpoint
CREATE TABLE `audit` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`created_at` text NOT NULL,
	`action` text NOT NULL,
	`requests` integer DEFAULT 0 NOT NULL,
	`files` integer DEFAULT 0 NOT NULL,
	`emails` integer DEFAULT 0 NOT NULL,
	`subscriptions` integer DEFAULT 0 NOT NULL,
	`reference` text
);
--> statement-breakpoint
CREATE TABLE `clock` (
	`id` integer PRIMARY KEY NOT NULL,
	`confirmed_at` text NOT NULL,
	`misdated_since` text,
	`suspicious_since` text,
	`suspicious_read_at` text,
	`suspicious_uptime_ms` integer DEFAULT 0 NOT NULL,
	CONSTRAINT "clock_one_row" CHECK("clock"."id" = 1)
);
--> statement-breakpoint
CREATE TABLE `contact_requests` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text NOT NULL,
	`email` text NOT NULL,
	`institution` text,
	`phone` text,
	`message` text NOT NULL,
	`request_type` text DEFAULT 'contact' NOT NULL,
	`created_at` text NOT NULL,
	`form` text DEFAULT 'contact' NOT NULL,
	`reference` text NOT NULL,
	`fingerprint` text,
	`spam` text,
	`is_test` integer DEFAULT false NOT NULL,
	`confirmed_at` text,
	`notice_version` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `contact_requests_reference_unique` ON `contact_requests` (`reference`);--> statement-breakpoint
CREATE UNIQUE INDEX `contact_requests_fingerprint` ON `contact_requests` (`fingerprint`);--> statement-breakpoint
CREATE TABLE `leases` (
	`name` text PRIMARY KEY NOT NULL,
	`holder` text NOT NULL,
	`held_until` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `outbox` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`kind` text DEFAULT 'request' NOT NULL,
	`reference` text,
	`report_day` text,
	`message_id` text NOT NULL,
	`subject` text NOT NULL,
	`body` text NOT NULL,
	`recipient` text,
	`reply_to` text NOT NULL,
	`link` text,
	`result_link_id` integer,
	`status` text DEFAULT 'pending' NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`next_attempt_at` text NOT NULL,
	`first_attempt_at` text,
	`last_error` text,
	`created_at` text NOT NULL,
	`sent_at` text,
	`accepted_by` text,
	`summary_id` integer,
	`lease` text,
	`leased_until` text,
	FOREIGN KEY (`result_link_id`) REFERENCES `result_links`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `outbox_message_id_unique` ON `outbox` (`message_id`);--> statement-breakpoint
CREATE INDEX `outbox_due` ON `outbox` (`status`,`next_attempt_at`);--> statement-breakpoint
CREATE INDEX `outbox_reference` ON `outbox` (`reference`);--> statement-breakpoint
CREATE INDEX `outbox_result_link` ON `outbox` (`result_link_id`) WHERE "outbox"."result_link_id" IS NOT NULL;--> statement-breakpoint
CREATE INDEX `outbox_recipient` ON `outbox` (`recipient`,`created_at`) WHERE "outbox"."recipient" IS NOT NULL;--> statement-breakpoint
CREATE INDEX `outbox_summary` ON `outbox` (`summary_id`) WHERE "outbox"."summary_id" IS NOT NULL;--> statement-breakpoint
CREATE TABLE `replaced_results` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`assessment_id` integer NOT NULL,
	`results` text NOT NULL,
	`replaced_at` text NOT NULL,
	FOREIGN KEY (`assessment_id`) REFERENCES `assessments`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `replaced_results_assessment` ON `replaced_results` (`assessment_id`);--> statement-breakpoint
CREATE TABLE `result_links` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`assessment_id` integer NOT NULL,
	`token_hash` text NOT NULL,
	`created_at` text NOT NULL,
	`expires_at` text NOT NULL,
	`revoked_at` text,
	FOREIGN KEY (`assessment_id`) REFERENCES `assessments`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `result_links_token_hash_unique` ON `result_links` (`token_hash`);--> statement-breakpoint
CREATE INDEX `result_links_assessment` ON `result_links` (`assessment_id`);--> statement-breakpoint
CREATE TABLE `rubric_requests` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`full_name` text NOT NULL,
	`email` text NOT NULL,
	`phone` text NOT NULL,
	`institution` text,
	`expected_improvements` text NOT NULL,
	`assessment_questions` integer,
	`grading_rubric` integer,
	`marking_memo` integer,
	`created_at` text NOT NULL,
	`reference` text NOT NULL,
	`fingerprint` text,
	`spam` text,
	`is_test` integer DEFAULT false NOT NULL,
	FOREIGN KEY (`assessment_questions`) REFERENCES `uploaded_files`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`grading_rubric`) REFERENCES `uploaded_files`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`marking_memo`) REFERENCES `uploaded_files`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `rubric_requests_reference_unique` ON `rubric_requests` (`reference`);--> statement-breakpoint
CREATE UNIQUE INDEX `rubric_requests_fingerprint` ON `rubric_requests` (`fingerprint`);--> statement-breakpoint
CREATE TABLE `submissions` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`assessment_id` integer,
	`student_name` text NOT NULL,
	`file_name` text NOT NULL,
	`submission_content` text,
	`grade` integer,
	`feedback` text,
	`question_marks` text,
	`processed_at` text,
	FOREIGN KEY (`assessment_id`) REFERENCES `assessments`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `submissions_assessment` ON `submissions` (`assessment_id`);--> statement-breakpoint
CREATE TABLE `subscription_links` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`subscription_id` integer NOT NULL,
	`token_hash` text NOT NULL,
	`created_at` text NOT NULL,
	FOREIGN KEY (`subscription_id`) REFERENCES `subscriptions`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `subscription_links_token_hash_unique` ON `subscription_links` (`token_hash`);--> statement-breakpoint
CREATE INDEX `subscription_links_subscription` ON `subscription_links` (`subscription_id`);--> statement-breakpoint
CREATE TABLE `subscription_receipts` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`reference` text NOT NULL,
	`created_at` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `subscription_receipts_reference_unique` ON `subscription_receipts` (`reference`);--> statement-breakpoint
CREATE TABLE `subscriptions` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`email` text NOT NULL,
	`created_at` text NOT NULL,
	`reference` text NOT NULL,
	`fingerprint` text,
	`spam` text,
	`is_test` integer DEFAULT false NOT NULL,
	`confirmed_at` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `subscriptions_email_unique` ON `subscriptions` (`email`);--> statement-breakpoint
CREATE UNIQUE INDEX `subscriptions_reference_unique` ON `subscriptions` (`reference`);--> statement-breakpoint
CREATE TABLE `upload_drafts` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`token_hash` text NOT NULL,
	`form` text NOT NULL,
	`expires_at` text NOT NULL,
	`reference` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `upload_drafts_token_hash_unique` ON `upload_drafts` (`token_hash`);--> statement-breakpoint
CREATE TABLE `uploaded_file_bytes` (
	`file_id` integer PRIMARY KEY NOT NULL,
	`bytes` blob NOT NULL,
	FOREIGN KEY (`file_id`) REFERENCES `uploaded_files`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `uploaded_files` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`field` text NOT NULL,
	`name` text NOT NULL,
	`media_type` text NOT NULL,
	`size` integer NOT NULL,
	`sha256` text NOT NULL,
	`created_at` text NOT NULL,
	`contact_request_id` integer,
	`rubric_request_id` integer,
	`draft_id` integer,
	`position` integer,
	FOREIGN KEY (`contact_request_id`) REFERENCES `contact_requests`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`rubric_request_id`) REFERENCES `rubric_requests`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`draft_id`) REFERENCES `upload_drafts`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "uploaded_files_one_owner" CHECK("uploaded_files"."contact_request_id" IS NULL OR "uploaded_files"."rubric_request_id" IS NULL)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `uploaded_files_draft_position` ON `uploaded_files` (`draft_id`,`position`);--> statement-breakpoint
CREATE INDEX `uploaded_files_staged` ON `uploaded_files` (`size`) WHERE "uploaded_files"."contact_request_id" IS NULL AND "uploaded_files"."rubric_request_id" IS NULL;--> statement-breakpoint
CREATE INDEX `uploaded_files_contact_request` ON `uploaded_files` (`contact_request_id`);--> statement-breakpoint
CREATE INDEX `uploaded_files_rubric_request` ON `uploaded_files` (`rubric_request_id`);--> statement-breakpoint
CREATE TABLE `users` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`username` text NOT NULL,
	`password` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_username_unique` ON `users` (`username`);--> statement-breakpoint
CREATE VIEW `emails` AS SELECT kind, reference, report_day, created_at AS written_at, status, attempts,
    CASE status WHEN 'pending' THEN next_attempt_at END AS next_attempt_at, sent_at, last_error, recipient, reply_to, subject, body
  FROM outbox;--> statement-breakpoint
CREATE VIEW `files_received` AS SELECT contact_requests.reference, contact_requests.created_at AS received_at, form, field, uploaded_files.name AS file_name,
    media_type, size, sha256, uploaded_files.id AS file_id, spam, is_test
  FROM uploaded_files JOIN contact_requests ON contact_requests.id = contact_request_id
  UNION ALL
  SELECT rubric_requests.reference, rubric_requests.created_at, 'rubric-request', field, uploaded_files.name,
    media_type, size, sha256, uploaded_files.id, spam, is_test
  FROM uploaded_files JOIN rubric_requests ON rubric_requests.id = rubric_request_id;--> statement-breakpoint
CREATE VIEW `inbox` AS SELECT reference, created_at AS received_at, form, request_type, name, email, phone, institution, message,
    (SELECT count(*) FROM uploaded_files WHERE contact_request_id = contact_requests.id) AS files, spam, is_test,
    confirmed_at, notice_version,
    (SELECT status FROM outbox WHERE outbox.reference = contact_requests.reference AND kind = 'request') AS email_status
  FROM contact_requests
  UNION ALL
  SELECT reference, created_at, 'rubric-request', NULL, full_name, email, phone, institution, expected_improvements,
    (SELECT count(*) FROM uploaded_files WHERE rubric_request_id = rubric_requests.id), spam, is_test,
    NULL, NULL, (SELECT status FROM outbox WHERE outbox.reference = rubric_requests.reference AND kind = 'request')
  FROM rubric_requests
  ORDER BY received_at DESC;--> statement-breakpoint
CREATE VIEW `marks` AS SELECT contact_requests.reference, assessments.status, student_name AS learner, file_name, grade, feedback,
    processed_at AS imported_at
  FROM submissions JOIN assessments ON assessments.id = submissions.assessment_id
    JOIN assessment_submissions ON assessment_submissions.id = assessments.assessment_submission_id
    JOIN contact_requests ON contact_requests.id = assessment_submissions.contact_id
  WHERE grade IS NOT NULL;