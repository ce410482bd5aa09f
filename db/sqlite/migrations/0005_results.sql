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
ALTER TABLE `outbox` ADD `recipient` text;--> statement-breakpoint
ALTER TABLE `outbox` ADD `link` text;--> statement-breakpoint
ALTER TABLE `outbox` ADD `result_link_id` integer REFERENCES result_links(id) ON DELETE cascade;--> statement-breakpoint
DROP VIEW `letters`;--> statement-breakpoint
CREATE VIEW `letters` AS SELECT reference, created_at AS written_at, status, attempts,
    CASE status WHEN 'waiting' THEN next_attempt_at END AS next_attempt_at, sent_at, last_error, recipient, reply_to, subject, body
  FROM outbox;