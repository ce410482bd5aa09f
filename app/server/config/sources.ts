import { readFileSync } from "node:fs";
import { closest } from "fastest-levenshtein";
import { program } from "../../brand.ts";
import { parseEnvFile } from "./env-file.ts";
import {
  fileVariableOf,
  flagOf,
  type SettingName,
  settingNames,
  settingOf,
  variableOf,
} from "./settings-table.ts";

/** Settings given on the command line. */
export interface Flags {
  /** The settings file (--config), if given. */
  file: string | undefined;
  /** Values by environment variable name, including the …_FILE variables of secrets. */
  values: Map<string, string>;
}

export interface GivenValue {
  text: string;
  /**
   * Source shown to people: "--port", "environment: PORT", "settings.env:3", or a secret's file.
   */
  from: string;
}

export interface GatheredSettings {
  /** Valid values only. A setting that is missing here has its default. */
  given: Map<SettingName, GivenValue>;
  errors: string[];
}

/** The `label` begins error messages: a flag, a variable, or a variable with its file and line. */
type LabelledValue = GivenValue & { label: string };

/** Values from one source, by variable name. */
type Layer = Map<string, LabelledValue>;

const secretNames = settingNames.filter((name) => settingOf(name).isSecret);
const variables = [...settingNames.map(variableOf), ...secretNames.map(fileVariableOf)];

/**
 * Reads and validates the settings. Flags override environment variables, which override the file.
 */
export function gatherSettings(flags: Flags): GatheredSettings {
  const errors: string[] = [];
  const layers = [
    flagLayer(flags, errors),
    environmentLayer(errors),
    fileLayer(flags.file, errors),
  ];
  const find = (variable: string) =>
    layers.map((layer) => layer.get(variable)).find((found) => found !== undefined);

  const given = new Map<SettingName, GivenValue>();
  for (const name of settingNames) {
    const direct = find(variableOf(name));
    const secretFile = secretNames.includes(name) ? find(fileVariableOf(name)) : undefined;
    if (direct && secretFile) {
      errors.push(`Set ${direct.label} or ${secretFile.label}, not both.`);
      continue;
    }
    const found = direct ?? (secretFile && readSecret(secretFile, errors));
    if (!found?.text) continue;
    const result = settingOf(name).rule.safeParse(found.text);
    if (result.success) given.set(name, { text: found.text, from: found.from });
    else errors.push(`${found.label} ${result.error.issues[0]!.message}.`);
  }
  return { given, errors };
}

/** Rejects an empty flag: it would silently fall back to the environment or the file. */
function flagLayer({ values }: Flags, errors: string[]): Layer {
  const flagOfVariable = new Map(
    settingNames.flatMap((name) => [
      [variableOf(name), flagOf(name)],
      [fileVariableOf(name), `${flagOf(name)}-file`],
    ]),
  );
  return new Map(
    [...values].map(([variable, text]) => {
      const flag = flagOfVariable.get(variable)!;
      if (text.trim() === "") errors.push(`${flag} needs a value.`);
      return [variable, { text: text.trim(), from: flag, label: flag }];
    }),
  );
}

/** Ignores empty variables. */
function environmentLayer(errors: string[]): Layer {
  const layer: Layer = new Map();
  const put = (variable: string, label: string) => {
    const text = process.env[label]?.trim();
    if (text) layer.set(variable, { text, from: `environment: ${label}`, label });
  };
  for (const name of settingNames.filter((name) => settingOf(name).acceptsUnprefixed)) {
    put(variableOf(name), name);
  }
  for (const variable of Object.keys(process.env)) {
    if (!variable.startsWith(program.settingPrefix)) continue;
    if (variables.includes(variable)) put(variable, variable);
    else errors.push(unknown(variable));
  }
  return layer;
}

function fileLayer(file: string | undefined, errors: string[]): Layer {
  const layer: Layer = new Map();
  const text = file === undefined ? undefined : readText(file, errors);
  if (text === undefined) return layer;
  const parsed = parseEnvFile(text);
  const fileErrors = parsed.errors.map(({ line, message }) => ({ line, error: `${message}.` }));
  for (const { key, value, line } of parsed.entries) {
    const from = `${file}:${line}`;
    if (!variables.includes(key)) fileErrors.push({ line, error: unknown(key) });
    else if (value.trim()) layer.set(key, { text: value.trim(), from, label: `${from}: ${key}` });
  }
  fileErrors.sort((a, b) => a.line - b.line);
  errors.push(...fileErrors.map(({ line, error }) => `${file}:${line}: ${error}`));
  return layer;
}

/** Reads a secret from its file, without surrounding white space. */
function readSecret(secretFile: LabelledValue, errors: string[]): LabelledValue | undefined {
  const { text: file, from, label } = secretFile;
  if (file === "") return undefined;
  const text = readText(file, errors, label)?.trim();
  if (text === "") errors.push(`${label} names ${file}, which is empty.`);
  return text ? { text, from: `${file}, by ${from}`, label: `${label}, in its file,` } : undefined;
}

function readText(file: string, errors: string[], label = "--config"): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(readFileSync(file));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const reason = code === "ERR_ENCODING_INVALID_ENCODED_DATA" ? "it is not UTF-8" : code;
    errors.push(`${label} names ${file}, which cannot be read: ${reason}.`);
    return undefined;
  }
}

const unknown = (variable: string) =>
  `${variable} is not a setting. Did you mean ${closest(variable, variables)}?`;
