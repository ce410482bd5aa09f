import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { program } from "../app/brand.ts";

/** Settings without limits, because scripts post more often, and sooner after loading a page, than people do. */
const withoutLimits = { POSTS_PER_10_MINUTES: "0", UPLOADS_PER_10_MINUTES: "0", SPAM_SECONDS: "0" };

/**
 * Starts the executable on a free port, with an empty database that `stop` removes.
 * @param settings additional settings, without the prefix
 */
export async function startExecutable(
  settings: Record<string, string> = {},
): Promise<{ url: string; folder: string; stop: () => Promise<void> }> {
  const folder = mkdtempSync(path.join(tmpdir(), "site-"));
  const child = spawn(path.join(import.meta.dirname, "../dist", program.command), [], {
    cwd: folder,
    env: { PORT: "0", ...withPrefix({ ...withoutLimits, ...settings }) },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const exited = new Promise((resolve) => child.once("exit", resolve));
  return {
    url: await readyUrl(child),
    folder,
    async stop() {
      child.kill();
      await exited;
      rmSync(folder, { recursive: true });
    },
  };
}

/**
 * Returns the URL, or the path of a Unix socket, that a server prints to stdout once it serves.
 * @param readLog returns what the server has written to stderr, if stderr is no pipe
 * @throws Error with its stderr if it exits first, or if there is no executable
 */
export function readyUrl(server: ChildProcess, readLog?: () => string): Promise<string> {
  let stdout = "";
  let stderr = "";
  server.stderr?.on("data", (chunk) => {
    stderr += chunk;
  });
  return new Promise((resolve, reject) => {
    server.stdout!.on("data", (chunk) => {
      stdout += chunk;
      const ready = /^(?:Ready: |\{.*"message":"ready","(?:url|socket)":")([^\s"]+)/m.exec(stdout);
      if (ready) resolve(ready[1]!);
    });
    server.once("error", ({ message }) =>
      reject(new Error(`${message}: build the executable first, with npm run package.`)),
    );
    server.once("exit", (code) =>
      reject(new Error(`${server.spawnfile} exited with ${code}: ${readLog?.() ?? stderr}`)),
    );
  });
}

const withPrefix = (settings: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [program.settingPrefix + name, value]),
  );
