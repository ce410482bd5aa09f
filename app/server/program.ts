import { parseReference } from "#db/reference.ts";
import { makeFolder } from "#db/sqlite/make-folder.ts";
import { openStore, type Store } from "#db/store.ts";
import { sampleToken } from "../domain/result.ts";
import { listedPaths } from "../site.ts";
import type { Config } from "./config/config.ts";
import { variableOf } from "./config/settings-table.ts";
import { cardsFor } from "./content/cards.ts";
import { readContent } from "./content/content.ts";
import { sampleResults } from "./content/sample.ts";
import { spamReportEmail } from "./email/compose.ts";
import { startIdleOutboxWorker, startOutboxWorker } from "./email/outbox-worker.ts";
import { cacheRulesFor } from "./http/cache-rules.ts";
import { openHealth } from "./http/health.ts";
import { openMetrics } from "./http/metrics.ts";
import type { RouteServices } from "./http/request-context.ts";
import { type HttpParts, openHttp } from "./http/server.ts";
import { Traffic } from "./http/traffic.ts";
import { openIntake } from "./intake/intake.ts";
import { startBackupJob } from "./jobs/backup-job.ts";
import type { Log } from "./log.ts";

export interface Program {
  /** Where the site can be visited. */
  address: string;
  /** Lets requests and the letter in flight finish, then closes everything. */
  close(): Promise<void>;
}

/**
 * Opens the parts in order; `close` closes them in reverse.
 * @param assets answers requests for scripts, styles and fonts, and passes on all others
 */
export async function openProgram(
  config: Config,
  assets: HttpParts["assets"],
  log: Log,
): Promise<Program> {
  const now = () => new Date();
  const { brand, retentionDays } = config;
  const { articles, legalPages } = readContent(config.content, brand, retentionDays, listedPaths);
  makeFolder(config.dataDir, 0o700);
  const store = await openStore(config.databaseFile, config.backups.folder, (error) => {
    log.error("nothing can be kept any more, so this program ends", error);
    process.exit(1);
  });
  const swept = await store.deleteStaleStagedFiles(now());
  if (swept > 0) log.info(`${swept} files of unfinished uploads were removed`);
  const stopCleanup = await startCleanupJob(store, config, now, log);
  const outboxWorker = config.mail
    ? startOutboxWorker(store, config.mail, now, log)
    : await startIdleOutboxWorker(store, log, variableOf("MAIL_URL"));
  const intake = openIntake(config, store, now, log, () => outboxWorker.wake());
  const backups = startBackupJob(config, now, log);

  const traffic = new Traffic();
  const watched = { store, traffic, uploads: intake.uploads, backups };
  const metrics = openMetrics(config, watched, now, log);
  const health = openHealth(
    store,
    { dataDir: config.dataDir, diskFloorMb: config.diskFloorMb, hasMail: Boolean(config.mail) },
    now,
  );
  const sample = sampleResults();
  const routeContext: RouteServices = {
    log,
    brand,
    origin: config.publicUrl ?? `http://localhost:${config.port}`,
    retentionDays,
    articles,
    legalPages,
    cards: cardsFor(brand),
    testForms: config.testForms
      ? { sender: config.mail?.from, team: config.mail?.to ?? [] }
      : undefined,
    receive: intake.receive,
    async findReceipt(forms, typed) {
      const reference = parseReference(typed);
      return reference ? store.findReceipt(forms, reference, now()) : null;
    },
    findResults: async (token) =>
      token === sampleToken ? sample : ((await store.findResults(token, now())) ?? null),
  };
  const closeParts = async () => {
    stopCleanup();
    await backups.close();
    await outboxWorker.close();
    await store.close();
  };
  try {
    const http = await openHttp(config, {
      routeContext,
      cacheRules: cacheRulesFor(articles),
      intake,
      assets,
      health,
      traffic,
      metrics,
      log,
    });
    return {
      address: http.address,
      async close() {
        await http.close();
        await closeParts();
      },
    };
  } catch (error) {
    await closeParts();
    throw error;
  }
}

/** What is due every few minutes: deletes what is older than promised, and tells of spam. Returns what stops it. */
async function startCleanupJob(store: Store, config: Config, now: () => Date, log: Log) {
  const { retentionDays: days, brand, mail } = config;
  const cleanUp = async () => {
    try {
      await store.deleteExpiredDrafts(now());
      await store.deleteStaleStagedFiles(new Date(now().getTime() - longestRequestMs));
      const deleted = await store.deleteRequestsBefore(new Date(now().getTime() - days * dayMs));
      if (deleted > 0) log.info(`${deleted} requests older than ${days} days were deleted`);
      for (const reference of await store.failExpiredLinks(now())) {
        log.error(
          `letter ${reference} is given up: the link to the marks ended before it was sent`,
        );
      }
      for (const { day, count } of await store.findUnreportedSpam(now())) {
        const team = mail?.to[0] ?? brand.email;
        const email = spamReportEmail({ day, count, team, productName: brand.name });
        await store.reportSpam(day, email, now());
      }
    } catch (error) {
      log.error("the regular tidying failed; trying again in five minutes", error);
    }
  };
  await cleanUp();
  const timer = setInterval(cleanUp, 5 * 60 * 1000);
  return () => clearInterval(timer);
}

/** Longer than any request may take; what is staged for longer was not discarded because the disk was full. */
const longestRequestMs = 2 * 60 * 60 * 1000;
const dayMs = 24 * 60 * 60 * 1000;
