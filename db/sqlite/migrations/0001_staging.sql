CREATE TABLE `staging` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`token_hash` text NOT NULL,
	`form` text NOT NULL,
	`expires_at` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `staging_token_hash_unique` ON `staging` (`token_hash`);--> statement-breakpoint
ALTER TABLE `contact_requests` ADD `fingerprint` text;--> statement-breakpoint
CREATE INDEX `contact_requests_fingerprint` ON `contact_requests` (`fingerprint`);--> statement-breakpoint
ALTER TABLE `outbox` ADD `first_attempt_at` text;--> statement-breakpoint
ALTER TABLE `uploaded_files` ADD `staging_id` integer REFERENCES staging(id) ON DELETE cascade;--> statement-breakpoint
CREATE INDEX `uploaded_files_staging` ON `uploaded_files` (`staging_id`);--> statement-breakpoint
CREATE INDEX `uploaded_files_staged` ON `uploaded_files` (`size`) WHERE "uploaded_files"."contact_request_id" IS NULL AND "uploaded_files"."rubric_request_id" IS NULL;