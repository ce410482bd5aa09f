import path from "node:path";
import { assetsFrom } from "../assets.ts";
import type { Config } from "../config.ts";
import { stderrLog as log } from "../log.ts";
import { openProgram, type Program } from "../program.ts";
import { CommandFailed, exitCodes } from "./exit.ts";

/** Serves until the process is told to stop. */
export async function serve(config: Config): Promise<void> {
  const program = await open(config);
  log.info(`data in ${config.dataDir}`);
  process.stdout.write(`Ready: ${program.address}\n`);
  const signal = await stopSignal();
  log.info(`${signal}: finishing what is in flight`);
  await program.close();
  log.info("stopped");
}

async function open(config: Config): Promise<Program> {
  try {
    return await openProgram(config, assetsFrom(path.join(import.meta.dirname, "../client")), log);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EADDRINUSE") {
      throw new CommandFailed(
        `Port ${config.port} on ${config.host} is taken. Set PORT to another one.`,
        exitCodes.temporary,
      );
    }
    if (code === "EADDRNOTAVAIL" || code === "EACCES") {
      throw new CommandFailed(
        `Cannot use ${config.host}:${config.port} or ${config.dataDir}: ${(error as Error).message}`,
        exitCodes.configuration,
      );
    }
    throw error;
  }
}

/** Told again, it goes on finishing: a terminal's Ctrl-C may arrive twice, by way of npm. */
function stopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    process.on("SIGTERM", resolve);
    process.on("SIGINT", resolve);
  });
}
