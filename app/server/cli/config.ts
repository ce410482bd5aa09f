import { writeFile } from "node:fs/promises";
import path from "node:path";
import type { Command } from "commander";
import { program } from "../../brand.ts";
import { parseSettings, SettingsError } from "../config/settings.ts";
import { type SettingName, settingNames, settingOf, variableOf } from "../config/settings-table.ts";
import { configVariable, defaultFile } from "../config/sources.ts";
import { settingsTemplate } from "../config/template.ts";
import { ContentError } from "../content/content-error.ts";
import { missingStatements } from "../content/missing-statements.ts";
import { CommandFailed } from "./exit.ts";
import type { Installation } from "./installation.ts";
import { print, printJson } from "./print.ts";

export function addConfig(root: Command, { sources }: Installation): void {
  const config = root.command("config").description("write, check and show the settings");
  config
    .command("init [file]")
    .description("write a settings file with every setting commented out; never overwrites")
    .action((file = `${program.command}.env`) => writeTemplate(file));
  config
    .command("check")
    .description(
      "report every error in the settings and the content, what pages still publish as a placeholder, and what your own articles lack",
    )
    .option("--json", "print JSON")
    .action((options: { json?: true }) => check(sources, options));
  config
    .command("show")
    .description("print every setting and its source, without secrets")
    .option("--json", "print JSON")
    .action(({ json = false }: { json?: boolean }) => show(sources, json));
}

async function writeTemplate(file: string): Promise<void> {
  try {
    await writeFile(file, settingsTemplate(), { flag: "wx", mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    throw new CommandFailed(`${file} already exists; nothing was overwritten.`);
  }
  print(file);
  process.stderr.write(
    `To use it, add --config ${file} to a command, or set ${configVariable}=${path.resolve(file)}. ${defaultFile} is used without either.\n`,
  );
}

async function check(sources: Installation["sources"], { json }: { json?: true }): Promise<void> {
  const [{ loadConfig }, { readContent }] = await Promise.all([
    import("../config/config.ts"),
    import("../content/content.ts"),
  ]);
  const { settings, errors } = parseSettings(sources());
  const warnings: string[] = [];
  try {
    const { content, brand, retentionDays } = loadConfig(settings);
    const { advice } = readContent(content, brand, retentionDays);
    warnings.push(...missingStatements(brand), ...advice);
  } catch (error) {
    if (!(error instanceof ContentError)) throw error;
    errors.push(...error.messages);
  }
  if (json) printJson({ errors, warnings });
  if (errors.length > 0) throw new SettingsError(errors);
  for (const warning of warnings) process.stderr.write(`Warning: ${warning}.\n`);
  process.stderr.write("The settings and the content are valid.\n");
}

/** Prints the valid settings even if others are invalid. */
function show(sources: Installation["sources"], json: boolean): void {
  const { given, errors } = parseSettings(sources());
  const rows = settingNames.map((name) => {
    const found = given.get(name);
    const value = found ? withoutSecret(name, found.text) : (settingOf(name).default ?? null);
    return { name: variableOf(name), value, from: found?.from ?? "default" };
  });
  if (json) printJson(rows);
  else for (const { name, value, from } of rows) print(`${name}=${value ?? ""}  (${from})`);
  if (errors.length > 0) throw new SettingsError(errors);
}

/** Redacts the password and the query of a URL. Some mail services take a key as the user name. */
function withoutSecret(name: SettingName, text: string): string {
  if (!settingOf(name).isSecret || text.startsWith("file:")) return text;
  const url = new URL(text);
  if (url.password) url.password = "redacted";
  else if (url.username) url.username = "redacted";
  if (url.search) url.search = "redacted";
  return url.href;
}
