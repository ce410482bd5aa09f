CREATE TABLE `audit` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`created_at` text NOT NULL,
	`action` text NOT NULL,
	`requests` integer DEFAULT 0 NOT NULL,
	`files` integer DEFAULT 0 NOT NULL,
	`letters` integer DEFAULT 0 NOT NULL,
	`subscriptions` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
ALTER TABLE `contact_requests` ADD `confirmed_at` text;--> statement-breakpoint
ALTER TABLE `contact_requests` ADD `notice_version` text;--> statement-breakpoint
DROP VIEW `inbox`;--> statement-breakpoint
CREATE VIEW `inbox` AS SELECT reference, created_at AS received_at, form, request_type, name, email, phone, institution, message,
    (SELECT count(*) FROM uploaded_files WHERE contact_request_id = contact_requests.id) AS files, spam, is_test,
    confirmed_at, notice_version
  FROM contact_requests
  UNION ALL
  SELECT reference, created_at, 'rubric-request', NULL, full_name, email, phone, institution, expected_improvements,
    (SELECT count(*) FROM uploaded_files WHERE rubric_request_id = rubric_requests.id), spam, is_test,
    NULL, NULL
  FROM rubric_requests;