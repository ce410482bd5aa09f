-- Each decided mark says under whose link it was decided.
UPDATE `submissions` SET `question_marks` = (
	SELECT json_group_array(json(`mark`)) FROM (
		SELECT CASE
			WHEN json_type(`value`, '$.decision') IS NULL THEN `value`
			ELSE json_set(`value`, '$.decision.role', coalesce((
				SELECT CASE
					WHEN `marking_link_id` IS NOT NULL THEN 'marker'
					WHEN `result_link_id` IS NOT NULL THEN 'educator'
				END FROM `decisions` WHERE `decisions`.`id` = json_extract(`value`, '$.decision.id')
			), 'team'))
		END AS `mark` FROM json_each(`submissions`.`question_marks`) ORDER BY `key`
	)
) WHERE `id` IN (SELECT `submission_id` FROM `decisions`) AND `question_marks` IS NOT NULL;
