CREATE TABLE `page_turns` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`file_id` integer NOT NULL,
	`page` integer NOT NULL,
	`turn` integer NOT NULL,
	FOREIGN KEY (`file_id`) REFERENCES `uploaded_files`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `page_turns_page` ON `page_turns` (`file_id`,`page`);--> statement-breakpoint
CREATE TABLE `stamps` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`file_id` integer NOT NULL,
	`page` integer,
	`paragraph` integer,
	`x` real,
	`y` real,
	`kind` text NOT NULL,
	`text` text NOT NULL,
	`question_number` text NOT NULL,
	`marking_link_id` integer,
	`created_at` text NOT NULL,
	FOREIGN KEY (`file_id`) REFERENCES `uploaded_files`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`marking_link_id`) REFERENCES `marking_links`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE INDEX `stamps_file` ON `stamps` (`file_id`);--> statement-breakpoint
ALTER TABLE `mark_drafts` ADD `is_not_answered` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `mark_drafts` ADD `stamp_text` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `marking_links` ADD `tolerance` real;--> statement-breakpoint
ALTER TABLE `submissions` ADD `is_blind` integer DEFAULT false NOT NULL;