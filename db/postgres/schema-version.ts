/** The schema versions of a PostgreSQL database: the number of migrations, in the table schema_version. */

export interface Migration {
  /** For example 0001_outbox_kind. */
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

/** The version that this program works with. */
export const currentSchemaVersion = migrations.length;
