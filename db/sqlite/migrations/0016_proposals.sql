CREATE TABLE `imports` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`assessment_id` integer NOT NULL,
	`proposed_by` text NOT NULL,
	`proposals` integer NOT NULL,
	`learners` integer NOT NULL,
	`discarded_decisions` integer NOT NULL,
	`created_at` text NOT NULL,
	FOREIGN KEY (`assessment_id`) REFERENCES `assessments`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `imports_assessment` ON `imports` (`assessment_id`);--> statement-breakpoint
ALTER TABLE `decisions` ADD `reason` text;--> statement-breakpoint
ALTER TABLE `replaced_results` ADD `import_id` integer REFERENCES imports(id) ON DELETE cascade;--> statement-breakpoint
CREATE INDEX `replaced_results_import` ON `replaced_results` (`import_id`) WHERE import_id IS NOT NULL;