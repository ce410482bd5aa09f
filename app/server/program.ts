import { accessSync, constants } from "node:fs";
import { makeFolder } from "#db/make-folder.ts";
import type { Migrated } from "#db/sqlite/migrate-file.ts";
import { currentSchemaVersion } from "#db/sqlite/schema-version.ts";
import { openServerStore } from "#db/sqlite/server-store.ts";
import type { Store } from "#db/store.ts";
import { parseReference } from "#server/reference.ts";
import packageJson from "../../package.json";
import { program } from "../brand.ts";
import { sampleToken } from "../domain/result.ts";
import { describeApi } from "./api-description.ts";
import { openClock } from "./clock.ts";
import type { Config } from "./config/config.ts";
import { variableOf } from "./config/settings-table.ts";
import { cardsFor } from "./content/cards.ts";
import { readContent } from "./content/content.ts";
import { sampleResults } from "./content/sample.ts";
import { downloadOf } from "./downloads.ts";
import { startIdleOutboxWorker, startOutboxWorker } from "./email/outbox-worker.ts";
import { cacheRulesFor } from "./http/cache-rules.ts";
import { openHealth } from "./http/health.ts";
import { metricsHandler } from "./http/metrics.ts";
import type { RouteServices } from "./http/router-context.ts";
import { type HttpDependencies, openHttpServer } from "./http/server.ts";
import { Traffic } from "./http/traffic.ts";
import { openIntake } from "./intake/intake.ts";
import { startBackupJob } from "./jobs/backup-job.ts";
import { startCleanupJob } from "./jobs/cleanup-job.ts";
import { startDropFolderJob } from "./jobs/drop-folder-job.ts";
import type { Log } from "./log.ts";

/** ISO time, defined by the build. */
declare const BUILD_TIME: string;

export interface Program {
  /** URL of the site on this machine. */
  address: string;
  /** Waits for requests and an email in flight, then closes everything. */
  close(): Promise<void>;
}

/**
 * Opens the parts of the server in order. `close` closes them in reverse, as does an error while
 * opening.
 * @param files handles requests for scripts, styles and fonts
 */
export async function openProgram(
  config: Config,
  files: HttpDependencies["files"],
  log: Log,
): Promise<Program> {
  await using opened = new AsyncDisposableStack();
  const { content, brand, retentionDays } = config;
  const { articles, downloads, blog, legalPages } = readContent(content, brand, retentionDays);
  makeFolder(config.dataDir, 0o700);
  accessSync(config.dataDir, constants.W_OK | constants.X_OK);
  const store = await openStore(config, log);
  opened.defer(() => store.close());
  const clock = await openClock(store, new Date(BUILD_TIME));
  const { now } = clock;
  const deletedFiles = await store.deleteStaleStagedFiles(now());
  if (deletedFiles > 0) log.info(`${deletedFiles} files of unfinished uploads were deleted`);
  const backups = startBackupJob(config, now, log);
  opened.defer(() => backups.close());
  // Before the outbox worker, which then finds a spam report at once.
  opened.defer(await startCleanupJob(config, { store, clock, backups, log }));

  const outboxWorker = config.mail
    ? startOutboxWorker({ store, mail: config.mail, productName: brand.name, now, log })
    : await startIdleOutboxWorker(store, log, variableOf("MAIL_URL"));
  opened.defer(() => outboxWorker.close());

  const dropFolder = config.dropFolder
    ? startDropFolderJob(config.dropFolder, store, log)
    : undefined;
  opened.defer(() => dropFolder?.close());
  const intake = openIntake(config, store, now, log, () => {
    outboxWorker.wake();
    dropFolder?.wake();
  });
  const traffic = new Traffic();
  const { databaseFile, diskFloorMb } = config;
  const http = await openHttpServer(config, {
    services: {
      ...routeServicesFrom(config, store, now),
      articles,
      downloads,
      blog,
      legalPages,
      log,
      intake,
    },
    cacheRules: cacheRulesFor(articles),
    intake,
    files,
    downloads,
    health: openHealth(store, { databaseFile, diskFloorMb, hasMail: Boolean(config.mail) }, now),
    traffic,
    metrics: metricsHandler(config, { store, traffic, uploads: intake.uploads, backups }, now, log),
    log,
  });
  opened.defer(() => http.close());

  const parts = opened.move();
  return { address: http.address, close: () => parts.disposeAsync() };
}

/** Opens the database, and logs the start. The process ends if the database's thread does. */
async function openStore(config: Config, log: Log): Promise<Store> {
  let migrated: Migrated | undefined;
  const store = await openServerStore(
    config.databaseFile,
    config.backups.folder,
    (error) => {
      log.error("the database thread has stopped; exiting", error);
      process.exit(1);
    },
    (done) => {
      migrated = done;
    },
  );
  logStart(config, migrated, log);
  return store;
}

function logStart(config: Config, migrated: Migrated | undefined, log: Log): void {
  const url = config.publicUrl ?? "no public URL";
  log.info(
    `${program.command} ${packageJson.version}, ${url}, data folder ${config.dataDir}, schema version ${currentSchemaVersion}`,
  );
  if (migrated) {
    const { from, to, copy } = migrated;
    log.info(
      `migrated the database from schema version ${from} to ${to}; the copy of it is ${copy}`,
    );
  }
}

/** The part of the route context that depends only on the configuration and the store. */
function routeServicesFrom(config: Config, store: Store, now: () => Date) {
  const { brand, retentionDays, mail } = config;
  const origin = config.publicUrl ?? `http://localhost:${config.port}`;
  const sample = sampleResults();
  const findResults = async (token: string) =>
    token === sampleToken ? sample : ((await store.findResults(token, now())) ?? null);
  return {
    brand,
    origin,
    retentionDays,
    cards: cardsFor(brand),
    describeApi: () => describeApi(brand.name, origin),
    testForms: config.testForms ? { sender: mail?.from, team: mail?.to ?? [] } : undefined,
    findReceipt: async (forms, typed) => {
      const reference = parseReference(typed);
      return reference ? ((await store.findReceipt(forms, reference, now())) ?? null) : null;
    },
    findSubscription: async (token) => (await store.findSubscriptionByToken(token)) ?? null,
    confirmSubscription: (token) => store.confirmSubscription(token, now()),
    unsubscribe: async (token) => {
      await store.unsubscribe(token);
    },
    findResults,
    findDownload: async (token, file) => {
      const results = await findResults(token);
      return (results && downloadOf(results, file, brand.results.levels)) ?? null;
    },
  } satisfies Partial<RouteServices>;
}
