CREATE TABLE `team_actions` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`contact_request_id` integer NOT NULL,
	`audit_id` integer NOT NULL,
	`done_by` text NOT NULL,
	FOREIGN KEY (`contact_request_id`) REFERENCES `contact_requests`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`audit_id`) REFERENCES `audit`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `team_actions_audit_id_unique` ON `team_actions` (`audit_id`);--> statement-breakpoint
CREATE INDEX `team_actions_contact_request` ON `team_actions` (`contact_request_id`);--> statement-breakpoint
CREATE TABLE `team_links` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`contact_request_id` integer NOT NULL,
	`token_hash` text NOT NULL,
	`created_at` text NOT NULL,
	FOREIGN KEY (`contact_request_id`) REFERENCES `contact_requests`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `team_links_contact_request_id_unique` ON `team_links` (`contact_request_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `team_links_token_hash_unique` ON `team_links` (`token_hash`);--> statement-breakpoint
CREATE INDEX `audit_reference` ON `audit` (`reference`) WHERE "audit"."reference" IS NOT NULL;