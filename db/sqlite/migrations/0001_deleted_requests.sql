CREATE TABLE `deleted_requests` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`reference_hash` text NOT NULL,
	`created_at` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `deleted_requests_reference_hash_unique` ON `deleted_requests` (`reference_hash`);