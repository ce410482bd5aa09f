import type { Command } from "commander";
import { counted } from "../../domain/counted.ts";
import type { Finding } from "../doctor/installation-checks.ts";
import { CommandFailed } from "./exit.ts";
import type { Installation } from "./installation.ts";
import { type Json, print, printJson } from "./print.ts";

export function addDoctor(root: Command, { sources }: Installation): void {
  root
    .command("doctor")
    .description("check this installation, and say what to do")
    .option("--json", "print JSON")
    .action(async ({ json }: Json) => {
      const { examine } = await import("../doctor/installation-checks.ts");
      const findings: Finding[] = [];
      for await (const finding of examine(sources(), new Date())) {
        findings.push(finding);
        if (!json) print(lineOf(finding));
      }
      if (json) printJson(findings);
      const faults = findings.filter(({ state }) => state === "FAIL").length;
      if (faults > 0) throw new CommandFailed(`${counted(faults, "check")} failed.`);
    });
}

function lineOf(finding: Finding): string {
  const { check, state, found } = finding;
  const line = `${state.padEnd(5)} ${check.padEnd(15)} ${found.replace(/\.$/, "")}`;
  return finding.state === "ok" ? line : `${line}. What to do: ${finding.remedy}.`;
}
