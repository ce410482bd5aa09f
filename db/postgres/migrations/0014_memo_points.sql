ALTER TABLE "decisions" ADD COLUMN "points" json;--> statement-breakpoint
ALTER TABLE "mark_drafts" ADD COLUMN "ticks" text DEFAULT '' NOT NULL;