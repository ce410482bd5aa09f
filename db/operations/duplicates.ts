import { and, eq, gt, sql } from "drizzle-orm";
import { contactRequests, rubricRequests } from "../schema.ts";
import type { Db } from "../sqlite/open.ts";
import { prepared } from "../sqlite/prepared.ts";

export interface Submitted {
  id: number;
  reference: string;
}

/** The request that the very same post has made since a time, if any. */
export async function findRepeat(
  db: Db,
  fingerprint: string,
  since: Date,
): Promise<Submitted | undefined> {
  return repeatOf(db, fingerprint, since);
}

/** The same, to be called inside a transaction: there two equal posts at once cannot both find nothing. */
export function repeatOf(db: Db, fingerprint: string, since: Date): Submitted | undefined {
  const wanted = { fingerprint, since: since.toISOString() };
  return contactRepeat(db).get(wanted) ?? rubricRepeat(db).get(wanted);
}

const contactRepeat = preparedRepeat(contactRequests);
const rubricRepeat = preparedRepeat(rubricRequests);

function preparedRepeat(table: typeof contactRequests | typeof rubricRequests) {
  const { id, reference, fingerprint, createdAt } = table;
  return prepared((db) =>
    db
      .select({ id, reference })
      .from(table)
      .where(
        and(
          eq(fingerprint, sql.placeholder("fingerprint")),
          gt(createdAt, sql.placeholder("since")),
        ),
      )
      .prepare(),
  );
}
