CREATE TABLE `subscription_receipts` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`reference` text NOT NULL,
	`created_at` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `subscription_receipts_reference_unique` ON `subscription_receipts` (`reference`);--> statement-breakpoint
ALTER TABLE `outbox` ADD `accepted_by` text;--> statement-breakpoint
ALTER TABLE `outbox` ADD `summary_id` integer;--> statement-breakpoint
CREATE INDEX `outbox_reference` ON `outbox` (`reference`);--> statement-breakpoint
CREATE INDEX `outbox_result_link` ON `outbox` (`result_link_id`) WHERE "outbox"."result_link_id" IS NOT NULL;--> statement-breakpoint
CREATE INDEX `outbox_summary` ON `outbox` (`summary_id`) WHERE "outbox"."summary_id" IS NOT NULL;