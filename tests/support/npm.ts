import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import type { TestContext } from "node:test";
import { readyUrl } from "../../scripts/start-executable.ts";
import { atEnd } from "./at-end.ts";
import { isRunning } from "./is-running.ts";
import { newFolder, until } from "./server.ts";

interface NpmServer {
  url: string;
  databaseFile: string;
  /** Sends SIGTERM only to npm, and waits until its server is gone too. */
  stop(): Promise<void>;
}

/** Starts the server of `npm run SCRIPT` in this working tree, with an empty database. */
export async function startByNpm(
  t: TestContext,
  script: "start" | "dev",
  env: Record<string, string> = {},
): Promise<NpmServer> {
  const folder = newFolder(t);
  const npm = spawn("npm", ["run", script], {
    cwd: path.join(import.meta.dirname, "../.."),
    env: { ...process.env, PORT: "0", RUBRICON_DATA_DIR: folder, ...env },
    stdio: ["ignore", "pipe", "pipe"],
    // npm gets a process group of its own, in which a server that is left behind can be found and killed.
    detached: true,
  });
  atEnd(t, () => isRunning(-npm.pid!) && process.kill(-npm.pid!, "SIGKILL"));
  return {
    url: await readyUrl(npm),
    databaseFile: path.join(folder, "rubricon.db"),
    async stop() {
      const exited = once(npm, "exit");
      npm.kill("SIGTERM");
      await exited;
      await until(() => !isRunning(-npm.pid!));
    },
  };
}
