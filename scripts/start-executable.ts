import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { program } from "../app/brand.ts";

/** What is made by looking at the site posts more, and sooner after a page, than people do. */
const fast = { POSTS_PER_10_MINUTES: "0", UPLOADS_PER_10_MINUTES: "0", SPAM_SECONDS: "0" };

/**
 * Serves dist/ with an empty database on a port of its own, for the scripts that look at the site.
 * @param settings besides the usual ones, without the prefix
 */
export async function startExecutable(
  settings: Record<string, string> = {},
): Promise<{ url: string; stop: () => Promise<void> }> {
  const folder = mkdtempSync(path.join(tmpdir(), "site-"));
  const child = spawn(path.join(import.meta.dirname, "../dist", program.command), [], {
    cwd: folder,
    env: { PORT: "0", ...withPrefix({ ...fast, ...settings }) },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let log = "";
  child.stderr.on("data", (chunk) => {
    log += chunk;
  });
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on("data", (chunk) => {
      const ready = /^Ready: (\S+)$/m.exec(`${chunk}`);
      if (ready) resolve(ready[1]!);
    });
    child.once("exit", (code) => reject(new Error(`the executable ended with ${code}: ${log}`)));
  });
  return {
    url,
    async stop() {
      child.kill();
      await once(child, "exit");
      rmSync(folder, { recursive: true });
    },
  };
}

const withPrefix = (settings: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [program.settingPrefix + name, value]),
  );
