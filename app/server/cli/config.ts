import { createHash } from "node:crypto";
import { lookup } from "node:dns/promises";
import path from "node:path";
import type { Command } from "commander";
import { program } from "../../brand.ts";
import * as rules from "../config/rules.ts";
import {
  type ParsedSettings,
  parseSettings,
  type Settings,
  SettingsError,
} from "../config/settings.ts";
import { type SettingName, settingNames, settingOf, variableOf } from "../config/settings-table.ts";
import { configVariable, defaultFile } from "../config/sources.ts";
import { settingsTemplate } from "../config/template.ts";
import type { ContentFiles } from "../content/built-in-files.ts";
import { ContentError } from "../content/content-error.ts";
import { missingStatements } from "../content/missing-statements.ts";
import { CommandFailed, exitCodes } from "./exit.ts";
import type { Installation } from "./installation.ts";
import { type Json, print, printJson } from "./print.ts";
import { versionLine } from "./version.ts";
import { writeNew } from "./write-new.ts";

export function addConfig(root: Command, { sources }: Installation): void {
  const config = root.command("config").description("write, check and show the settings");
  config
    .command("init [file]")
    .description(
      "write a settings file with every setting commented out (- for stdout); never overwrites",
    )
    .action((file = `${program.command}.env`) => writeTemplate(file));
  config
    .command("check")
    .description(
      "report every error in the settings and the content, what pages still publish as a placeholder, and what your own articles lack",
    )
    .option("--json", "print JSON")
    .action((options: Json) => check(sources, options));
  config
    .command("show")
    .description("print every setting and its source, without secrets")
    .option("--set", "only those that are set")
    .option("--json", "print JSON")
    .action((options: Json & { set?: true }) => show(sources, options));
}

async function writeTemplate(file: string): Promise<void> {
  if (file === "-") {
    process.stdout.write(settingsTemplate());
    return;
  }
  if (file === "") throw new CommandFailed("Give a file, or - for stdout.", exitCodes.usage);
  await writeNew(file, settingsTemplate());
  print(file);
  process.stderr.write(
    `To use it, add --config ${file} to a command, or set ${configVariable}=${path.resolve(file)}. ${defaultFile} is used without either.\n`,
  );
}

async function check(sources: Installation["sources"], { json }: Json): Promise<void> {
  const parsed = parseSettings(sources());
  const { dropFolder, listenAddress } = parsed.settings;
  const hasFolder = dropFolder === undefined || rules.existingFolder.safeParse(dropFolder).success;
  const { digest, ...content } = await checkContent(parsed);
  const errors = [
    ...parsed.errors,
    ...(hasFolder ? [] : [`${variableOf("DROP_DIR")} must be an existing folder.`]),
    ...((await isHostResolvable(listenAddress)) ? [] : [`${variableOf("HOST")} has no address.`]),
    ...content.errors,
  ];
  const warnings = [...parsed.warnings, ...content.warnings];
  if (json) printJson({ errors, warnings, digest });
  if (errors.length > 0) throw new SettingsError(errors);
  for (const warning of warnings) process.stderr.write(`Warning: ${warning.replace(/\.$/, "")}.\n`);
  process.stderr.write(
    `The settings and the content are valid. Digest: ${digest}, the same on all servers of one site.\n`,
  );
}

/** Checks the content. The digest is null if the content is invalid. */
async function checkContent(
  parsed: ParsedSettings,
): Promise<{ errors: string[]; warnings: string[]; digest: string | null }> {
  const { loadConfig } = await import("../config/load-config.ts");
  const { readContent } = await import("../content/read-content.ts");
  const { settings } = parsed;
  try {
    const config = loadConfig(settings);
    const missing = missingStatements(config.brand).map(({ message }) => message);
    const warnings = [...readContent(config).warnings, ...missing];
    return { errors: [], warnings, digest: digestOf(parsed, config.content.files) };
  } catch (error) {
    if (!(error instanceof ContentError)) throw error;
    return { errors: error.messages, warnings: [], digest: null };
  }
}

const isHostResolvable = async (address: Settings["listenAddress"]) =>
  "path" in address ||
  lookup(address.host).then(
    () => true,
    () => false,
  );

/** Settings that may differ between servers of one site. */
const ownSettings: SettingName[] = ["HOST", "PORT", "DATA_DIR", "CONTENT_DIR"];

/** Returns a digest of what servers of one site must share: the program, settings without secrets, the content. */
function digestOf(parsed: ParsedSettings, content: ContentFiles): string {
  const settings = shownSettings(parsed)
    .filter(({ name }) => !ownSettings.includes(name))
    .map(({ name, value }) => [name, value]);
  const common = [versionLine, settings, [...content].sort()];
  return createHash("sha256").update(JSON.stringify(common)).digest("hex").slice(0, 16);
}

/** Prints the valid settings even if others are invalid. */
function show(sources: Installation["sources"], { json, set }: Json & { set?: true }): void {
  const parsed = parseSettings(sources());
  const rows = shownSettings(parsed)
    .filter(({ name }) => !set || parsed.given.has(name))
    .map((row) => ({ ...row, name: variableOf(row.name) }));
  if (json) printJson(rows);
  else for (const { name, value, from } of rows) print(`${name}=${value ?? ""}  (${from})`);
  if (parsed.errors.length > 0) throw new SettingsError(parsed.errors);
}

/** Returns every setting with its valid value or default, without secrets, and where the value comes from. */
const shownSettings = ({ given }: ParsedSettings) =>
  settingNames.map((name) => {
    const found = given.get(name);
    const value = found ? withoutSecret(name, found.text) : (settingOf(name).default ?? null);
    return { name, value, from: found?.from ?? "default" };
  });

/**
 * Redacts a secret. In a URL, redacts what may be a key: the password, the query, a user name without a password, and
 * the path of a webhook.
 */
function withoutSecret(name: SettingName, text: string): string {
  if (!settingOf(name).isSecret || text.startsWith("file:")) return text;
  if (!URL.canParse(text)) return "redacted";
  const url = new URL(text);
  if (name === "WEBHOOK_URL" && url.pathname !== "/") url.pathname = "/redacted";
  if (url.password) url.password = "redacted";
  else if (url.username) url.username = "redacted";
  if (url.search) url.search = "redacted";
  return url.href;
}
