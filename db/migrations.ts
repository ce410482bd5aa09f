/** Migrations from SQL files, by name. The first leads to `firstSchemaVersion`, each other one to the next version. */
export function migrationsIn(files: Record<string, string>, firstSchemaVersion: number) {
  // A name begins with its number, as in 0000_baseline, so the order of names is that of migrations.
  const migrations = Object.entries(files)
    .map(([file, statements]) => ({ name: /(\w+)\.sql$/.exec(file)![1]!, statements }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  return {
    migrations,
    /** The version that this program works with. */
    currentSchemaVersion: firstSchemaVersion + migrations.length - 1,
    /** The migrations from a version to the current one; all of them for an empty database (version 0). */
    migrationsAfter: (version: number) =>
      migrations.slice(Math.max(0, version - firstSchemaVersion + 1)),
  };
}
