CREATE TABLE `mark_drafts` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`marking_link_id` integer NOT NULL,
	`submission_id` integer NOT NULL,
	`question_number` text NOT NULL,
	`marks` text NOT NULL,
	`comment` text NOT NULL,
	`updated_at` text NOT NULL,
	FOREIGN KEY (`marking_link_id`) REFERENCES `marking_links`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`submission_id`) REFERENCES `submissions`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `mark_drafts_answer` ON `mark_drafts` (`marking_link_id`,`submission_id`,`question_number`);--> statement-breakpoint
CREATE INDEX `mark_drafts_submission` ON `mark_drafts` (`submission_id`);--> statement-breakpoint
CREATE TABLE `marking_links` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`assessment_id` integer NOT NULL,
	`marker_name` text NOT NULL,
	`email` text,
	`questions` text,
	`learners` text,
	`shows_names` integer NOT NULL,
	`token_hash` text NOT NULL,
	`created_at` text NOT NULL,
	`expires_at` text NOT NULL,
	`revoked_at` text,
	`opened_at` text,
	FOREIGN KEY (`assessment_id`) REFERENCES `assessments`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `marking_links_token_hash_unique` ON `marking_links` (`token_hash`);--> statement-breakpoint
CREATE INDEX `marking_links_assessment` ON `marking_links` (`assessment_id`);--> statement-breakpoint
CREATE TABLE `open_answers` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`marking_link_id` integer NOT NULL,
	`submission_id` integer NOT NULL,
	`question_number` text NOT NULL,
	`opened_at` text NOT NULL,
	FOREIGN KEY (`marking_link_id`) REFERENCES `marking_links`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`submission_id`) REFERENCES `submissions`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `open_answers_answer` ON `open_answers` (`marking_link_id`,`submission_id`,`question_number`);--> statement-breakpoint
CREATE INDEX `open_answers_submission` ON `open_answers` (`submission_id`);--> statement-breakpoint
CREATE TABLE `page_images` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`file_id` integer NOT NULL,
	`page` integer NOT NULL,
	`width` integer NOT NULL,
	`height` integer NOT NULL,
	`text` text,
	`warning` text,
	`bytes` blob NOT NULL,
	FOREIGN KEY (`file_id`) REFERENCES `uploaded_files`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `page_images_page` ON `page_images` (`file_id`,`page`);--> statement-breakpoint
CREATE TABLE `questions` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`assessment_id` integer NOT NULL,
	`number` text NOT NULL,
	`total` real NOT NULL,
	`text` text NOT NULL,
	`memo` text NOT NULL,
	`position` integer NOT NULL,
	`choice_group` integer,
	`choice_count` integer,
	FOREIGN KEY (`assessment_id`) REFERENCES `assessments`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `questions_number` ON `questions` (`assessment_id`,`number`);--> statement-breakpoint
CREATE TABLE `rendered_files` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`file_id` integer NOT NULL,
	`kind` text NOT NULL,
	`reason` text,
	`paragraphs` text,
	`created_at` text NOT NULL,
	FOREIGN KEY (`file_id`) REFERENCES `uploaded_files`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `rendered_files_file_id_unique` ON `rendered_files` (`file_id`);--> statement-breakpoint
CREATE TABLE `submission_files` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`submission_id` integer NOT NULL,
	`file_id` integer NOT NULL,
	`first_page` integer DEFAULT 1 NOT NULL,
	`last_page` integer,
	FOREIGN KEY (`submission_id`) REFERENCES `submissions`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`file_id`) REFERENCES `uploaded_files`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `submission_files_submission` ON `submission_files` (`submission_id`);--> statement-breakpoint
CREATE INDEX `submission_files_file` ON `submission_files` (`file_id`);--> statement-breakpoint
ALTER TABLE `decisions` ADD `marking_link_id` integer REFERENCES marking_links(id) ON DELETE set null;--> statement-breakpoint
ALTER TABLE `outbox` ADD `marking_link_id` integer REFERENCES marking_links(id) ON DELETE cascade;--> statement-breakpoint
CREATE INDEX `outbox_marking_link` ON `outbox` (`marking_link_id`) WHERE "outbox"."marking_link_id" IS NOT NULL;--> statement-breakpoint
ALTER TABLE `submissions` ADD `learner_number` text;--> statement-breakpoint
ALTER TABLE `submissions` ADD `no_grade` text;