import type { Store } from "#db/store.ts";
import { type Config, teamAddress } from "../config/config.ts";
import { spamReportEmail } from "../email/compose.ts";
import type { Log } from "../log.ts";

const intervalMs = 5 * 60 * 1000;

/**
 * Longer than any request may take. An older staged file was left behind, for example because the
 * disk was full.
 */
const maxRequestMs = 2 * 60 * 60 * 1000;
const dayMs = 24 * 60 * 60 * 1000;

/**
 * Deletes expired drafts, staged files and requests, fails emails whose links have expired, and
 * reports spam: once before it resolves, then every five minutes. Returns a function that stops
 * it.
 */
export async function startCleanupJob(
  store: Store,
  config: Config,
  now: () => Date,
  log: Log,
): Promise<() => void> {
  const { retentionDays: days } = config;
  const cleanUp = async () => {
    try {
      await store.deleteExpiredDrafts(now());
      await store.deleteStaleStagedFiles(new Date(now().getTime() - maxRequestMs));
      const deleted = await store.deleteRequestsBefore(new Date(now().getTime() - days * dayMs));
      if (deleted > 0)
        log.info(`deleted ${deleted} request${deleted === 1 ? "" : "s"} older than ${days} days`);
      for (const reference of await store.failExpiredLinks(now())) {
        log.error(`email ${reference} failed: the link to the results expired before it was sent`);
      }
      for (const { day, count } of await store.findUnreportedSpam(now())) {
        const team = teamAddress(config);
        const email = spamReportEmail({ day, count, team, productName: config.brand.name });
        await store.reportSpam(day, email, now());
      }
    } catch (error) {
      log.error("cleanup failed; retrying in five minutes", error);
    }
  };
  await cleanUp();
  const timer = setInterval(cleanUp, intervalMs);
  return () => clearInterval(timer);
}
