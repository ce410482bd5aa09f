import type { Command } from "commander";
import { sqliteFiles } from "#db/engine.ts";
import packageJson from "../../../package.json";
import { program } from "../../brand.ts";
import { print, printJson } from "./print.ts";

export const versionLine = `${program.command} ${packageJson.version}`;

export function addVersion(root: Command): void {
  root
    .command("version")
    .description("print the version")
    .option("--json", "print JSON, with the versions of Node, SQLite and the database schema")
    .action(async ({ json = false }: { json?: boolean }) => {
      if (!json) return print(versionLine);
      const { currentSchemaVersion, sqliteVersion } = await sqliteFiles();
      const { version: node, platform, arch } = process;
      printJson({
        version: packageJson.version,
        node: node.slice(1),
        sqlite: sqliteVersion(),
        platform: `${platform}-${arch}`,
        schemaVersion: currentSchemaVersion,
      });
    });
}
