CREATE TABLE `clock` (
	`id` integer PRIMARY KEY NOT NULL,
	`confirmed_at` text NOT NULL,
	`misdated_since` text,
	`suspicious_since` text,
	`suspicious_read_at` text,
	`suspicious_uptime_ms` integer DEFAULT 0 NOT NULL,
	CONSTRAINT "clock_one_row" CHECK("clock"."id" = 1)
);
