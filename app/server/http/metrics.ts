import { stat, statfs } from "node:fs/promises";
import path from "node:path";
import type { RequestHandler } from "express";
import { Counter, collectDefaultMetrics, Gauge, Registry } from "prom-client";
import type { Measurement, ServerStore } from "#db/store.ts";
import { program } from "../../brand.ts";
import { hourMs } from "../../domain/duration.ts";
import type { Channel } from "../../domain/email.ts";
import { buildVersion } from "../build.ts";
import type { Config } from "../config/load-config.ts";
import type { OutboxWorker } from "../email/outbox-worker.ts";
import type { BackupJob } from "../jobs/backup-job.ts";
import type { DropFolderJob } from "../jobs/drop-folder-job.ts";
import type { Log } from "../log.ts";
import type { Semaphore } from "../semaphore.ts";
import { knownClientTest } from "./client-address.ts";
import { noStoreHeaders } from "./headers.ts";
import type { Traffic } from "./traffic.ts";

interface MetricSources {
  store: ServerStore;
  /** The SQLite file; undefined if the data is on a database server. */
  databaseFile: string | undefined;
  outboxWorker: Pick<OutboxWorker, "lostLeases">;
  traffic: Traffic;
  hasWebhook: boolean;
  uploads: Semaphore;
  dropFolderJob: Pick<DropFolderJob, "problem"> | undefined;
  backups: BackupJob;
  now: () => Date;
}

/**
 * Returns the handler of `/metrics`, which responds in Prometheus's text format to clients in the configured networks.
 * Other clients get the page for unknown addresses, and so do all clients if no network is configured.
 */
export function metricsHandler(
  { metricsNetworks }: Pick<Config, "metricsNetworks">,
  sources: MetricSources,
  log: Log,
): RequestHandler {
  if (metricsNetworks.length === 0) return (_request, _response, next) => next();
  const isOperator = knownClientTest(metricsNetworks);
  const processRegistry = new Registry();
  collectDefaultMetrics({ register: processRegistry });
  // Remove gauges whose names end like a counter's, because promtool rejects them.
  for (const kind of ["resources", "handles", "requests"]) {
    processRegistry.removeSingleMetric(`nodejs_active_${kind}_total`);
  }
  return async (request, response, next) => {
    if (!isOperator(request)) return next();
    response.set({ ...noStoreHeaders, "Content-Type": processRegistry.contentType });
    try {
      const registry = new Registry();
      for (const measurement of await measureAll(sources)) register(registry, measurement);
      response.send((await registry.metrics()) + (await processRegistry.metrics()));
    } catch (error) {
      log.error("collecting the metrics failed", error);
      response.status(500).end();
    }
  };
}

/** Adds a metric to the registry. A metric without a value is left out, so that alerts find it missing. */
function register(registry: Registry, { name, type, help, values }: Measurement): void {
  const [first] = values;
  if (!first) return;
  const options = { name, help, labelNames: Object.keys(first[0]), registers: [registry] };
  const metric = type === "gauge" ? new Gauge(options) : new Counter(options);
  for (const [labels, value] of values) metric.inc(labels, value);
}

async function measureAll(sources: MetricSources): Promise<Measurement[]> {
  const groups = await Promise.all([
    measureServer(sources),
    measureChannel(sources, "email"),
    sources.hasWebhook ? measureChannel(sources, "webhook") : [],
    measureLostLeases(sources),
    measureStore(sources.store),
    measureDisk(sources),
    measureDropFolder(sources),
  ]);
  return groups.flat();
}

type Value = Measurement["values"][number];

const prefixed = (suffix: string) => `${program.command}_${suffix}`;

function measureServer({ traffic, uploads }: MetricSources): Measurement[] {
  return [
    gauge("info", "The running version, as a label; always 1.", [[{ version: buildVersion }, 1]]),
    counter(
      "http_requests_total",
      "Requests by class of response status; none if the client disconnected before it.",
      [...traffic].map(([status, count]) => [{ status }, count]),
    ),
    gauge("uploads_in_flight", "Uploads being read.", uploads.inUse()),
    gauge("uploads_waiting", "Uploads waiting for a slot.", uploads.waiting()),
  ];
}

async function measureStore(store: ServerStore): Promise<Measurement[]> {
  const measured = await store.measure();
  return measured.map((metric) => ({ ...metric, name: prefixed(metric.name) }));
}

async function measureChannel(
  { store, now }: MetricSources,
  channel: Channel,
): Promise<Measurement[]> {
  try {
    const counts = Object.entries(await store.countEmails(channel));
    const oldest = await store.oldestPendingEmail(channel);
    return [
      gauge(
        `${channel}s`,
        `${channel === "email" ? "Emails" : "Webhooks"} in the outbox by status.`,
        counts.map(([status, count]) => [{ status: status.replaceAll(" ", "_") }, count]),
      ),
      gauge(
        `oldest_pending_${channel}_age_seconds`,
        `Age of the oldest pending ${channel}; 0 if none is pending.`,
        oldest ? secondsSince(new Date(oldest), now) : 0,
      ),
    ];
  } catch {
    // If the database cannot be read, leave these metrics out and report the others.
    return [];
  }
}

const measureLostLeases = ({ outboxWorker }: MetricSources): Measurement[] => [
  counter(
    "email_leases_lost_total",
    "Emails that another server may have sent too, or that were deleted while they were sent.",
    outboxWorker.lostLeases(),
  ),
];

const measureDropFolder = ({ dropFolderJob }: MetricSources): Measurement[] => [
  gauge(
    "drop_folder_ok",
    "1 if the drop folder is up to date, 0 if it cannot be updated.",
    dropFolderJob ? Number(dropFolderJob.problem() === undefined) : [],
  ),
];

async function measureDisk({ databaseFile, backups, now }: MetricSources): Promise<Measurement[]> {
  if (databaseFile === undefined) return [];
  const sizeOf = async (file: string) => (await stat(file).catch(() => undefined))?.size ?? 0;
  const { bavail, bsize } = await statfs(path.dirname(databaseFile));
  const backup = backups.lastBackupAt();
  return [
    gauge("database_bytes", "Size of the database.", await sizeOf(databaseFile)),
    gauge(
      "database_wal_bytes",
      "Size of the database's WAL, which grows while a read is in progress.",
      await sizeOf(`${databaseFile}-wal`),
    ),
    gauge("disk_free_bytes", "Free space on the disk that holds the database.", bavail * bsize),
    gauge(
      "backup_hours",
      "Hours between scheduled backups; 0 if there are none.",
      backups.intervalMs / hourMs,
    ),
    gauge(
      "backup_age_seconds",
      "Age of the newest backup; missing if there is none.",
      backup ? secondsSince(backup, now) : [],
    ),
  ];
}

/** Returns a function that makes a metric of one value, of several with labels, or of none. */
const metricOf =
  (type: Measurement["type"]) =>
  (suffix: string, help: string, values: number | Value[]): Measurement => ({
    name: prefixed(suffix),
    type,
    help,
    values: typeof values === "number" ? [[{}, values]] : values,
  });
const gauge = metricOf("gauge");
const counter = metricOf("counter");

const secondsSince = (time: Date, now: () => Date) => (now().getTime() - time.getTime()) / 1000;
