import { setTimeout as sleep } from "node:timers/promises";
import type { Command } from "commander";
import { askReadiness, type Readiness } from "../doctor/readiness.ts";
import { CommandFailed, exitCodes } from "./exit.ts";
import type { Installation } from "./installation.ts";
import { print } from "./print.ts";

interface Options {
  wait?: string;
  json?: true;
}

export function addHealth(root: Command, { readSettings }: Installation): void {
  root
    .command("health")
    .description("ask the running server whether it is ready; exits with 0 or 1")
    .option("--wait <seconds>", "keep asking for this long, such as after a start")
    .option("--json", "as JSON")
    .action(async ({ wait = "0", json }: Options) => {
      if (!/^\d{1,4}$/.test(wait)) {
        throw new CommandFailed(`--wait takes seconds, not ${wait}.`, exitCodes.usage);
      }
      const { isReady, checks, text } = await askFor(Number(wait) * 1000, () =>
        askReadiness(readSettings()),
      );
      if (json) print(JSON.stringify({ ready: isReady, checks: checks ?? {} }));
      else for (const [check, word] of Object.entries(checks ?? {})) print(`${check}: ${word}`);
      if (!isReady) throw new CommandFailed(`Not ready: ${text}.`);
    });
}

/** Asks until the server is ready or the time is over; at least once. */
async function askFor(timeoutMs: number, ask: () => Promise<Readiness>): Promise<Readiness> {
  const end = Date.now() + timeoutMs;
  for (;;) {
    const answer = await ask();
    if (answer.isReady || Date.now() >= end) return answer;
    await sleep(200);
  }
}
