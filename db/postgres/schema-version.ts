/** Schema versions of a PostgreSQL database. Each migration leads to the next version; schema_version stores it. */

export interface Migration {
  /** For example 0000_baseline. */
  name: string;
  statements: string[];
}

/** All migrations, in order. */
export const migrations: Migration[] = Object.entries(
  import.meta.glob<string>("./migrations/*.sql", { query: "?raw", import: "default", eager: true }),
)
  .map(([file, text]) => ({
    name: /(\w+)\.sql$/.exec(file)![1]!,
    statements: text.split("--> statement-breakpoint"),
  }))
  .sort((a, b) => (a.name < b.name ? -1 : 1));

/** The version that the first migration leads to: the schema of release 1.0.0. */
export const firstSchemaVersion = 2;

/** The version that this program works with. */
export const currentSchemaVersion = firstSchemaVersion + migrations.length - 1;

/** The migrations from a version to the current one; all of them for an empty database (version 0). */
export const migrationsAfter = (version: number): Migration[] =>
  migrations.slice(version === 0 ? 0 : version - firstSchemaVersion + 1);
