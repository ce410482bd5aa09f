CREATE TABLE `leases` (
	`name` text PRIMARY KEY NOT NULL,
	`holder` text NOT NULL,
	`held_until` text NOT NULL
);
--> statement-breakpoint
-- Written by hand: of requests with the same fingerprint, only the newest keeps it.
UPDATE `contact_requests` SET `fingerprint` = NULL WHERE `id` NOT IN (SELECT max(`id`) FROM `contact_requests` GROUP BY `fingerprint`);--> statement-breakpoint
DROP INDEX `contact_requests_fingerprint`;--> statement-breakpoint
CREATE UNIQUE INDEX `contact_requests_fingerprint` ON `contact_requests` (`fingerprint`);--> statement-breakpoint
-- Written by hand: of requests with the same fingerprint, only the newest keeps it.
UPDATE `rubric_requests` SET `fingerprint` = NULL WHERE `id` NOT IN (SELECT max(`id`) FROM `rubric_requests` GROUP BY `fingerprint`);--> statement-breakpoint
DROP INDEX `rubric_requests_fingerprint`;--> statement-breakpoint
CREATE UNIQUE INDEX `rubric_requests_fingerprint` ON `rubric_requests` (`fingerprint`);--> statement-breakpoint
ALTER TABLE `outbox` ADD `lease` text;--> statement-breakpoint
ALTER TABLE `outbox` ADD `leased_until` text;