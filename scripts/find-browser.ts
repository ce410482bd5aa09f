/**
 * Finds a Chromium for tests and scripts: the system's, or else Playwright's. With --install,
 * installs one with apt-get if there is none.
 */
import { type ExecFileSyncOptions, execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

/** The headless browser comes first, because its pages take a third of the CPU time. */
const systemBrowsers = [
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/**
 * Starts Chromium.
 * @throws Error that says how to install it
 */
export const launchBrowser = (...args: string[]): Promise<Browser> =>
  chromium.launch({ executablePath: findBrowser(), args: ["--no-sandbox", ...args] });

function findBrowser(): string {
  const found = [...systemBrowsers, chromium.executablePath()].find((file) => existsSync(file));
  if (found) return found;
  throw new Error(
    "No Chromium was found. Install it (Debian: apt-get install chromium-headless-shell; elsewhere: npx playwright-core install chromium) and try again.",
  );
}

if (process.argv.includes("--install")) {
  try {
    findBrowser();
  } catch (error) {
    if (process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) {
      console.error((error as Error).message);
      process.exit(1);
    }
    console.error("Installing Chromium (once, about a minute) …");
    const options: ExecFileSyncOptions = {
      stdio: ["ignore", "ignore", "inherit"],
      env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
    };
    execFileSync("apt-get", ["update", "-qq"], options);
    execFileSync("apt-get", ["install", "-y", "-qq", "chromium-headless-shell"], options);
    findBrowser();
  }
}
