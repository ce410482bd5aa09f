import type { Request, RequestHandler } from "express";
import type { Store } from "#db/store.ts";
import { hourMs } from "../../domain/duration.ts";
import type { DropFolderJob } from "../jobs/drop-folder-job.ts";
import type { Log } from "../log.ts";
import { hasRoom, minFreeMb } from "../system/disk-space.ts";
import { onceASecond } from "../system/once.ts";
import type { VirusScanner } from "../virus-scanner.ts";
import { noStoreHeaders, sendJson } from "./headers.ts";

interface Readiness {
  /** Whether forms can be accepted. */
  ready: boolean;
  /**
   * The result of each check: "ok" or what is wrong. Pending emails and an outdated drop folder lose no form, so the
   * program is ready all the same.
   */
  checks: Record<string, string>;
}

export interface Health {
  /** Runs the readiness checks, and logs failures when they change. */
  check(): Promise<Readiness>;
  /** Adds a check and its result to what `check` returns from now on. The program stays ready. */
  report(check: string, result: string): void;
  /** Reports the program as not ready from now on, because it is stopping. */
  drain(): void;
}

/** A check in `/readyz`. It appears if a drop folder is set. */
export const dropFolderCheck = "drop folder";

/** A check in `/readyz`. It appears after a request through a proxy that is not trusted or names no client. */
export const proxyCheck = "proxy";

/** Emails that are pending for longer than this are reported. */
export const maxPendingEmailMs = 6 * hourMs;

/** Returns the checks of a server, which run when they are asked for. */
export function openHealth(
  store: Store,
  options: {
    databaseFile: string | undefined;
    hasMail: boolean;
    scanner: VirusScanner | undefined;
    dropFolderJob: Pick<DropFolderJob, "problem"> | undefined;
    now: () => Date;
    log: Log;
  },
): Health {
  const { databaseFile, hasMail, scanner, dropFolderJob, now, log } = options;
  let isDraining = false;
  let loggedReport = "";
  // Anyone may request /readyz, and the check takes the writer's lock, so check at most once a second.
  const checkParts = onceASecond(() =>
    Promise.all([
      resultOf(() => store.tryWriting().then(() => "ok")),
      databaseFile === undefined ? undefined : checkDisk(databaseFile),
      scanner && resultOf(() => scanner.check().then(() => "ok")),
      resultOf(async () => (hasMail ? await checkEmails(store, now) : "ok")),
    ]),
  );
  const reportedChecks: Record<string, string> = {};
  return {
    report(check, result) {
      reportedChecks[check] = result;
    },
    drain() {
      isDraining = true;
    },
    async check() {
      const [database, disk, scannerResult, emails] = await checkParts();
      const needed = {
        serving: isDraining ? "stopping" : "ok",
        database,
        ...(disk === undefined ? {} : { disk }),
        ...(scannerResult === undefined ? {} : { scanner: scannerResult }),
      };
      const failures = Object.entries(needed).filter(([, result]) => result !== "ok");
      const report = failures.map(([check, result]) => `${check}: ${result}`).join(", ");
      if (report !== loggedReport && !isDraining) {
        if (report) log.warn(`not ready: ${report}`);
        else log.info("ready again");
        loggedReport = report;
      }
      const reportedOnly = {
        ...reportedChecks,
        emails,
        ...(dropFolderJob && { [dropFolderCheck]: dropFolderJob.problem() ?? "ok" }),
      };
      return { ready: report === "", checks: { ...needed, ...reportedOnly } };
    },
  };
}

const checkDisk = (databaseFile: string) =>
  resultOf(async () =>
    (await hasRoom(databaseFile)) ? "ok" : `less than ${minFreeMb} MB are free`,
  );

/** Handles `/healthz`, which checks nothing. */
export const reportLiveness: RequestHandler = (_request, response) => {
  response.set(noStoreHeaders).type("text/plain").send("ok\n");
};

/**
 * Returns the handler of `/readyz`, which checks all that a form needs. Only operators get the results of the checks: a
 * result may name the database's host.
 */
export const reportReadiness =
  (health: Health, isOperator: (request: Request) => boolean): RequestHandler =>
  async (request, response) => {
    const { ready, checks } = await health.check();
    sendJson(response, ready ? 200 : 503, isOperator(request) ? { ready, checks } : { ready });
  };

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
    ? `the oldest has been pending for ${Math.round(age / hourMs)} hours`
    : "ok";
}
