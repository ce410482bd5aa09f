DROP VIEW `inbox`;--> statement-breakpoint
CREATE VIEW `marks` AS SELECT contact_requests.reference, assessments.status, student_name AS learner, file_name, grade, feedback,
    processed_at AS imported_at
  FROM submissions JOIN assessments ON assessments.id = submissions.assessment_id
    JOIN assessment_submissions ON assessment_submissions.id = assessments.assessment_submission_id
    JOIN contact_requests ON contact_requests.id = assessment_submissions.contact_id
  WHERE grade IS NOT NULL;--> statement-breakpoint
CREATE VIEW `inbox` AS SELECT reference, created_at AS received_at, form, request_type, name, email, phone, institution, message,
    (SELECT count(*) FROM uploaded_files WHERE contact_request_id = contact_requests.id) AS files, spam, is_test,
    confirmed_at, notice_version,
    (SELECT status FROM outbox WHERE outbox.reference = contact_requests.reference AND kind = 'request') AS email_status
  FROM contact_requests
  UNION ALL
  SELECT reference, created_at, 'rubric-request', NULL, full_name, email, phone, institution, expected_improvements,
    (SELECT count(*) FROM uploaded_files WHERE rubric_request_id = rubric_requests.id), spam, is_test,
    NULL, NULL, (SELECT status FROM outbox WHERE outbox.reference = rubric_requests.reference AND kind = 'request')
  FROM rubric_requests
  ORDER BY received_at DESC;