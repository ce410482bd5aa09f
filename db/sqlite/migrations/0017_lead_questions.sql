CREATE TABLE `lead_questions` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`marking_link_id` integer NOT NULL,
	`submission_id` integer NOT NULL,
	`question_number` text NOT NULL,
	`text` text NOT NULL,
	`created_at` text NOT NULL,
	`reply` text,
	`replied_at` text,
	FOREIGN KEY (`marking_link_id`) REFERENCES `marking_links`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`submission_id`) REFERENCES `submissions`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `lead_questions_answer` ON `lead_questions` (`marking_link_id`,`submission_id`,`question_number`);--> statement-breakpoint
CREATE INDEX `lead_questions_submission` ON `lead_questions` (`submission_id`);--> statement-breakpoint
ALTER TABLE `mark_drafts` ADD `ask_text` text DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE INDEX `decisions_marking_link` ON `decisions` (`marking_link_id`,`created_at`) WHERE marking_link_id IS NOT NULL;--> statement-breakpoint
UPDATE `submissions` SET `answer_states` = coalesce((
	SELECT group_concat(`state`, '') FROM (
		SELECT CASE
			WHEN json_type(`value`, '$.proposedMarks') IS NULL THEN CASE
				WHEN json_type(`value`, '$.second') IS NULL THEN iif(json_extract(`value`, '$.marksAwarded') IS NULL, '-', 'p')
				ELSE iif(json_extract(`value`, '$.marksAwarded') IS NULL, 's', 't')
			END
			WHEN json_type(`value`, '$.second') IS NULL THEN 'd'
			WHEN json_type(`value`, '$.second.isResolved') IS NULL
				AND abs(json_extract(`value`, '$.marksAwarded') - json_extract(`value`, '$.second.marks')) > json_extract(`value`, '$.second.tolerance') THEN 'x'
			ELSE 'b'
		END AS `state` FROM json_each(`submissions`.`question_marks`) ORDER BY `key`
	)
), '');
