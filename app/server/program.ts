import { parseReference } from "#db/reference.ts";
import { makeFolder } from "#db/sqlite/make-folder.ts";
import { openStore, type Store } from "#db/store.ts";
import { sampleToken } from "../domain/result.ts";
import { filePaths, formPaths, pagePaths, uncachedPaths } from "../site.ts";
import type { Config } from "./config/config.ts";
import { variableOf } from "./config/settings-table.ts";
import { cardsFor } from "./content/cards.ts";
import { readContent } from "./content/content.ts";
import { sampleResults } from "./content/sample.ts";
import { spamLetter } from "./email/compose.ts";
import { restingPostman, startPostman } from "./email/outbox-worker.ts";
import { openHealth } from "./http/health.ts";
import { openMetrics } from "./http/metrics.ts";
import type { VisitServices } from "./http/request-context.ts";
import { type HttpParts, openHttp } from "./http/server.ts";
import { Traffic } from "./http/traffic.ts";
import { openIntake } from "./intake/intake.ts";
import { keepBackups } from "./jobs/backup-job.ts";
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
  const { articles, legalPages } = readContent(config.content, brand, retentionDays, pagePaths);
  makeFolder(config.dataDir, 0o700);
  const store = await openStore(config.databaseFile, config.backups.folder, (error) => {
    log.error("nothing can be kept any more, so this program ends", error);
    process.exit(1);
  });
  const swept = await store.sweepStagedFiles(now());
  if (swept > 0) log.info(`${swept} files of unfinished uploads were removed`);
  const stopTidying = await tidyRegularly(store, config, now, log);
  const postman = config.mail
    ? startPostman(store, config.mail, now, log)
    : await restingPostman(store, log, variableOf("MAIL_URL"));
  const intake = openIntake(config, store, now, log, () => postman.wake());
  const backups = keepBackups(config, now, log);

  const traffic = new Traffic();
  const watched = { store, traffic, uploads: intake.uploads, backups };
  const metrics = openMetrics(config, watched, now, log);
  const health = openHealth(
    store,
    { dataDir: config.dataDir, diskFloorMb: config.diskFloorMb, hasMail: Boolean(config.mail) },
    now,
  );
  const sample = sampleResults();
  const services: VisitServices = {
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
    stopTidying();
    await backups.close();
    await postman.close();
    await store.close();
  };
  try {
    const cacheable = {
      paths: new Set([...pagePaths, ...filePaths, ...articles.map(({ slug }) => `/${slug}`)]),
      uncached: new Set(uncachedPaths),
      categories: new Set(articles.map(({ category }) => category)),
    };
    const http = await openHttp(config, {
      services,
      cacheable,
      formPaths: new Set(formPaths),
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
async function tidyRegularly(store: Store, config: Config, now: () => Date, log: Log) {
  const { retentionDays: days, brand, mail } = config;
  const tidy = async () => {
    try {
      await store.sweepStaging(now());
      await store.sweepStagedFiles(new Date(now().getTime() - longestRequestMs));
      const forgotten = await store.forgetRequestsBefore(new Date(now().getTime() - days * dayMs));
      if (forgotten > 0) log.info(`${forgotten} requests older than ${days} days were deleted`);
      for (const reference of await store.giveUpDeadLinks(now())) {
        log.error(
          `letter ${reference} is given up: the link to the marks ended before it was sent`,
        );
      }
      for (const { day, count } of await store.findUnreportedSpam(now())) {
        const team = mail?.to[0] ?? brand.email;
        const letter = spamLetter({ day, count, team, productName: brand.name });
        await store.reportSpam(day, letter, now());
      }
    } catch (error) {
      log.error("the regular tidying failed; trying again in five minutes", error);
    }
  };
  await tidy();
  const timer = setInterval(tidy, 5 * 60 * 1000);
  return () => clearInterval(timer);
}

/** Longer than any request may take; what is staged for longer was not discarded because the disk was full. */
const longestRequestMs = 2 * 60 * 60 * 1000;
const dayMs = 24 * 60 * 60 * 1000;
