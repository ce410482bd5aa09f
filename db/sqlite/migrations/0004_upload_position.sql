DROP INDEX `uploaded_files_draft`;--> statement-breakpoint
ALTER TABLE `uploaded_files` ADD `position` integer;--> statement-breakpoint
CREATE UNIQUE INDEX `uploaded_files_draft_position` ON `uploaded_files` (`draft_id`,`position`);--> statement-breakpoint
ALTER TABLE `upload_drafts` ADD `reference` text;