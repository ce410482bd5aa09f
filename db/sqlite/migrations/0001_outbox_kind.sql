DROP VIEW `emails`;--> statement-breakpoint
CREATE TABLE `__new_outbox` (
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
	FOREIGN KEY (`result_link_id`) REFERENCES `result_links`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
INSERT INTO `__new_outbox` SELECT `id`,
	CASE WHEN `reference` LIKE 'spam %' THEN 'spam report' WHEN `recipient` IS NULL THEN 'request' ELSE 'results' END,
	CASE WHEN `reference` NOT LIKE 'spam %' THEN `reference` END,
	CASE WHEN `reference` LIKE 'spam %' THEN substr(`reference`, 6) END,
	`message_id`, `subject`, `body`, `recipient`, `reply_to`, `link`, `result_link_id`,
	CASE `last_error` WHEN 'discarded' THEN 'discarded' ELSE `status` END,
	`attempts`, `next_attempt_at`, `first_attempt_at`, `last_error`, `created_at`, `sent_at` FROM `outbox`;--> statement-breakpoint
UPDATE `sqlite_sequence` SET `seq` = (SELECT `seq` FROM `sqlite_sequence` WHERE `name` = 'outbox') WHERE `name` = '__new_outbox';--> statement-breakpoint
DROP TABLE `outbox`;--> statement-breakpoint
ALTER TABLE `__new_outbox` RENAME TO `outbox`;--> statement-breakpoint
CREATE UNIQUE INDEX `outbox_message_id_unique` ON `outbox` (`message_id`);--> statement-breakpoint
CREATE INDEX `outbox_due` ON `outbox` (`status`,`next_attempt_at`);--> statement-breakpoint
CREATE VIEW `emails` AS SELECT kind, reference, report_day, created_at AS written_at, status, attempts,
    CASE status WHEN 'pending' THEN next_attempt_at END AS next_attempt_at, sent_at, last_error, recipient, reply_to, subject, body
  FROM outbox;