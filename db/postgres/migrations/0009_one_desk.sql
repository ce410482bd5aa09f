ALTER TABLE "mark_drafts" ALTER COLUMN "marking_link_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "open_answers" ALTER COLUMN "marking_link_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "mark_drafts" ADD COLUMN "result_link_id" bigint;--> statement-breakpoint
ALTER TABLE "open_answers" ADD COLUMN "result_link_id" bigint;--> statement-breakpoint
ALTER TABLE "stamps" ADD COLUMN "result_link_id" bigint;--> statement-breakpoint
ALTER TABLE "submissions" ADD COLUMN "answer_states" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "mark_drafts" ADD CONSTRAINT "mark_drafts_result_link_id_result_links_id_fk" FOREIGN KEY ("result_link_id") REFERENCES "public"."result_links"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "open_answers" ADD CONSTRAINT "open_answers_result_link_id_result_links_id_fk" FOREIGN KEY ("result_link_id") REFERENCES "public"."result_links"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "stamps" ADD CONSTRAINT "stamps_result_link_id_result_links_id_fk" FOREIGN KEY ("result_link_id") REFERENCES "public"."result_links"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "decisions_comments" ON "decisions" USING btree ("submission_id","question_number") WHERE comment IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "mark_drafts_educator" ON "mark_drafts" USING btree ("result_link_id","submission_id","question_number");--> statement-breakpoint
CREATE UNIQUE INDEX "open_answers_educator" ON "open_answers" USING btree ("result_link_id","submission_id","question_number");--> statement-breakpoint
CREATE INDEX "stamps_result_link_id" ON "stamps" USING btree ("result_link_id");--> statement-breakpoint
CREATE INDEX "submissions_states" ON "submissions" USING btree ("assessment_id","id","no_grade","grade","answer_states","learner_number","student_name");--> statement-breakpoint
UPDATE "submissions" SET "answer_states" = coalesce((
	SELECT string_agg(CASE
		WHEN "mark"->'second' IS NULL THEN CASE WHEN "mark"->'proposedMarks' IS NULL THEN '-' ELSE 'd' END
		WHEN "mark"->'proposedMarks' IS NULL THEN 's'
		WHEN "mark"->'second'->'isResolved' IS NULL
			AND abs(("mark"->>'marksAwarded')::double precision - ("mark"->'second'->>'marks')::double precision) > ("mark"->'second'->>'tolerance')::double precision THEN 'x'
		ELSE 'b'
	END, '' ORDER BY "position") FROM json_array_elements("question_marks") WITH ORDINALITY AS "marks"("mark", "position")
), '');
