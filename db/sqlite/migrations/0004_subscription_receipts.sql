CREATE TABLE `subscription_receipts` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`reference` text NOT NULL,
	`created_at` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `subscription_receipts_reference_unique` ON `subscription_receipts` (`reference`);