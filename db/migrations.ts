import path from "node:path";

/** @param firstSchemaVersion the version to which the first file leads; each later file leads to the next version */
export function migrationsIn(files: Record<string, string>, firstSchemaVersion: number) {
  // A name begins with its number, as in 0000_baseline, so the order of names is that of migrations.
  const migrations = Object.entries(files)
    .map(([file, statements]) => ({ name: path.basename(file, ".sql"), statements }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  return {
    migrations,
    currentSchemaVersion: firstSchemaVersion + migrations.length - 1,
    /** The migrations from a version to the current one; all of them for an empty database (version 0). */
    migrationsAfter: (version: number) =>
      migrations.slice(Math.max(0, version - firstSchemaVersion + 1)),
  };
}
