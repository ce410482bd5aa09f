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

/** What was typed behind the command. */
export interface Flags {
  /** The file of settings, if one was named. */
  file: string | undefined;
  /** By their variables, those that name a file with a secret among them. */
  values: Map<string, string>;
}

export interface Given {
  text: string;
  /** For people: "--port", "environment: PORT", "settings.env:3", or the file of a secret. */
  from: string;
}

export interface Gathered {
  /** Only what is right; what is not given has its default. */
  given: Map<SettingName, Given>;
  faults: string[];
}

/** One place where settings may stand, by their variables. */
type Layer = Map<string, Given & { label: string }>;

const secretNames = settingNames.filter((name) => settingOf(name).isSecret);
const variables = [...settingNames.map(variableOf), ...secretNames.map(fileVariableOf)];

/** Collects the settings: a flag counts more than the environment, that more than the file. */
export function gather(flags: Flags): Gathered {
  const faults: string[] = [];
  const layers = [
    flagLayer(flags, faults),
    environmentLayer(faults),
    fileLayer(flags.file, faults),
  ];
  const find = (variable: string) =>
    layers.map((layer) => layer.get(variable)).find((found) => found !== undefined);

  const given = new Map<SettingName, Given>();
  for (const name of settingNames) {
    const plain = find(variableOf(name));
    const named = secretNames.includes(name) ? find(fileVariableOf(name)) : undefined;
    if (plain && named) {
      faults.push(`Give ${plain.label} or ${named.label}, not both.`);
      continue;
    }
    const found = plain ?? (named && readSecret(named, faults));
    if (!found?.text) continue;
    const result = settingOf(name).rule.safeParse(found.text);
    if (result.success) given.set(name, { text: found.text, from: found.from });
    else faults.push(`${found.label} ${result.error.issues[0]!.message}.`);
  }
  return { given, faults };
}

/** An empty flag would silently be the environment’s value, or the file’s. */
function flagLayer({ values }: Flags, faults: string[]): Layer {
  const flagOfVariable = new Map(
    settingNames.flatMap((name) => [
      [variableOf(name), flagOf(name)],
      [fileVariableOf(name), `${flagOf(name)}-file`],
    ]),
  );
  return new Map(
    [...values].map(([variable, text]) => {
      const flag = flagOfVariable.get(variable)!;
      if (text.trim() === "") faults.push(`${flag} needs a value.`);
      return [variable, { text: text.trim(), from: flag, label: flag }];
    }),
  );
}

/** An empty variable counts as unset. */
function environmentLayer(faults: string[]): Layer {
  const layer: Layer = new Map();
  const put = (variable: string, label: string) => {
    const text = process.env[label]?.trim();
    if (text) layer.set(variable, { text, from: `environment: ${label}`, label });
  };
  for (const name of settingNames.filter((name) => settingOf(name).alsoBare)) {
    put(variableOf(name), name);
  }
  for (const variable of Object.keys(process.env)) {
    if (!variable.startsWith(program.settingPrefix)) continue;
    if (variables.includes(variable)) put(variable, variable);
    else faults.push(unknown(variable));
  }
  return layer;
}

function fileLayer(file: string | undefined, faults: string[]): Layer {
  const layer: Layer = new Map();
  const text = file === undefined ? undefined : readText(file, faults);
  if (text === undefined) return layer;
  const read = parseEnvFile(text);
  const wrong = read.faults.map(({ line, message }) => ({ line, fault: `${message}.` }));
  for (const { key, value, line } of read.entries) {
    const from = `${file}:${line}`;
    if (!variables.includes(key)) wrong.push({ line, fault: unknown(key) });
    else if (value.trim()) layer.set(key, { text: value.trim(), from, label: `${from}: ${key}` });
  }
  wrong.sort((a, b) => a.line - b.line);
  faults.push(...wrong.map(({ line, fault }) => `${file}:${line}: ${fault}`));
  return layer;
}

/** The content of the file that is named, without the line break at its end. */
function readSecret(
  named: Given & { label: string },
  faults: string[],
): (Given & { label: string }) | undefined {
  if (named.text === "") return undefined;
  const text = readText(named.text, faults, named.label)?.trim();
  if (text === "") faults.push(`${named.label} names ${named.text}, which is empty.`);
  return text
    ? { text, from: `${named.text}, by ${named.from}`, label: `${named.label}, in its file,` }
    : undefined;
}

function readText(file: string, faults: string[], label = "--config"): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(readFileSync(file));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const reason = code === "ERR_ENCODING_INVALID_ENCODED_DATA" ? "it is not UTF-8" : code;
    faults.push(`${label} names ${file}, which cannot be read: ${reason}.`);
    return undefined;
  }
}

const unknown = (variable: string) =>
  `${variable} is not a setting. Did you mean ${closest(variable, variables)}?`;
