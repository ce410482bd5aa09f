DROP INDEX `outbox_reference`;--> statement-breakpoint
ALTER TABLE `outbox` ADD `contact_request_id` integer REFERENCES contact_requests(id) ON DELETE cascade;--> statement-breakpoint
ALTER TABLE `outbox` ADD `rubric_request_id` integer REFERENCES rubric_requests(id) ON DELETE cascade;--> statement-breakpoint
CREATE INDEX `outbox_contact_request` ON `outbox` (`contact_request_id`) WHERE "outbox"."contact_request_id" IS NOT NULL;--> statement-breakpoint
CREATE INDEX `outbox_rubric_request` ON `outbox` (`rubric_request_id`) WHERE "outbox"."rubric_request_id" IS NOT NULL;--> statement-breakpoint
UPDATE `outbox` SET `contact_request_id` = (SELECT `id` FROM `contact_requests` WHERE `contact_requests`.`reference` = `outbox`.`reference`), `rubric_request_id` = (SELECT `id` FROM `rubric_requests` WHERE `rubric_requests`.`reference` = `outbox`.`reference`) WHERE `reference` IS NOT NULL;--> statement-breakpoint
DROP VIEW `inbox`;--> statement-breakpoint
CREATE VIEW `inbox` AS SELECT reference, created_at AS received_at, form, request_type, name, email, phone, institution, message,
    (SELECT count(*) FROM uploaded_files WHERE contact_request_id = contact_requests.id) AS files, spam, is_test,
    confirmed_at, notice_version,
    (SELECT status FROM outbox WHERE contact_request_id = contact_requests.id AND kind = 'request') AS email_status
  FROM contact_requests
  UNION ALL
  SELECT reference, created_at, 'rubric-request', NULL, full_name, email, phone, institution, expected_improvements,
    (SELECT count(*) FROM uploaded_files WHERE rubric_request_id = rubric_requests.id), spam, is_test,
    NULL, NULL, (SELECT status FROM outbox WHERE rubric_request_id = rubric_requests.id AND kind = 'request')
  FROM rubric_requests
  ORDER BY received_at DESC;