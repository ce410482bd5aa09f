import type { Db } from "./open.ts";

/**
 * Does all of a submission or nothing of it: in a transaction of its own, or in the one that it shares with
 * others. That one is undone whole where any of them fails, so that none of them needs a savepoint: those
 * copy every page that is changed, and took as much time as the submissions themselves.
 */
export function atomically<Result>(
  db: Db,
  work: (tx: Pick<Db, "select" | "insert" | "update" | "delete">) => Result,
): Result {
  return db.$client.inTransaction ? work(db) : db.transaction(work, { behavior: "immediate" });
}
