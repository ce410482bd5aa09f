ALTER TABLE `submissions` ADD `is_number_listed` integer DEFAULT false NOT NULL;--> statement-breakpoint
-- Numbers that the program gives are from 1 on, and hardly beyond the size of the class.
UPDATE `submissions` SET `is_number_listed` = true
WHERE `learner_number` GLOB '*[^0-9]*' OR `learner_number` GLOB '0*' OR CAST(`learner_number` AS integer) > 2 * (
	SELECT count(*) FROM `submissions` AS `class` WHERE `class`.`assessment_id` = `submissions`.`assessment_id`
);
