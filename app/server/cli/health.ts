import { setTimeout as sleep } from "node:timers/promises";
import type { Command } from "commander";
import type { Settings } from "../config/settings.ts";
import { fetchReadiness, type Readiness } from "../doctor/readiness.ts";
import { CommandFailed } from "./exit.ts";
import { wholeNumber } from "./format.ts";
import type { Installation } from "./installation.ts";
import { type Json, print, printJson } from "./print.ts";

export function addHealth(root: Command, { readSettings }: Installation): void {
  root
    .command("health")
    .description("check whether the running server is ready")
    .option(
      "--wait <seconds>",
      "retry for this long, for example after a start",
      wholeNumber(0, 9999),
    )
    .option("--json", "print JSON")
    .action(async ({ wait = 0, json }: Json & { wait?: number }) => {
      const { isReady, checks, text } = await pollReadiness(readSettings(), wait * 1000);
      const results = Object.entries(checks).map(([check, result]) => `${check}: ${result}`);
      if (json) printJson({ ready: isReady, checks });
      else if (isReady && results.length === 0) print("ready");
      else for (const result of results) print(result);
      if (!isReady) throw new CommandFailed(`Not ready: ${text}.`);
    });
}

/** Checks until the server is ready or the timeout has passed, at least once, and returns the last result. */
async function pollReadiness(settings: Settings, timeoutMs: number): Promise<Readiness> {
  const end = performance.now() + timeoutMs;
  for (;;) {
    const readiness = await fetchReadiness(settings);
    if (readiness.isReady || performance.now() >= end) return readiness;
    await sleep(200);
  }
}
