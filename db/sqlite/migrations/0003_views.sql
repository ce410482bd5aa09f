CREATE VIEW `files_received` AS SELECT contact_requests.reference, contact_requests.created_at AS received_at, form, field, uploaded_files.name AS file_name,
    media_type, size, sha256, uploaded_files.id AS file_id, spam, is_test
  FROM uploaded_files JOIN contact_requests ON contact_requests.id = contact_request_id
  UNION ALL
  SELECT rubric_requests.reference, rubric_requests.created_at, 'rubric-request', field, uploaded_files.name,
    media_type, size, sha256, uploaded_files.id, spam, is_test
  FROM uploaded_files JOIN rubric_requests ON rubric_requests.id = rubric_request_id;--> statement-breakpoint
CREATE VIEW `letters` AS SELECT reference, created_at AS written_at, status, attempts,
    CASE status WHEN 'waiting' THEN next_attempt_at END AS next_attempt_at, sent_at, last_error, reply_to, subject, body
  FROM outbox;