import { accessSync, constants, existsSync, fstatSync, readFileSync } from "node:fs";
import { closest } from "fastest-levenshtein";
import { program } from "../../brand.ts";
import { parseEnvFile } from "./env-file.ts";
import {
  fileVariableOf,
  retiredVariables,
  settingNames,
  settingOf,
  variableOf,
} from "./settings-table.ts";

/** Where settings come from. */
export interface Sources {
  /** Flags of the command line, with the variables that they set. */
  flags: { flag: string; variable: string; text: string }[];
  /** The settings file, if there is one; see settingsFile. */
  file: string | undefined;
  /** The environment of the process, if omitted. */
  environment?: NodeJS.ProcessEnv;
}

/** A variable that a source sets. */
export interface Entry {
  variable: string;
  /** Not empty. */
  text: string;
  /**
   * Source shown to people: "--port", "environment: PORT", "settings.env:3", or a secret's file.
   */
  from: string;
  /** Begins error messages: a flag, a variable, or a variable with its file and line. */
  label: string;
}

type EntryOrError = Entry | { error: string };
type EntryOrMessage = EntryOrError | { warning: string };

const variables = settingNames.flatMap((name) =>
  settingOf(name).isSecret ? [variableOf(name), fileVariableOf(name)] : [variableOf(name)],
);
const unprefixed = settingNames.filter((name) => settingOf(name).acceptsUnprefixed);

/** Names the settings file in the environment. */
export const configVariable = `${program.settingPrefix}CONFIG`;

/** The settings file of the packages and of docs/operating.md. */
export const defaultFile = `/etc/${program.command}/${program.command}.env`;

/**
 * What an operator types to run a command. The packages and docs/operating.md install an -admin command beside the
 * default settings file: it uses that file and the account of the server, which can write in no folder of root's.
 */
export const operatorCommand = existsSync(defaultFile)
  ? `${program.command}-admin`
  : program.command;

/**
 * Returns the settings file: the one of the flag --config, else of the environment, else the default
 * file if it exists. The default file of another account is not used, and `note` says so: systemd
 * may have read it for this account.
 */
export function findSettingsFile(
  flag: string | undefined,
  note: (message: string) => void,
  environment: NodeJS.ProcessEnv = process.env,
  file = defaultFile,
): string | undefined {
  const named = flag ?? environment[configVariable]?.trim();
  if (named) return named;
  try {
    accessSync(file, constants.R_OK);
    return file;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EACCES") {
      note(`${file} cannot be read by this account (EACCES); its settings are not used.`);
    }
    return undefined;
  }
}

/** Whether a descriptor of this process writes to systemd's journal. */
export function isJournal(descriptor: number): boolean {
  const { JOURNAL_STREAM } = process.env;
  if (JOURNAL_STREAM === undefined) return false;
  const { dev, ino } = fstatSync(descriptor);
  return JOURNAL_STREAM === `${dev}:${ino}`;
}

/** Returns what all sources set. An entry overrides later ones of the same variable. */
export function readSources({ flags, file, environment = process.env }: Sources): EntryOrMessage[] {
  return [
    ...flags.map(fromFlag),
    ...fromEnvironment(environment),
    ...(file === undefined ? [] : fromFile(file)),
  ];
}

/** Returns the secret in the file that an entry names, without surrounding white space. */
export function readSecret({ variable, text: file, from, label }: Entry): EntryOrError {
  const read = readText(file, label);
  if ("error" in read) return read;
  const text = read.text.trim();
  if (text === "") return { error: `${label} names ${file}, which is empty.` };
  return { variable, text, from: `${file}, by ${from}`, label: `${label}, in its file,` };
}

/** Rejects an empty flag: it would silently fall back to the environment or the file. */
function fromFlag({ flag, variable, text }: Sources["flags"][number]): EntryOrError {
  if (text.trim() === "") return { error: `${flag} needs a value.` };
  return { variable, text: text.trim(), from: flag, label: flag };
}

/** Ignores empty variables. */
function fromEnvironment(environment: NodeJS.ProcessEnv): EntryOrMessage[] {
  const prefixed = Object.keys(environment).filter(
    (key) => key.startsWith(program.settingPrefix) && key !== configVariable,
  );
  const read = (variable: string, label: string): EntryOrError[] => {
    const text = environment[label]?.trim();
    return text ? [{ variable, text, from: `environment: ${label}`, label }] : [];
  };
  return [
    ...prefixed.flatMap((key): EntryOrMessage[] =>
      variables.includes(key) ? read(key, key) : [unknown(key)],
    ),
    ...unprefixed.flatMap((name) => read(variableOf(name), name)),
  ];
}

/** Ignores empty variables. */
function fromFile(file: string): EntryOrMessage[] {
  const read = readText(file, `${configVariable} or --config`);
  if ("error" in read) return [read];
  return parseEnvFile(read.text).flatMap((parsed): EntryOrMessage[] => {
    const from = `${file}:${parsed.line}`;
    if ("error" in parsed) return [{ error: `${from}: ${parsed.error}.` }];
    const { variable, value } = parsed;
    const label = `${from}: ${variable}`;
    if (!variables.includes(variable)) return [unknown(variable, label)];
    const text = value.trim();
    return text ? [{ variable, text, from, label }] : [];
  });
}

function readText(file: string, label: string): { text: string } | { error: string } {
  try {
    const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
    return { text: decoder.decode(readFileSync(file)) };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const reason = code === "ERR_ENCODING_INVALID_ENCODED_DATA" ? "it is not UTF-8" : code;
    return { error: `${label} names ${file}, which cannot be read: ${reason}.` };
  }
}

const unknown = (variable: string, label = variable): { warning: string } | { error: string } =>
  retiredVariables.includes(variable)
    ? { warning: `${label} is no longer a setting; it is ignored.` }
    : { error: `${label} is not a setting. Did you mean ${closest(variable, variables)}?` };
