-- Each decided mark says under whose link it was decided.
UPDATE "submissions" SET "question_marks" = (
	SELECT json_agg(CASE
		WHEN "mark"->'decision' IS NULL THEN "mark"
		ELSE jsonb_set("mark"::jsonb, '{decision,role}', coalesce((
			SELECT CASE
				WHEN "marking_link_id" IS NOT NULL THEN '"marker"'::jsonb
				WHEN "result_link_id" IS NOT NULL THEN '"educator"'::jsonb
			END FROM "decisions" WHERE "decisions"."id" = ("mark"->'decision'->>'id')::bigint
		), '"team"'::jsonb))::json
	END ORDER BY "position") FROM json_array_elements("question_marks") WITH ORDINALITY AS "marks"("mark", "position")
) WHERE "id" IN (SELECT "submission_id" FROM "decisions") AND "question_marks" IS NOT NULL;
