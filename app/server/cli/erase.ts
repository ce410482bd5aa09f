import type { Command } from "commander";
import type { CommandStore } from "#db/store.ts";
import type { AuditAction, DeletedCounts, ErasedCounts } from "../../domain/data-subject.ts";

/**
 * Deletes requests with their files and emails, and a subscription, and replaces a marker's name. Records the counts in
 * the audit table. Each step has a transaction of its own, so posts can be stored in between. Call `scrub` afterwards.
 */
export async function erase(
  store: CommandStore,
  {
    references = [],
    subscription,
    marker,
  }: { references?: string[]; subscription?: string; marker?: string },
  action: AuditAction,
): Promise<ErasedCounts> {
  const auditId = await store.openAudit(action, new Date());
  const total: DeletedCounts = { requests: 0, files: 0, emails: 0, subscriptions: 0 };
  const add = (deleted: DeletedCounts) => {
    for (const key of Object.keys(total) as (keyof DeletedCounts)[]) total[key] += deleted[key];
  };
  for (const reference of references) add(await store.eraseRequest(reference, auditId));
  if (subscription !== undefined) add(await store.eraseSubscription(subscription, auditId));
  if (marker === undefined) return total;
  const { markingLinks, ...counts } = await store.eraseMarker(marker, auditId, new Date());
  add(counts);
  return { ...total, ...(markingLinks && { markingLinks }) };
}

export const addVacuumFlag = (command: Command): Command =>
  command.option(
    "--no-vacuum",
    "do not rewrite the database file, which takes minutes for many gigabytes; no form can be stored meanwhile",
  );

/** Makes deleted rows unreadable in SQLite's files; without `vacuum`, unused pages may still have parts of them. */
export async function scrub(store: CommandStore, { vacuum }: { vacuum: boolean }): Promise<void> {
  await store.scrub({ vacuum });
  if (!vacuum) {
    process.stderr.write(
      "The file was not rewritten (--no-vacuum): unused pages may still contain parts of what was deleted. Run the command again without the flag when there is time.\n",
    );
  }
}
