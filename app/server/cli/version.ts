import type { Command } from "commander";
import { sqliteFiles } from "#db/engine.ts";
import { program } from "../../brand.ts";
import { buildVersion } from "../build.ts";
import { type Json, print, printJson } from "./print.ts";

export const versionLine = `${program.command} ${buildVersion}`;

export function addVersion(root: Command): void {
  root
    .command("version")
    .description("print the version")
    .option("--json", "print JSON, with the versions of Node, SQLite and the database schema")
    .action(async ({ json }: Json) => {
      if (!json) return print(versionLine);
      const { currentSchemaVersion, sqliteVersion } = await sqliteFiles();
      const { version: node, platform, arch } = process;
      printJson({
        version: buildVersion,
        node: node.slice(1),
        sqlite: sqliteVersion(),
        platform: `${platform}-${arch}`,
        schemaVersion: currentSchemaVersion,
      });
    });
}
