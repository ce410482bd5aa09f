CREATE TABLE `memo_points` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`assessment_id` integer NOT NULL,
	`question_number` text NOT NULL,
	`position` integer NOT NULL,
	`text` text NOT NULL,
	`worth` real NOT NULL,
	`withdrawn_at` text,
	FOREIGN KEY (`assessment_id`) REFERENCES `assessments`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `memo_points_question` ON `memo_points` (`assessment_id`,`question_number`);--> statement-breakpoint
ALTER TABLE `decisions` ADD `points` text;--> statement-breakpoint
ALTER TABLE `mark_drafts` ADD `ticks` text DEFAULT '' NOT NULL;