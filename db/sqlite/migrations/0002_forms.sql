CREATE TABLE `subscriptions` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`email` text NOT NULL,
	`created_at` text NOT NULL,
	`reference` text NOT NULL,
	`fingerprint` text,
	`spam` text,
	`is_test` integer DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `subscriptions_email_unique` ON `subscriptions` (`email`);--> statement-breakpoint
CREATE UNIQUE INDEX `subscriptions_reference_unique` ON `subscriptions` (`reference`);--> statement-breakpoint
ALTER TABLE `contact_requests` ADD `form` text DEFAULT 'contact' NOT NULL;--> statement-breakpoint
UPDATE `contact_requests` SET `form` = 'demo-upload';--> statement-breakpoint
ALTER TABLE `contact_requests` ADD `spam` text;--> statement-breakpoint
ALTER TABLE `contact_requests` ADD `is_test` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `rubric_requests` ADD `fingerprint` text;--> statement-breakpoint
ALTER TABLE `rubric_requests` ADD `spam` text;--> statement-breakpoint
ALTER TABLE `rubric_requests` ADD `is_test` integer DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX `rubric_requests_fingerprint` ON `rubric_requests` (`fingerprint`);--> statement-breakpoint
CREATE VIEW `inbox` AS SELECT reference, created_at AS received_at, form, request_type, name, email, phone, institution, message,
    (SELECT count(*) FROM uploaded_files WHERE contact_request_id = contact_requests.id) AS files, spam, is_test
  FROM contact_requests
  UNION ALL
  SELECT reference, created_at, 'rubric-request', NULL, full_name, email, phone, institution, expected_improvements,
    (SELECT count(*) FROM uploaded_files WHERE rubric_request_id = rubric_requests.id), spam, is_test
  FROM rubric_requests;