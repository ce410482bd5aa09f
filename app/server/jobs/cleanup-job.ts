import type { Store } from "#db/store.ts";
import { counted } from "../../domain/counted.ts";
import { dayMs } from "../../domain/duration.ts";
import { confirmationDays, renderingDays } from "../../domain/service.ts";
import { type Config, senderOf } from "../config/load-config.ts";
import { reminderDays, reminderEmail, spamReportEmail } from "../email/compose.ts";
import type { Log } from "../log.ts";
import type { BackupJob } from "./backup-job.ts";
import { doubtAbout } from "./clock.ts";
import { leaseFor } from "./lease.ts";
import { type Loop, startLoop } from "./loop.ts";

const intervalMs = 5 * 60 * 1000;

/**
 * Longer than any request may take. An older staged file was left behind, for example because the
 * disk was full.
 */
const maxRequestSeconds = 2 * 60 * 60;
/** Uptime after which the clock is trusted: a time server would have set the clock by then. */
const doubtfulSeconds = 24 * 60 * 60;

/** Max part of all requests that is deleted without a backup: a wrong clock may make more requests look old. */
const maxPartDeleted = 0.05;

/** Max requests that one transaction deletes while posts wait: a request with 20 files of 300 kB takes 0.2 s. */
const maxDeleted = 3;

interface CleanupDependencies {
  store: Store;
  builtAt: Date;
  backups: Pick<BackupJob, "backUp" | "lastBackupAt">;
  log: Log;
  /** Called when a spam report or a reminder is in the outbox. */
  onReported: () => void;
}

/**
 * Cleans up at once, then every five minutes. While the clock is doubtful, the job only reports spam; a day after the
 * start the clock is trusted.
 */
export function startCleanupJob(config: Config, dependencies: CleanupDependencies): Loop {
  const { store, builtAt, log } = dependencies;
  let isDoubtful = false;
  const underLease = leaseFor(store, "cleanup");
  /** Sets `isDoubtful`, and logs a change of it. */
  const checkClock = async (now: Date) => {
    const isTrusted = process.uptime() >= doubtfulSeconds;
    const past = isTrusted ? undefined : await store.findPastTimes();
    const doubt = past && doubtAbout(now, { builtAt, ...past });
    if (doubt && !isDoubtful) {
      log.warn(
        `the clock says ${now.toISOString()}, but ${doubt.reason}: nothing is deleted by age until it is set, or the server has run for 24 hours`,
      );
    } else if (isDoubtful && !doubt) log.info("data is deleted by age again");
    isDoubtful = doubt !== undefined;
  };
  return startLoop(async (closing) => {
    try {
      const now = new Date();
      await checkClock(now);
      await underLease(closing, async (mayContinue) => {
        await reportSpam(config, now, dependencies);
        if (isDoubtful) return;
        await deleteExpired(config, now, dependencies);
        await deleteOldRequests(config.retentionDays, dependencies, { now, mayContinue });
      });
    } catch (error) {
      if (!closing.aborted) log.error("cleanup failed; retrying in five minutes", error);
    }
    return intervalMs;
  });
}

async function reportSpam(
  config: Config,
  now: Date,
  { store, onReported }: CleanupDependencies,
): Promise<void> {
  for (const { day, count } of await store.findUnreportedSpam(now)) {
    const email = spamReportEmail({ day, count, ...senderOf(config) });
    await store.reportSpam(day, email, now);
    onReported();
  }
}

async function deleteExpired(
  config: Config,
  now: Date,
  dependencies: CleanupDependencies,
): Promise<void> {
  const { store, log } = dependencies;
  await store.recordCleanup(now);
  await store.makePutOffEmailsDue(now);
  await store.deleteExpiredDrafts(now);
  await store.deleteStaleStagedFiles(maxRequestSeconds);
  await store.deleteStaleScanUploads(new Date(now.getTime() - dayMs));
  await store.deleteUnconfirmed(new Date(now.getTime() - confirmationDays * dayMs));
  for (const reference of await store.failExpiredLinks(now)) {
    log.error(`email ${reference} failed: its private link expired before it was sent`);
  }
  await store.deleteUnusedRenderings(new Date(now.getTime() - renderingDays * dayMs));
  await remindOfLinks(config, now, dependencies);
}

/** Reminds educators of links that end before the marks are signed. */
async function remindOfLinks(
  config: Config,
  now: Date,
  { store, onReported }: CleanupDependencies,
): Promise<void> {
  const sender = senderOf(config);
  for (const link of await store.listEndingLinks({ days: reminderDays, now })) {
    const dates = { createdAt: new Date(link.createdAt), expiresAt: new Date(link.expiresAt) };
    await store.remindOfLink(link, reminderEmail({ ...link, ...dates, ...sender }), now);
    onReported();
  }
}

async function deleteOldRequests(
  days: number,
  { store, backups, log }: CleanupDependencies,
  { now, mayContinue }: { now: Date; mayContinue(): Promise<boolean> },
): Promise<void> {
  const before = new Date(now.getTime() - days * dayMs);
  const { old, all } = await store.countRequests(before);
  // A backup of the past day has all old requests. A backup at each cleanup would push out those of the past week.
  const isBackedUp = now.getTime() - (backups.lastBackupAt()?.getTime() ?? 0) < dayMs;
  if (old > all * maxPartDeleted && !isBackedUp) await backups.backUp("before-retention");
  let deleted = 0;
  let inBatch: number;
  do {
    inBatch = await store.deleteRequestsBefore(before, maxDeleted, now);
    deleted += inBatch;
  } while (inBatch === maxDeleted && (await mayContinue()));
  if (deleted > 0) log.info(`deleted ${counted(deleted, "request")} older than ${days} days`);
}
