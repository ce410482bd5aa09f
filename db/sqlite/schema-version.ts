/** The layouts that a file can have: each migration leads from one to the next, and `user_version` counts them. */

export interface Migration {
  /** As in 0001_staging. */
  name: string;
  statements: string;
}

/** All of them, in their order. */
export const migrations: Migration[] = Object.entries(
  import.meta.glob<string>("./migrations/*.sql", { query: "?raw", import: "default", eager: true }),
)
  .map(([file, statements]) => ({ name: /(\w+)\.sql$/.exec(file)![1]!, statements }))
  .sort((a, b) => (a.name < b.name ? -1 : 1));

/** The layout that this program works with. */
export const currentSchemaVersion = migrations.length;
