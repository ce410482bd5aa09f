import { execFile } from "node:child_process";
import path from "node:path";
import type { Command } from "commander";
import {
  type ParsedSettings,
  parseSettings,
  type Settings,
  validSettings,
} from "../config/settings.ts";
import { variableOf } from "../config/settings-table.ts";
import { isJournal } from "../config/sources.ts";
import { type Log, openLog } from "../log.ts";
import type { Program } from "../program.ts";
import { CommandFailed, exitCodes } from "./exit.ts";
import type { Installation } from "./installation.ts";

export function addServe(root: Command, { sources }: Installation): void {
  root
    .command("serve")
    .description("serve the website (the default command)")
    .action(() => serve(parseSettings(sources())));
}

/** Serves until SIGTERM, SIGINT, SIGHUP or SIGUSR2. */
async function serve(parsed: ParsedSettings): Promise<void> {
  const settings = validSettings(parsed);
  const log = openLog(settings.logFormat, isJournal(2));
  for (const warning of parsed.warnings) log.warn(warning);
  // The server goes on if the reader of stdout exits, or if stdout is a file on a full disk.
  process.stdout.removeAllListeners("error").on("error", () => {});
  exitOnUncaughtErrors(log);
  const program = await open(settings, log);
  // Listen for signals before the ready line, after which a process manager may send one.
  const stopped = stopSignal();
  process.stdout.write(`${readyLine(program.address, settings.logFormat)}\n`);
  notifySystemd(log);
  const signal = await stopped;
  log.info(`${signal}: finishing requests in flight`);
  await program.close();
  log.info("stopped");
}

/**
 * Tells systemd that the server is ready, which ends `systemctl start` (Type=notify), and feeds the watchdog
 * (WatchdogSec) while the event loop turns. Runs systemd-notify, because Node cannot send to systemd's socket.
 */
function notifySystemd(log: Log): void {
  const { NOTIFY_SOCKET, WATCHDOG_USEC } = process.env;
  if (NOTIFY_SOCKET === undefined) return;
  const notify = (message: string) =>
    execFile("systemd-notify", [message], (error) => {
      if (error) log.error("systemd cannot be told that the server is running", error);
    });
  notify("--ready");
  // Notify three times within the limit, which is in microseconds, so that two notifications may be lost.
  const intervalMs = Number(WATCHDOG_USEC) / 3000;
  if (intervalMs > 0) setInterval(notify, intervalMs, "WATCHDOG=1").unref();
}

/** Returns the only line that the server prints on stdout. */
const readyLine = (address: string, format: Settings["logFormat"]) =>
  format === "json"
    ? JSON.stringify({
        time: new Date().toISOString(),
        level: "info",
        message: "ready",
        [address.startsWith("/") ? "socket" : "url"]: address,
      })
    : `Ready: ${address}`;

async function open(settings: Settings, log: Log): Promise<Program> {
  try {
    const { startDatabase } = await import("../start-database.ts");
    const database = await startDatabase(settings);
    const [{ loadConfig }, { openProgram }, { staticFiles }, { commonHeaders }] = await Promise.all(
      [
        import("../config/load-config.ts"),
        import("../program.ts"),
        import("../http/static-files.ts"),
        import("../http/headers.ts"),
      ],
    );
    const folder = path.join(import.meta.dirname, "../client");
    const files = staticFiles(folder, commonHeaders(settings));
    return await openProgram(loadConfig(settings), database, files, log);
  } catch (error) {
    throw await startError(error as NodeJS.ErrnoException, settings);
  }
}

/** Returns the error of a failed start. It names the setting to change if the system rejects the address or the folder. */
async function startError(
  error: NodeJS.ErrnoException,
  { listenAddress, dataDir }: Settings,
): Promise<Error> {
  const { syscall, code = "", message } = error;
  const isAddressRejected =
    syscall === "getaddrinfo" ||
    (syscall === "listen" && ("path" in listenAddress || /^E(ADDR\w+|ACCES)$/.test(code)));
  const isFolderRejected = syscall === "access" || (syscall === "mkdir" && code !== "ENOSPC");
  if (isAddressRejected) {
    const { listenProblem } = await import("../doctor/host-checks.ts");
    const problem = listenProblem(code, listenAddress);
    return new CommandFailed(
      `${"warn" in problem ? problem.warn : problem.fail}. What to do: ${problem.remedy}.`,
      code === "EADDRINUSE" ? exitCodes.temporary : exitCodes.configuration,
    );
  }
  if (isFolderRejected) {
    const allow =
      code === "EROFS"
        ? "make it writable, in a unit by ReadWritePaths"
        : "give the folder to this account";
    return new CommandFailed(
      `The data folder ${dataDir} cannot be written: ${message}. Set ${variableOf("DATA_DIR")}, or ${allow}.`,
      exitCodes.configuration,
    );
  }
  return error;
}

/** After an uncaught error the state of the program is unknown: log it and exit. */
function exitOnUncaughtErrors(log: Log): void {
  const logAndExit = (error: unknown) => {
    log.error("uncaught error; exiting", error);
    process.exit(exitCodes.failed);
  };
  process.removeAllListeners("uncaughtException").on("uncaughtException", logAndExit);
  process.on("unhandledRejection", logAndExit);
}

/** Resolves at the first signal to stop. Later signals are ignored, because through npm Ctrl-C arrives twice. */
function stopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    // Process managers such as nodemon send SIGUSR2 before a restart.
    for (const signal of ["SIGTERM", "SIGINT", "SIGHUP", "SIGUSR2"]) process.on(signal, resolve);
  });
}
