import type { Store } from "#db/store.ts";
import { parseReference } from "#server/requests/reference.ts";
import { mailsFiles } from "../domain/recipients.ts";
import { writesToSubscribers } from "../domain/subscriber.ts";
import { builtAt } from "./build.ts";
import { localOrigin } from "./config/link-origin.ts";
import type { Config } from "./config/load-config.ts";
import { cardsFor } from "./content/cards.ts";
import { readContent } from "./content/read-content.ts";
import { deskServices } from "./desk-services.ts";
import { startIdleOutboxWorker, startOutboxWorker } from "./email/outbox-worker.ts";
import { describeApi } from "./http/api-description.ts";
import { metricsHandler } from "./http/metrics.ts";
import { loadPages } from "./http/pages.ts";
import { openHealth } from "./http/readiness-checks.ts";
import type { RouteServices } from "./http/router-context.ts";
import { type HttpDependencies, openHttpServer } from "./http/server.ts";
import { newTraffic } from "./http/traffic.ts";
import { openIntake } from "./intake/intake.ts";
import { startBackupJob } from "./jobs/backup-job.ts";
import { startClassJobs } from "./jobs/class-job.ts";
import { startCleanupJob } from "./jobs/cleanup-job.ts";
import { openClock } from "./jobs/clock.ts";
import { startDropFolderJob } from "./jobs/drop-folder-job.ts";
import type { Log } from "./log.ts";
import { resultsServices } from "./results-services.ts";
import { openStore, type StartedDatabase } from "./start-database.ts";
import { teamServices } from "./team-services.ts";
import { openVirusScanner } from "./virus-scanner.ts";
import type { WebhookDependencies } from "./webhook/webhook-worker.ts";

export interface Program {
  /** URL of the site on this machine, or the path of its Unix socket. */
  address: string;
  /** Waits for requests in flight, for 30 seconds at most, and for an email that is being sent; closes everything. */
  close(): Promise<void>;
}

/**
 * Opens the parts of the server in order. `close`, or an error while opening, closes them in reverse.
 * @param files handles requests for the built files, such as scripts and styles
 */
export async function openProgram(
  config: Config,
  database: StartedDatabase,
  files: HttpDependencies["files"],
  log: Log,
): Promise<Program> {
  await using opened = new AsyncDisposableStack();
  const { file: databaseFile } = database.engine;
  const contentPages = readContent(config);
  for (const warning of contentPages.warnings) log.warn(warning);
  // The database opens on its own thread while the main thread loads the pages.
  const [store, pages] = await Promise.all([openStore(database, config, log), loadPages()]);
  opened.defer(() => store.close());
  const now = openClock({ builtAt, ...(await store.findPastTimes()) });
  const backups = opened.adopt(startBackupJob(config, now, log), (job) => job.close());

  const { outboxWorker, dropFolderJob, onReceived } = await openSenders(
    config,
    { store, now, log },
    opened,
  );
  opened.adopt(startClassJobs({ ...config, store }, log, outboxWorker.wake), (job) => job.close());
  const hasMail = config.mail !== undefined;
  const scanner = config.scannerAddress && openVirusScanner(config.scannerAddress, log);
  const intake = openIntake(config, { store, now, log, scanner, onReceived });
  const traffic = newTraffic();
  const http = await openHttpServer(config, {
    pages,
    services: {
      ...routeServicesFrom(config, store, now),
      ...resultsServices(config, { store, now, log, onStored: onReceived }),
      desk: deskServices(config, { store, now, log }),
      team: teamServices(config, { store, now, onStored: onReceived }),
      ...contentPages,
      log,
      intake,
    },
    files,
    health: openHealth(store, { databaseFile, hasMail, scanner, dropFolderJob, now, log }),
    traffic,
    metrics: metricsHandler(
      config,
      {
        store,
        databaseFile,
        traffic,
        outboxWorker,
        backups,
        dropFolderJob,
        now,
        uploads: intake.uploads,
        hasWebhook: config.webhook !== undefined,
      },
      log,
    ),
  });
  // The cleanup starts after the server listens: after a long pause it may have much to delete.
  const onReported = () => outboxWorker.wake();
  const cleanupJob = startCleanupJob(config, { store, builtAt, backups, log, onReported });
  // Close these together: a cleanup may wait for a backup, and the server must not accept connections meanwhile.
  opened.defer(async () => {
    await Promise.all([http.close(), cleanupJob.close(), backups.close()]);
  });

  const parts = opened.move();
  return { address: http.address, close: () => parts.disposeAsync() };
}

/** Starts the jobs that pass requests on: as emails, as webhooks, as files in a folder. `opened` closes each job. */
async function openSenders(
  { brand, mail, webhook, dropFolder, publicUrl }: Config,
  { store, now, log }: { store: Store; now: () => Date; log: Log },
  opened: AsyncDisposableStack,
) {
  const outboxWorker = mail
    ? startOutboxWorker({ store, mail, productName: brand.name, publicUrl, now, log })
    : await startIdleOutboxWorker(store, log);
  opened.defer(() => outboxWorker.close());
  const webhookWorker = webhook && (await startWebhooks({ store, webhook, now, log }));
  opened.defer(() => webhookWorker?.close());
  const dropFolderJob = dropFolder ? startDropFolderJob(dropFolder, store, log) : undefined;
  opened.defer(() => dropFolderJob?.close());
  const onReceived = () => {
    outboxWorker.wake();
    webhookWorker?.wake();
    dropFolderJob?.wake();
  };
  return { outboxWorker, dropFolderJob, onReceived };
}

async function startWebhooks(dependencies: WebhookDependencies) {
  const { startWebhookWorker } = await import("./webhook/webhook-worker.ts");
  return startWebhookWorker(dependencies);
}

/** The part of the route context that depends only on the configuration, the store and the clock. */
function routeServicesFrom(config: Config, store: Store, now: () => Date) {
  const { brand, retentionDays, maxFileBytes, mail } = config;
  const origin = config.publicUrl ?? localOrigin(config);
  return {
    brand,
    origin,
    retentionDays,
    maxFileBytes,
    mailsFiles: mailsFiles(mail),
    writesToSubscribers: writesToSubscribers(config),
    cards: cardsFor(brand),
    describeApi: () => describeApi(brand.name, { origin, maxFileBytes }),
    testForms: config.testForms ? { sender: mail?.from, team: mail?.to ?? [] } : undefined,
    findReceived: async (forms, typed) => {
      const reference = parseReference(typed);
      return reference ? ((await store.findReceived(forms, reference)) ?? null) : null;
    },
    findReceipt: (received) => store.findReceipt(received, now()),
    findSubscription: async (token) => (await store.findSubscriptionByToken(token)) ?? null,
    confirmSubscription: (token) => store.confirmSubscription(token, now()),
    unsubscribe: async (token) => {
      await store.unsubscribe(token);
    },
  } satisfies Partial<RouteServices>;
}
