ALTER TABLE `clock` RENAME COLUMN `confirmed_at` TO `last_cleanup_at`;--> statement-breakpoint
ALTER TABLE `clock` DROP COLUMN `misdated_since`;--> statement-breakpoint
ALTER TABLE `clock` DROP COLUMN `suspicious_since`;--> statement-breakpoint
ALTER TABLE `clock` DROP COLUMN `suspicious_read_at`;--> statement-breakpoint
ALTER TABLE `clock` DROP COLUMN `suspicious_uptime_ms`;