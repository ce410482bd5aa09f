import { stat, statfs } from "node:fs/promises";
import path from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import type { Measurement, ServerStore } from "#db/store.ts";
import packageJson from "../../../package.json";
import { program } from "../../brand.ts";
import type { Channel } from "../../domain/email.ts";
import type { Config } from "../config/config.ts";
import type { OutboxWorker } from "../email/outbox-worker.ts";
import type { Slots } from "../intake/slots.ts";
import type { BackupJob } from "../jobs/backup-job.ts";
import type { Log } from "../log.ts";
import { networkList } from "./client-address.ts";
import type { Exchange, Handler } from "./exchange.ts";
import { noStoreHeaders } from "./headers.ts";
import type { Traffic } from "./traffic.ts";

/** How often the delay of the event loop is measured. */
const loopResolutionMs = 10;

interface MetricSources {
  store: ServerStore;
  /** Undefined if the data is on a database server. */
  databaseFile: string | undefined;
  outboxWorker: Pick<OutboxWorker, "lostLeases">;
  traffic: Traffic;
  hasWebhook: boolean;
  uploads: Slots;
  backups: BackupJob;
  now: () => Date;
}

const metricsHeaders = {
  "Content-Type": "text/plain; version=0.0.4; charset=utf-8",
  ...noStoreHeaders,
};

/**
 * Handles `/metrics` in Prometheus's text format, for clients in the configured networks. To all
 * others it does not exist, which is the default.
 */
export function metricsHandler(
  config: Pick<Config, "metricsNetworks">,
  sources: MetricSources,
  log: Log,
): Handler {
  if (config.metricsNetworks.length === 0) return () => false;
  const isAllowed = networkList(config.metricsNetworks);
  const loop = monitorEventLoopDelay({ resolution: loopResolutionMs });
  loop.enable();
  return (exchange) => {
    if (exchange.url !== "/metrics" || exchange.request.method !== "GET") return false;
    const { clientAddress } = exchange;
    return clientAddress !== undefined && isAllowed(clientAddress) && sendMetrics(exchange);
  };

  async function sendMetrics(exchange: Exchange): Promise<true> {
    try {
      const groups = await Promise.all([
        measureTraffic(sources),
        measureChannel(sources, "email"),
        sources.hasWebhook ? measureChannel(sources, "webhook") : [],
        measureLostLeases(sources),
        measureStore(sources.store),
        measureDisk(sources),
        measureProcess(loop),
      ]);
      const lines = groups.flat().flatMap(toPrometheusLines);
      exchange.send(200, metricsHeaders, `${lines.join("\n")}\n`);
    } catch (error) {
      log.error("collecting the metrics failed", error);
      exchange.send(500, metricsHeaders);
    }
    return true;
  }
}

const prefixed = (suffix: string) => `${program.command.replaceAll("-", "_")}_${suffix}`;

function measureTraffic({ traffic, uploads }: MetricSources): Measurement[] {
  const [disconnected, ...byClass] = traffic.responses;
  return [
    {
      name: prefixed("info"),
      type: "gauge",
      help: "The running version, as a label; always 1.",
      values: [[`version="${packageJson.version}"`, 1]],
    },
    {
      name: prefixed("http_requests_total"),
      type: "counter",
      help: "Requests by class of response status; none if the client disconnected before it.",
      values: [
        ...byClass.map((count, i): [string, number] => [`status="${i + 1}xx"`, count]),
        ['status="none"', disconnected!],
      ],
    },
    counter("cached_page_responses_total", "Pages served from the cache.", traffic.cachedPages),
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
  const read = async () =>
    [await store.countEmails(channel), await store.oldestPendingEmail(channel)] as const;
  // If the database cannot be read, leave these metrics out and report the others.
  const [counts, oldest] = await read().catch(() => [undefined, undefined]);
  if (!counts) return [];
  return [
    {
      name: prefixed(`${channel}s`),
      type: "gauge",
      help: `${channel === "email" ? "Emails" : "Webhooks"} in the outbox by status.`,
      values: Object.entries(counts).map(([status, count]) => [
        `status="${status.replaceAll(" ", "_")}"`,
        count,
      ]),
    },
    gauge(
      `oldest_pending_${channel}_age_seconds`,
      `Age of the oldest pending ${channel}; 0 if none is pending.`,
      oldest ? secondsSince(new Date(oldest), now) : 0,
    ),
  ];
}

const measureLostLeases = ({ outboxWorker }: MetricSources): Measurement[] => [
  counter(
    "email_leases_lost_total",
    "Emails that another server may have sent too, or that were deleted while they were sent.",
    outboxWorker.lostLeases(),
  ),
];

async function measureDisk({ databaseFile, backups, now }: MetricSources): Promise<Measurement[]> {
  if (databaseFile === undefined) return [];
  const sizeOf = (file: string) =>
    stat(file).then(
      ({ size }) => size,
      () => 0,
    );
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
    ...(backup
      ? [
          gauge(
            "backup_age_seconds",
            "Age of the newest backup; missing if there is none.",
            secondsSince(backup, now),
          ),
        ]
      : []),
  ];
}

/** Under the names that other programs on Node use, so that known dashboards show them. */
function measureProcess(loop: ReturnType<typeof monitorEventLoopDelay>): Measurement[] {
  const { user, system } = process.cpuUsage();
  // The histogram has the time between two timer ticks; the delay is what exceeds the planned
  // interval.
  const delay = (nanoseconds: number) => Math.max(0, nanoseconds / 1e9 - loopResolutionMs / 1000);
  const delays: [string, string, number][] = loop.count
    ? [
        ["p50", "Median", delay(loop.percentile(50))],
        ["p99", "99th percentile", delay(loop.percentile(99))],
        ["max", "Longest", delay(loop.max)],
      ]
    : [];
  loop.reset();
  return [
    metric("process_cpu_seconds_total", "counter", "CPU time.", (user + system) / 1e6),
    metric("process_resident_memory_bytes", "gauge", "Memory.", process.memoryUsage.rss()),
    metric(
      "process_start_time_seconds",
      "gauge",
      "Start time in seconds since 1970.",
      performance.timeOrigin / 1000,
    ),
    ...delays.map(([suffix, label, value]) =>
      metric(
        `nodejs_eventloop_lag_${suffix}_seconds`,
        "gauge",
        `${label} delay of the event loop since the last reading.`,
        value,
      ),
    ),
  ];
}

const metric = (
  name: string,
  type: Measurement["type"],
  help: string,
  value: number,
): Measurement => ({
  name,
  type,
  help,
  values: [["", value]],
});
const gauge = (suffix: string, help: string, value: number) =>
  metric(prefixed(suffix), "gauge", help, value);
const counter = (suffix: string, help: string, value: number) =>
  metric(prefixed(suffix), "counter", help, value);

const secondsSince = (time: Date, now: () => Date) => (now().getTime() - time.getTime()) / 1000;

function toPrometheusLines({ name, type, help, values }: Measurement): string[] {
  if (values.length === 0) return [];
  return [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} ${type}`,
    ...values.map(([label, value]) => `${name}${label && `{${label}}`} ${value}`),
  ];
}
