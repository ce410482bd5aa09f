import { type Placeholder, sql } from "drizzle-orm";
import type { Tx } from "./operation.ts";

/**
 * Prepares a statement once per connection. For the statements of every post: building and
 * preparing the SQL takes five times as long as running it (docs/benchmarks.md).
 */
export function prepared<Statement>(prepare: (tx: Tx) => Statement): (tx: Tx) => Statement {
  const statements = new WeakMap<Tx, Statement>();
  return (tx) => {
    let statement = statements.get(tx);
    if (!statement) {
      statement = prepare(tx);
      statements.set(tx, statement);
    }
    return statement;
  };
}

/** A placeholder for each named column of an insert. */
export function placeholders<Name extends string>(
  ...names: Name[]
): Record<Name, Placeholder<Name>> {
  const entries = names.map((name) => [name, sql.placeholder(name)]);
  return Object.fromEntries(entries) as Record<Name, Placeholder<Name>>;
}
