/** Schema versions of a PostgreSQL database. Each migration leads to the next version; schema_version stores it. */
import { migrationsIn } from "../migrations.ts";

/** The version that the first migration leads to: the schema of release 1.0.0. */
const firstSchemaVersion = 2;

export const { currentSchemaVersion, migrationsAfter } = migrationsIn(
  import.meta.glob<string>("./migrations/*.sql", { query: "?raw", import: "default", eager: true }),
  firstSchemaVersion,
);
