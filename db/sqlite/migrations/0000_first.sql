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
CREATE TABLE `contact_requests` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text NOT NULL,
	`email` text NOT NULL,
	`institution` text,
	`phone` text,
	`message` text NOT NULL,
	`request_type` text DEFAULT 'contact' NOT NULL,
	`created_at` text NOT NULL,
	`reference` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `contact_requests_reference_unique` ON `contact_requests` (`reference`);--> statement-breakpoint
CREATE TABLE `outbox` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`reference` text NOT NULL,
	`message_id` text NOT NULL,
	`subject` text NOT NULL,
	`body` text NOT NULL,
	`reply_to` text NOT NULL,
	`status` text DEFAULT 'waiting' NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`next_attempt_at` text NOT NULL,
	`last_error` text,
	`created_at` text NOT NULL,
	`sent_at` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `outbox_message_id_unique` ON `outbox` (`message_id`);--> statement-breakpoint
CREATE INDEX `outbox_due` ON `outbox` (`status`,`next_attempt_at`);--> statement-breakpoint
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
	FOREIGN KEY (`assessment_questions`) REFERENCES `uploaded_files`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`grading_rubric`) REFERENCES `uploaded_files`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`marking_memo`) REFERENCES `uploaded_files`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `rubric_requests_reference_unique` ON `rubric_requests` (`reference`);--> statement-breakpoint
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
	FOREIGN KEY (`contact_request_id`) REFERENCES `contact_requests`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`rubric_request_id`) REFERENCES `rubric_requests`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "uploaded_files_one_owner" CHECK("uploaded_files"."contact_request_id" IS NULL OR "uploaded_files"."rubric_request_id" IS NULL)
);
--> statement-breakpoint
CREATE INDEX `uploaded_files_contact_request` ON `uploaded_files` (`contact_request_id`);--> statement-breakpoint
CREATE INDEX `uploaded_files_rubric_request` ON `uploaded_files` (`rubric_request_id`);--> statement-breakpoint
CREATE TABLE `users` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`username` text NOT NULL,
	`password` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_username_unique` ON `users` (`username`);