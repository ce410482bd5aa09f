CREATE TABLE `__new_mark_drafts` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`marking_link_id` integer,
	`submission_id` integer NOT NULL,
	`question_number` text NOT NULL,
	`marks` text NOT NULL,
	`comment` text NOT NULL,
	`updated_at` text NOT NULL,
	`is_not_answered` integer DEFAULT false NOT NULL,
	`stamp_text` text DEFAULT '' NOT NULL,
	`result_link_id` integer,
	FOREIGN KEY (`marking_link_id`) REFERENCES `marking_links`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`submission_id`) REFERENCES `submissions`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`result_link_id`) REFERENCES `result_links`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
INSERT INTO `__new_mark_drafts`("id", "marking_link_id", "submission_id", "question_number", "marks", "comment", "updated_at", "is_not_answered", "stamp_text") SELECT "id", "marking_link_id", "submission_id", "question_number", "marks", "comment", "updated_at", "is_not_answered", "stamp_text" FROM `mark_drafts`;--> statement-breakpoint
DROP TABLE `mark_drafts`;--> statement-breakpoint
ALTER TABLE `__new_mark_drafts` RENAME TO `mark_drafts`;--> statement-breakpoint
CREATE UNIQUE INDEX `mark_drafts_answer` ON `mark_drafts` (`marking_link_id`,`submission_id`,`question_number`);--> statement-breakpoint
CREATE UNIQUE INDEX `mark_drafts_educator` ON `mark_drafts` (`result_link_id`,`submission_id`,`question_number`);--> statement-breakpoint
CREATE INDEX `mark_drafts_submission` ON `mark_drafts` (`submission_id`);--> statement-breakpoint
CREATE TABLE `__new_open_answers` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`marking_link_id` integer,
	`submission_id` integer NOT NULL,
	`question_number` text NOT NULL,
	`opened_at` text NOT NULL,
	`result_link_id` integer,
	FOREIGN KEY (`marking_link_id`) REFERENCES `marking_links`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`submission_id`) REFERENCES `submissions`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`result_link_id`) REFERENCES `result_links`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
INSERT INTO `__new_open_answers`("id", "marking_link_id", "submission_id", "question_number", "opened_at") SELECT "id", "marking_link_id", "submission_id", "question_number", "opened_at" FROM `open_answers`;--> statement-breakpoint
DROP TABLE `open_answers`;--> statement-breakpoint
ALTER TABLE `__new_open_answers` RENAME TO `open_answers`;--> statement-breakpoint
CREATE UNIQUE INDEX `open_answers_answer` ON `open_answers` (`marking_link_id`,`submission_id`,`question_number`);--> statement-breakpoint
CREATE UNIQUE INDEX `open_answers_educator` ON `open_answers` (`result_link_id`,`submission_id`,`question_number`);--> statement-breakpoint
CREATE INDEX `open_answers_submission` ON `open_answers` (`submission_id`);--> statement-breakpoint
ALTER TABLE `stamps` ADD `result_link_id` integer REFERENCES result_links(id) ON DELETE set null;--> statement-breakpoint
ALTER TABLE `submissions` ADD `answer_states` text DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE INDEX `submissions_states` ON `submissions` (`assessment_id`,`id`,`no_grade`,`grade`,`answer_states`,`learner_number`,`student_name`);--> statement-breakpoint
CREATE INDEX `decisions_comments` ON `decisions` (`submission_id`,`question_number`) WHERE comment IS NOT NULL;--> statement-breakpoint
UPDATE `submissions` SET `answer_states` = coalesce((
	SELECT group_concat(`state`, '') FROM (
		SELECT CASE
			WHEN json_type(`value`, '$.second') IS NULL THEN iif(json_type(`value`, '$.proposedMarks') IS NULL, '-', 'd')
			WHEN json_type(`value`, '$.proposedMarks') IS NULL THEN 's'
			WHEN json_type(`value`, '$.second.isResolved') IS NULL
				AND abs(json_extract(`value`, '$.marksAwarded') - json_extract(`value`, '$.second.marks')) > json_extract(`value`, '$.second.tolerance') THEN 'x'
			ELSE 'b'
		END AS `state` FROM json_each(`submissions`.`question_marks`) ORDER BY `key`
	)
), '');
