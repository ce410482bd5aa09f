import { writeFile } from "node:fs/promises";
import type { Command } from "commander";
import { program } from "../../brand.ts";
import { listedPaths } from "../../site.ts";
import { configFrom } from "../config/config.ts";
import { settingsFrom } from "../config/settings.ts";
import { SettingsError } from "../config/settings-error.ts";
import { type SettingName, settingNames, settingOf, variableOf } from "../config/settings-table.ts";
import { gather } from "../config/sources.ts";
import { settingsTemplate } from "../config/template.ts";
import { readContent } from "../content/content.ts";
import { ContentError } from "../content/content-error.ts";
import { CommandFailed } from "./exit.ts";
import type { Installation } from "./installation.ts";
import { print, printJson } from "./print.ts";

export function addConfig(root: Command, { flags }: Installation): void {
  const config = root.command("config").description("the settings");
  config
    .command("init [file]")
    .description("write a file with every setting as a comment; never overwrites")
    .action((file = `${program.command}.env`) => writeTemplate(file));
  config
    .command("check")
    .description("tell everything that is wrong with the settings and the content")
    .option("--json", "as JSON")
    .action((options: { json?: true }) => check(flags, options));
  config
    .command("show")
    .description("print every setting and where it comes from, without secrets")
    .option("--json", "as JSON")
    .action(({ json = false }: { json?: boolean }) => show(flags, json));
}

async function writeTemplate(file: string): Promise<void> {
  try {
    await writeFile(file, settingsTemplate(), { flag: "wx", mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    throw new CommandFailed(`${file} is there already; nothing is overwritten.`);
  }
  print(file);
}

function check(flags: Installation["flags"], { json }: { json?: true }): void {
  const gathered = gather(flags());
  const settings = settingsFrom(gathered);
  const faults = [...gathered.faults];
  try {
    const { content, brand, retentionDays } = configFrom(settings);
    readContent(content, brand, retentionDays, listedPaths);
  } catch (error) {
    if (!(error instanceof ContentError)) throw error;
    faults.push(...error.faults);
  }
  if (json) printJson({ faults });
  if (faults.length > 0) throw new SettingsError(faults);
  process.stderr.write("The settings and the content are in order.\n");
}

/** What is right is printed even where something else is wrong. */
function show(flags: Installation["flags"], json: boolean): void {
  const gathered = gather(flags());
  settingsFrom(gathered);
  const rows = settingNames.map((name) => {
    const found = gathered.given.get(name);
    const value = found ? withoutSecret(name, found.text) : (settingOf(name).default ?? null);
    return { name: variableOf(name), value, from: found?.from ?? "default" };
  });
  if (json) print(JSON.stringify(rows));
  else for (const { name, value, from } of rows) print(`${name}=${value ?? ""}  (${from})`);
  if (gathered.faults.length > 0) throw new SettingsError(gathered.faults);
}

/** An address keeps all but its password and what stands behind a question mark. */
function withoutSecret(name: SettingName, text: string): string {
  if (!settingOf(name).isSecret || text.startsWith("file:")) return text;
  const url = new URL(text);
  if (url.password) url.password = "redacted";
  if (url.search) url.search = "redacted";
  return url.href;
}
