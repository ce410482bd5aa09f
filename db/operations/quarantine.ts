import { and, count, eq, isNotNull, lt, notInArray } from "drizzle-orm";
import { dayOf } from "../../app/domain/day.ts";
import type { DailySpam, Email } from "../../app/domain/email.ts";
import type { NewTeamLink } from "../../app/domain/team.ts";
import { countRows, type Tx, updateRows } from "../operation.ts";
import { inbox, outbox, requestTables } from "../schema.ts";
import { addToOutbox } from "./add-to-outbox.ts";
import { belongsTo, isRequestEmail } from "./request-owner.ts";
import { replaceTeamLink } from "./team-links.ts";

/**
 * Takes a request out of quarantine and releases its email. Returns whether it was in quarantine.
 * @param link to the team's page, for an upload that is no test
 */
export async function releaseFromQuarantine(
  tx: Tx,
  reference: string,
  now: Date,
  link?: NewTeamLink,
): Promise<boolean> {
  let released = 0;
  for (const table of requestTables) {
    const isInQuarantine = and(eq(table.reference, reference), isNotNull(table.spam));
    released += await updateRows(tx, table, isInQuarantine, { spam: null });
  }
  if (released === 0) return false;
  if (link && (await replaceTeamLink(tx, reference, link, now))) {
    await tx.update(outbox).set({ link: link.url }).where(isRequestEmail(tx, reference));
  }
  await tx
    .update(outbox)
    .set({ status: "pending", nextAttemptAt: now.toISOString() })
    .where(and(belongsTo(tx, outbox, reference), eq(outbox.status, "on hold")));
  return true;
}

/** Past days with requests in quarantine that no spam report covers yet. */
export async function findUnreportedSpam(tx: Tx, now: Date): Promise<DailySpam[]> {
  const day = tx.dayOf(inbox.receivedAt);
  const reported = tx
    .select({ day: outbox.reportDay })
    .from(outbox)
    .where(isNotNull(outbox.reportDay));
  return await tx
    .select({ day, count: count() })
    .from(inbox)
    .where(and(isNotNull(inbox.spam), lt(day, dayOf(now.toISOString())), notInArray(day, reported)))
    .groupBy(day);
}

/** Puts the spam report of a day into the outbox, unless that day has one. */
export async function reportSpam(tx: Tx, day: string, email: Email, now: Date): Promise<void> {
  if ((await countRows(tx, outbox, eq(outbox.reportDay, day))) > 0) return;
  await addToOutbox(tx, email, {
    kind: "spam report",
    reference: null,
    reportDay: day,
    createdAt: now.toISOString(),
    isOnHold: false,
  });
}
