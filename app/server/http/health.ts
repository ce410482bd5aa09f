import type { Store } from "#db/store.ts";
import { hasRoom } from "../disk-space.ts";
import { onceASecond } from "../once-a-second.ts";
import type { VirusScanner } from "../virus-scanner.ts";
import { disconnectSignal, type Exchange, type Handler } from "./exchange.ts";
import { noStoreHeaders } from "./headers.ts";
import type { RenderQueue } from "./render-queue.ts";

export interface Health {
  /** Runs the readiness checks; returns the result of each, "ok" or a failure. */
  check(): Promise<Record<string, string>>;
  /** Reports the program as not ready from now on, because it is stopping. */
  drain(): void;
}

/** Emails that are pending for longer than this make the program not ready. */
export const maxPendingEmailMs = 6 * 60 * 60 * 1000;

export function openHealth(
  store: Store,
  options: {
    databaseFile: string | undefined;
    diskFloorMb: number;
    hasMail: boolean;
    scanner: VirusScanner | undefined;
  },
  now: () => Date,
): Health {
  const { databaseFile, diskFloorMb, hasMail, scanner } = options;
  let isDraining = false;
  // The check takes the writer's lock, and anyone may ask for it.
  const database = onceASecond(() =>
    resultOf(async () => {
      await store.tryWriting();
      return "ok";
    }),
  );
  return {
    drain() {
      isDraining = true;
    },
    async check() {
      const [databaseResult, disk, scannerResult, emails] = await Promise.all([
        database(),
        databaseFile === undefined ? undefined : checkDisk(databaseFile, diskFloorMb),
        scanner && resultOf(() => scanner.check().then(() => "ok")),
        resultOf(async () => (hasMail ? await checkEmails(store, now) : "ok")),
      ]);
      return {
        serving: isDraining ? "stopping" : "ok",
        database: databaseResult,
        ...(disk === undefined ? {} : { disk }),
        ...(scannerResult === undefined ? {} : { scanner: scannerResult }),
        emails,
      };
    },
  };
}

const checkDisk = (databaseFile: string, floorMb: number) =>
  resultOf(async () =>
    (await hasRoom(databaseFile, floorMb)) ? "ok" : `less than ${floorMb} MB are free`,
  );

/**
 * Handles `/healthz`, which checks nothing, and `/readyz`, which checks all that a form needs and
 * waits for a place like a page, because it takes the database's lock.
 */
export function healthHandler(health: Health, renders: RenderQueue): Handler {
  return (exchange) => {
    const { url, request } = exchange;
    if (request.method !== "GET" && request.method !== "HEAD") return false;
    if (url === "/healthz") {
      exchange.send(
        200,
        { "Content-Type": "text/plain; charset=utf-8", ...noStoreHeaders },
        "ok\n",
      );
      return true;
    }
    return url === "/readyz" && sendReadiness(exchange, health, renders);
  };
}

async function sendReadiness(
  exchange: Exchange,
  health: Health,
  renders: RenderQueue,
): Promise<true> {
  const release = await renders.take(exchange.client, disconnectSignal(exchange.response));
  const checks = await health.check().finally(release);
  const isReady = Object.values(checks).every((result) => result === "ok");
  exchange.sendJson(isReady ? 200 : 503, checks);
  return true;
}

/**
 * Returns a check's result, or its error: the folder may be gone or the database locked. /readyz is
 * public, so a system error is reported by its code, without the message, which names the folder.
 */
const resultOf = (check: () => Promise<string>) =>
  check().catch(({ code, message }: NodeJS.ErrnoException) => code ?? message);

async function checkEmails(store: Store, now: () => Date): Promise<string> {
  const oldest = await store.oldestPendingEmail();
  const age = oldest ? now().getTime() - Date.parse(oldest) : 0;
  return age > maxPendingEmailMs
    ? `the oldest has been pending for ${Math.round(age / 3_600_000)} hours`
    : "ok";
}
