ALTER TABLE `outbox` ADD `accepted_by` text;--> statement-breakpoint
ALTER TABLE `outbox` ADD `summary_id` integer;--> statement-breakpoint
CREATE INDEX `outbox_summary` ON `outbox` (`summary_id`) WHERE "outbox"."summary_id" IS NOT NULL;