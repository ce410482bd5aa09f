ALTER TABLE "open_answers" ADD COLUMN "is_ahead" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "submissions" ADD COLUMN "absence_reported_by" bigint;--> statement-breakpoint
ALTER TABLE "submissions" ADD CONSTRAINT "submissions_absence_reported_by_marking_links_id_fk" FOREIGN KEY ("absence_reported_by") REFERENCES "public"."marking_links"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "submissions_absence_reported_by" ON "submissions" USING btree ("absence_reported_by") WHERE absence_reported_by IS NOT NULL;