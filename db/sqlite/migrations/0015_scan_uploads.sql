CREATE TABLE `scan_parts` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`upload_id` integer NOT NULL,
	`scan` integer NOT NULL,
	`position` integer NOT NULL,
	`size` integer NOT NULL,
	`bytes` blob NOT NULL,
	FOREIGN KEY (`upload_id`) REFERENCES `scan_uploads`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `scan_parts_position` ON `scan_parts` (`upload_id`,`scan`,`position`);--> statement-breakpoint
CREATE TABLE `scan_uploads` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`assessment_id` integer NOT NULL,
	`upload_key` text NOT NULL,
	`scans` text NOT NULL,
	`script_pages` integer,
	`created_at` text NOT NULL,
	`queued_at` text,
	`outcome` text,
	FOREIGN KEY (`assessment_id`) REFERENCES `assessments`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `scan_uploads_key` ON `scan_uploads` (`assessment_id`,`upload_key`);