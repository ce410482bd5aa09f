import type { Store } from "#db/store.ts";
import { hasRoom, minFreeMb } from "../disk-space.ts";
import type { Log } from "../log.ts";
import { onceASecond } from "../once-a-second.ts";
import type { VirusScanner } from "../virus-scanner.ts";
import { disconnectSignal, type Exchange, type Handler } from "./exchange.ts";
import { noStoreHeaders } from "./headers.ts";
import type { RenderQueue } from "./render-queue.ts";

interface Readiness {
  /** Whether forms can be accepted. */
  ready: boolean;
  /** The result of each check: "ok" or what is wrong. Pending emails are reported, but lose no form. */
  checks: Record<string, string>;
}

export interface Health {
  /** Runs the readiness checks, and logs failures when they change. */
  check(): Promise<Readiness>;
  /** Reports the program as not ready from now on, because it is stopping. */
  drain(): void;
}

/** Emails that are pending for longer than this are reported. */
export const maxPendingEmailMs = 6 * 60 * 60 * 1000;

export function openHealth(
  store: Store,
  options: {
    databaseFile: string | undefined;
    hasMail: boolean;
    scanner: VirusScanner | undefined;
  },
  now: () => Date,
  log: Log,
): Health {
  const { databaseFile, hasMail, scanner } = options;
  let isDraining = false;
  let reported = "";
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
        databaseFile === undefined ? undefined : checkDisk(databaseFile),
        scanner && resultOf(() => scanner.check().then(() => "ok")),
        resultOf(async () => (hasMail ? await checkEmails(store, now) : "ok")),
      ]);
      const needed = {
        serving: isDraining ? "stopping" : "ok",
        database: databaseResult,
        ...(disk === undefined ? {} : { disk }),
        ...(scannerResult === undefined ? {} : { scanner: scannerResult }),
      };
      const failures = Object.entries(needed).filter(([, result]) => result !== "ok");
      const report = failures.map(([check, result]) => `${check}: ${result}`).join(", ");
      if (report !== reported && !isDraining) {
        if (report) log.warn(`not ready: ${report}`);
        else log.info("ready again");
        reported = report;
      }
      return { ready: report === "", checks: { ...needed, emails } };
    },
  };
}

const checkDisk = (databaseFile: string) =>
  resultOf(async () =>
    (await hasRoom(databaseFile)) ? "ok" : `less than ${minFreeMb} MB are free`,
  );

/**
 * Handles `/healthz`, which checks nothing, and `/readyz`, which checks all that a form needs and
 * waits for a place like a page, because it takes the database's lock. What the checks found is for
 * operators: it may name the database's host.
 */
export function healthHandler(
  health: Health,
  isOperator: (address: string) => boolean,
  renders: RenderQueue,
): Handler {
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
    return url === "/readyz" && sendReadiness(exchange);
  };

  async function sendReadiness(exchange: Exchange): Promise<true> {
    const { client, clientAddress, response } = exchange;
    const release = await renders.take(client, disconnectSignal(response));
    const { ready, checks } = await health.check().finally(release);
    const isForOperator = clientAddress !== undefined && isOperator(clientAddress);
    exchange.sendJson(ready ? 200 : 503, isForOperator ? { ready, checks } : { ready });
    return true;
  }
}

/**
 * Returns a check's result, or its error: the folder may be gone or the database locked. A system
 * error is reported by its code, without the message, which names the folder.
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
