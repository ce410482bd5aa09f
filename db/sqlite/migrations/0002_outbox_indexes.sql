CREATE INDEX `outbox_reference` ON `outbox` (`reference`);--> statement-breakpoint
CREATE INDEX `outbox_result_link` ON `outbox` (`result_link_id`) WHERE "outbox"."result_link_id" IS NOT NULL;