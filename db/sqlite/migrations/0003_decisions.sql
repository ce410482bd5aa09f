CREATE TABLE `decisions` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`submission_id` integer NOT NULL,
	`question_number` text NOT NULL,
	`from_marks` real,
	`to_marks` real NOT NULL,
	`is_not_answered` integer NOT NULL,
	`comment` text,
	`decided_by` text NOT NULL,
	`result_link_id` integer,
	`how` text NOT NULL,
	`created_at` text NOT NULL,
	FOREIGN KEY (`submission_id`) REFERENCES `submissions`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`result_link_id`) REFERENCES `result_links`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE INDEX `decisions_submission` ON `decisions` (`submission_id`);--> statement-breakpoint
CREATE TABLE `signatures` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`assessment_id` integer NOT NULL,
	`signed_by` text NOT NULL,
	`result_link_id` integer,
	`created_at` text NOT NULL,
	`reopened_at` text,
	FOREIGN KEY (`assessment_id`) REFERENCES `assessments`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`result_link_id`) REFERENCES `result_links`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE INDEX `signatures_assessment` ON `signatures` (`assessment_id`);--> statement-breakpoint
ALTER TABLE `replaced_results` ADD `discarded_decisions` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `result_links` ADD `kind` text DEFAULT 'decide' NOT NULL;--> statement-breakpoint
ALTER TABLE `result_links` ADD `sender_name` text;--> statement-breakpoint
ALTER TABLE `result_links` ADD `opened_at` text;--> statement-breakpoint
ALTER TABLE `result_links` ADD `reminded_at` text;