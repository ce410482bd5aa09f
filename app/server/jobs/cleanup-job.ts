import { randomUUID } from "node:crypto";
import type { Store } from "#db/store.ts";
import type { ClockState } from "../../domain/clock.ts";
import { counted } from "../../domain/counted.ts";
import type { Clock } from "../clock.ts";
import { type Config, teamAddress } from "../config/config.ts";
import { spamReportEmail } from "../email/compose.ts";
import { confirmationDays } from "../email/visitor-emails.ts";
import type { Log } from "../log.ts";
import { type Loop, startLoop } from "../loop.ts";
import type { BackupJob } from "./backup-job.ts";

const intervalMs = 5 * 60 * 1000;

/**
 * Longer than any request may take. An older staged file was left behind, for example because the
 * disk was full.
 */
const maxRequestSeconds = 2 * 60 * 60;
const dayMs = 24 * 60 * 60 * 1000;

/** A larger part of all requests is deleted only after a backup: a wrong clock may be the reason. */
const maxPartDeleted = 0.05;

/** Requests that one transaction deletes, with up to 52 files each. Posts wait for no more. */
const maxDeleted = 10;

/** Longer than a batch of deletions takes, after which the lease is renewed. */
const leaseSeconds = 10 * 60;

interface CleanupDependencies {
  store: Store;
  clock: Clock;
  backups: Pick<BackupJob, "backUp">;
  log: Log;
  /** Called when a spam report is in the outbox. */
  onReported: () => void;
}

/**
 * Deletes expired drafts, staged files and requests, fails emails whose links have expired, and
 * reports spam: at once, then every five minutes. Deletes nothing by age while the clock is not confirmed.
 */
export function startCleanupJob(config: Config, dependencies: CleanupDependencies): Loop {
  const { clock, log } = dependencies;
  let lastState: ClockState = "confirmed";
  const holder = randomUUID();
  /** One server at a time cleans up; another one continues when this one has ended. */
  const isOurs = () => dependencies.store.takeLease("cleanup", holder, leaseSeconds);
  const endLease = () => dependencies.store.takeLease("cleanup", holder, 0);
  return startLoop(async (closing) => {
    const mayContinue = async () => !closing.aborted && (await isOurs());
    try {
      const state = await clock.check();
      if (state !== lastState) logState(state, clock, log);
      lastState = state;
      if (!(await isOurs())) return intervalMs;
      await reportSpam(config, dependencies);
      if (state === "confirmed") await deleteExpired(config, dependencies, mayContinue);
      await endLease();
    } catch (error) {
      if (!closing.aborted) log.error("cleanup failed; retrying in five minutes", error);
    }
    return intervalMs;
  });
}

async function reportSpam(
  config: Config,
  { store, clock, onReported }: CleanupDependencies,
): Promise<void> {
  for (const { day, count } of await store.findUnreportedSpam(clock.now())) {
    const team = teamAddress(config);
    const email = spamReportEmail({ day, count, team, productName: config.brand.name });
    await store.reportSpam(day, email, clock.now());
    onReported();
  }
}

async function deleteExpired(
  config: Config,
  dependencies: CleanupDependencies,
  mayContinue: () => Promise<boolean>,
): Promise<void> {
  const { store, clock, log } = dependencies;
  const now = clock.now();
  await store.deleteExpiredDrafts(now);
  await store.deleteStaleStagedFiles(maxRequestSeconds);
  await store.deleteUnconfirmed(new Date(now.getTime() - confirmationDays * dayMs));
  for (const reference of await store.failExpiredLinks(now)) {
    log.error(`email ${reference} failed: the link to the results expired before it was sent`);
  }
  await deleteOldRequests(config.retentionDays, now, dependencies, mayContinue);
}

async function deleteOldRequests(
  days: number,
  now: Date,
  { store, backups, log }: CleanupDependencies,
  mayContinue: () => Promise<boolean>,
): Promise<void> {
  const before = new Date(now.getTime() - days * dayMs);
  const { old, all } = await store.countRequests(before);
  if (old > all * maxPartDeleted) await backups.backUp("before-retention");
  let deleted = 0;
  let last: number;
  do {
    last = await store.deleteRequestsBefore(before, maxDeleted, now);
    deleted += last;
  } while (last === maxDeleted && (await mayContinue()));
  if (deleted > 0) log.info(`deleted ${counted(deleted, "request")} older than ${days} days`);
}

function logState(state: ClockState, clock: Clock, log: Log): void {
  const known = clock.confirmedAt().toISOString();
  const messages: Record<ClockState, string> = {
    confirmed: "the clock is confirmed: data is deleted by age again",
    behind: `the clock is behind ${known}, a time that has passed: nothing is deleted by age until it is set`,
    ahead: `the clock is days ahead of ${known}, when the server last ran: nothing is deleted by age until the server has run for 24 hours`,
  };
  log[state === "confirmed" ? "info" : "warn"](messages[state]);
}
