import path from "node:path";
import type { Command } from "commander";
import type { Config } from "../config/config.ts";
import { assetsFrom } from "../http/static-files.ts";
import { type Log, openLog } from "../log.ts";
import { openProgram, type Program } from "../program.ts";
import { CommandFailed, exitCodes } from "./exit.ts";
import type { Installation } from "./installation.ts";

export function addServe(root: Command, { readConfig }: Installation): void {
  root
    .command("serve", { isDefault: true })
    .description("serve the website (what happens without a command)")
    .action(() => serve(readConfig()));
}

/** Serves until the process is told to stop. */
async function serve(config: Config): Promise<void> {
  const log = openLog(config.logFormat);
  dieAloud(log);
  const program = await open(config, log);
  log.info(`data in ${config.dataDir}`);
  process.stdout.write(`Ready: ${program.address}\n`);
  const signal = await stopSignal();
  log.info(`${signal}: finishing what is in flight`);
  await program.close();
  log.info("stopped");
}

async function open(config: Config, log: Log): Promise<Program> {
  try {
    const folder = path.join(import.meta.dirname, "../client");
    return await openProgram(config, (headers) => assetsFrom(folder, headers), log);
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (code === "EADDRINUSE") {
      throw new CommandFailed(
        `Port ${config.port} on ${config.host} is taken. Set PORT to another one.`,
        exitCodes.temporary,
      );
    }
    const hasNoFolder = syscall === "mkdir" && code !== "ENOSPC";
    if (code === "EADDRNOTAVAIL" || code === "EACCES" || hasNoFolder) {
      throw new CommandFailed(
        `Cannot use ${config.host}:${config.port} or ${config.dataDir}: ${(error as Error).message}`,
        exitCodes.configuration,
      );
    }
    throw error;
  }
}

/** What nobody has caught leaves the program in a state that nobody knows: it ends, and says why. */
function dieAloud(log: Log): void {
  const die = (error: unknown) => {
    log.error("something unforeseen has happened, so this program ends", error);
    process.exit(exitCodes.failed);
  };
  process.on("uncaughtException", die);
  process.on("unhandledRejection", die);
}

/** Told again, it goes on finishing: a terminal's Ctrl-C may arrive twice, by way of npm. */
function stopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    process.on("SIGTERM", resolve);
    process.on("SIGINT", resolve);
  });
}
