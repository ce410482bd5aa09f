ALTER TABLE "submissions" ADD COLUMN "is_number_listed" boolean DEFAULT false NOT NULL;--> statement-breakpoint
-- Numbers that the program gives are from 1 on, and hardly beyond the size of the class.
UPDATE "submissions" SET "is_number_listed" = true
WHERE CASE
	WHEN "learner_number" ~ '^[1-9][0-9]*$' THEN "learner_number"::numeric > 2 * (
		SELECT count(*) FROM "submissions" AS "class" WHERE "class"."assessment_id" = "submissions"."assessment_id"
	)
	ELSE "learner_number" IS NOT NULL
END;
