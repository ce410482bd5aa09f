ALTER TABLE `open_answers` ADD `is_ahead` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `submissions` ADD `absence_reported_by` integer REFERENCES marking_links(id) ON DELETE set null;--> statement-breakpoint
CREATE INDEX `submissions_absence_reported_by` ON `submissions` (`absence_reported_by`) WHERE absence_reported_by IS NOT NULL;