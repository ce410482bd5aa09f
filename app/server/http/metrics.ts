import { stat, statfs } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { monitorEventLoopDelay } from "node:perf_hooks";
import type { Store } from "#db/store.ts";
import packageJson from "../../../package.json";
import { program } from "../../brand.ts";
import type { Config } from "../config/config.ts";
import type { Slots } from "../intake/slots.ts";
import type { BackupJob } from "../jobs/backup-job.ts";
import type { Log } from "../log.ts";
import { clientAddressOf, networkList } from "./client-address.ts";
import { strictPolicy } from "./headers.ts";
import type { Traffic } from "./traffic.ts";

export interface Metrics {
  /** Whether whoever asks may know. */
  isFor(request: IncomingMessage): boolean;
  /** Answers in Prometheus's text format. */
  answer(response: ServerResponse, headers: [string, string][]): Promise<void>;
}

interface Watched {
  store: Store;
  traffic: Traffic;
  uploads: Slots;
  backups: BackupJob;
}

/** Returns undefined where no network may ask, which is the default. */
export function openMetrics(
  config: Pick<Config, "metricsNetworks" | "trustedProxies" | "databaseFile" | "dataDir">,
  watched: Watched,
  now: () => Date,
  log: Log,
): Metrics | undefined {
  if (config.metricsNetworks.length === 0) return undefined;
  const isAllowed = networkList(config.metricsNetworks);
  const isOurProxy = networkList(config.trustedProxies);
  const loop = monitorEventLoopDelay({ resolution: loopResolutionMs });
  loop.enable();
  return {
    isFor(request) {
      const clientAddress = clientAddressOf(request, isOurProxy);
      return clientAddress !== undefined && isAllowed(clientAddress);
    },
    async answer(response, headers) {
      try {
        const measured = await Promise.all([
          measureTraffic(watched),
          measureEmails(watched.store, now),
          measureDisk(config, watched.backups, now),
          measureProcess(loop),
        ]);
        const lines = measured.flat().flatMap(inPrometheusFormat);
        response.writeHead(200, [...headers, ...ownHeaders].flat()).end(`${lines.join("\n")}\n`);
      } catch (error) {
        log.error("the figures for /metrics could not be gathered", error);
        response.writeHead(500, [...headers, ...ownHeaders].flat()).end();
      }
    },
  };
}

const ownHeaders: [string, string][] = [
  ["Content-Type", "text/plain; version=0.0.4; charset=utf-8"],
  ["Cache-Control", "no-store"],
  ["Content-Security-Policy", strictPolicy],
];

interface Metric {
  name: string;
  type: "counter" | "gauge";
  help: string;
  /** With a label for each where there are several; none where it could not be measured. */
  values: [label: string, value: number][];
}

const name = (rest: string) => `${program.command.replaceAll("-", "_")}_${rest}`;

function measureTraffic({ traffic, uploads }: Watched): Metric[] {
  const [left, ...answered] = traffic.answers;
  return [
    {
      name: name("info"),
      type: "gauge",
      help: "The program that runs; always 1.",
      values: [[`version="${packageJson.version}"`, 1]],
    },
    {
      name: name("http_requests_total"),
      type: "counter",
      help: "Requests by the class of their answer; none where the visitor left before it.",
      values: [
        ...answered.map((count, i): [string, number] => [`status="${i + 1}xx"`, count]),
        ['status="none"', left!],
      ],
    },
    counter("cached_page_responses_total", "Pages answered from memory.", traffic.cachedPages),
    gauge("uploads_in_flight", "Uploads that are being read.", uploads.inUse()),
    gauge("uploads_waiting", "Uploads that wait for their turn.", uploads.waiting()),
  ];
}

async function measureEmails(store: Store, now: () => Date): Promise<Metric[]> {
  const read = async () => [await store.countEmails(), await store.oldestPendingEmail()] as const;
  // Where the database cannot be read, its figures are left out and the others still told.
  const [counts, oldest] = await read().catch(() => [undefined, undefined]);
  if (!counts) return [];
  return [
    {
      name: name("emails"),
      type: "gauge",
      help: "Letters in the database, by how their sending stands.",
      values: Object.entries(counts).map(([status, count]) => [
        `status="${status.replaceAll(" ", "_")}"`,
        count,
      ]),
    },
    gauge(
      "oldest_pending_email_age_seconds",
      "How long the oldest letter has waited; 0 where none waits.",
      oldest ? secondsSince(new Date(oldest), now) : 0,
    ),
  ];
}

async function measureDisk(
  { databaseFile, dataDir }: Pick<Config, "databaseFile" | "dataDir">,
  backups: BackupJob,
  now: () => Date,
): Promise<Metric[]> {
  const sizeOf = (file: string) =>
    stat(file).then(
      ({ size }) => size,
      () => 0,
    );
  const { bavail, bsize } = await statfs(dataDir);
  const backup = backups.newest();
  return [
    gauge("database_bytes", "Size of the database.", await sizeOf(databaseFile)),
    gauge(
      "database_wal_bytes",
      "Size of the database's log, which grows while somebody reads.",
      await sizeOf(`${databaseFile}-wal`),
    ),
    gauge("disk_free_bytes", "What is free where the database lies.", bavail * bsize),
    {
      ...gauge("backup_age_seconds", "Age of the newest backup; left out where there is none.", 0),
      values: backup ? [["", secondsSince(backup, now)]] : [],
    },
  ];
}

/** Under the names that other programs on Node use, so that known dashboards show them. */
function measureProcess(loop: ReturnType<typeof monitorEventLoopDelay>): Metric[] {
  const { user, system } = process.cpuUsage();
  // What is measured is the time between two looks; the delay is what goes beyond the planned one.
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
    plain("process_cpu_seconds_total", "counter", "CPU time.", (user + system) / 1e6),
    plain("process_resident_memory_bytes", "gauge", "Memory.", process.memoryUsage.rss()),
    plain(
      "process_start_time_seconds",
      "gauge",
      "When it was started, in seconds since 1970.",
      performance.timeOrigin / 1000,
    ),
    ...delays.map(([which, word, value]) =>
      plain(
        `nodejs_eventloop_lag_${which}_seconds`,
        "gauge",
        `${word} delay of the event loop since it was last asked for.`,
        value,
      ),
    ),
  ];
}

const loopResolutionMs = 10;

const plain = (name: string, type: Metric["type"], help: string, value: number): Metric => ({
  name,
  type,
  help,
  values: [["", value]],
});
const gauge = (rest: string, help: string, value: number) =>
  plain(name(rest), "gauge", help, value);
const counter = (rest: string, help: string, value: number) =>
  plain(name(rest), "counter", help, value);

const secondsSince = (time: Date, now: () => Date) => (now().getTime() - time.getTime()) / 1000;

function inPrometheusFormat({ name, type, help, values }: Metric): string[] {
  if (values.length === 0) return [];
  return [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} ${type}`,
    ...values.map(([label, value]) => `${name}${label && `{${label}}`} ${value}`),
  ];
}
