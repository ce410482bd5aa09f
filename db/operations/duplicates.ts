import { and, eq, gt, sql } from "drizzle-orm";
import { contactRequests, rubricRequests } from "../schema.ts";
import type { Db } from "../sqlite/open.ts";
import { prepared } from "../sqlite/prepared.ts";

export interface Submitted {
  id: number;
  reference: string;
}

/** The request that the very same post has made since a time, if any. */
export async function findDuplicate(
  db: Db,
  fingerprint: string,
  since: Date,
): Promise<Submitted | undefined> {
  return findDuplicateIn(db, fingerprint, since);
}

/** The same, to be called inside a transaction: there two equal posts at once cannot both find nothing. */
export function findDuplicateIn(db: Db, fingerprint: string, since: Date): Submitted | undefined {
  const wanted = { fingerprint, since: since.toISOString() };
  return contactDuplicate(db).get(wanted) ?? rubricDuplicate(db).get(wanted);
}

const contactDuplicate = preparedDuplicate(contactRequests);
const rubricDuplicate = preparedDuplicate(rubricRequests);

function preparedDuplicate(table: typeof contactRequests | typeof rubricRequests) {
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
