import type { Command } from "commander";
import { askReadiness } from "../readiness.ts";
import { CommandFailed } from "./exit.ts";
import type { Installation } from "./installation.ts";
import { print } from "./print.ts";

export function addHealth(root: Command, { readSettings }: Installation): void {
  root
    .command("health")
    .description("ask the running server whether it is ready: 0 is yes, 1 is no")
    .option("--json", "as JSON")
    .action(async ({ json = false }: { json?: boolean }) => {
      const { isReady, checks, text } = await askReadiness(readSettings());
      if (json) print(JSON.stringify({ ready: isReady, checks: checks ?? {} }));
      else for (const [check, word] of Object.entries(checks ?? {})) print(`${check}: ${word}`);
      if (!isReady) throw new CommandFailed(`Not ready: ${text}.`);
    });
}
