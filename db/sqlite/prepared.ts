import { type Placeholder, sql } from "drizzle-orm";
import type { Db } from "./open.ts";

/**
 * A statement that is prepared once for each database: for what every visitor waits for, where building
 * and preparing the SQL would take longer than running it. It runs in whatever transaction is open.
 */
export function prepared<Statement>(prepare: (db: Db) => Statement): (db: Db) => Statement {
  const statements = new WeakMap<Db, Statement>();
  return (db) => {
    let statement = statements.get(db);
    if (!statement) {
      statement = prepare(db);
      statements.set(db, statement);
    }
    return statement;
  };
}

/** A place for each named column of an insert, filled when it runs. */
export function placeholders<Name extends string>(
  ...names: Name[]
): Record<Name, Placeholder<Name>> {
  const entries = names.map((name) => [name, sql.placeholder(name)]);
  return Object.fromEntries(entries) as Record<Name, Placeholder<Name>>;
}
