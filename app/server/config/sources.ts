import { accessSync, constants, existsSync, fstatSync, readFileSync } from "node:fs";
import { program } from "../../brand.ts";
import { parseEnvFile } from "./env-file.ts";
import {
  fileVariableOf,
  type flaggedSettings,
  flagOf,
  retiredVariables,
  type SettingName,
  settingNames,
  settingOf,
  variableOf,
} from "./settings-table.ts";

export interface Sources {
  flags: { [Name in keyof typeof flaggedSettings]?: string | undefined };
  /** The path of the settings file, if there is one; see findSettingsFile. */
  file: string | undefined;
  environment?: NodeJS.ProcessEnv;
}

/** A variable that a source sets. */
export interface Entry {
  variable: string;
  /** The value as it is written, without surrounding white space; never empty. */
  text: string;
  /** Source shown to people: "--port", "environment: PORT", "settings.env:3", or a secret's file. */
  from: string;
  /** The beginning of error messages: a flag, a variable, or a variable with its file and line. */
  label: string;
  secretFile?: string;
}

interface Read {
  /** What the sources set, by variable. An entry overrides those of later sources. */
  entries: Map<string, Entry>;
  errors: string[];
  warnings: string[];
}

const variables = settingNames.flatMap((name) =>
  settingOf(name).isSecret ? [variableOf(name), fileVariableOf(name)] : [variableOf(name)],
);
const unprefixed = settingNames.filter((name) => settingOf(name).acceptsUnprefixed);

/** The environment variable that names the settings file. */
export const configVariable = `${program.settingPrefix}CONFIG`;

/** The path of the settings file unless another is named; the packages and docs/operating.md install it there. */
export const defaultFile = `/etc/${program.command}/${program.command}.env`;

/**
 * What an operator types to run a command. The packages and docs/operating.md install the default settings file and an
 * -admin command, which runs commands with that file and under the server's account.
 */
export const operatorCommand = existsSync(defaultFile)
  ? `${program.command}-admin`
  : program.command;

/**
 * Returns the settings file: the one of the flag --config, else of the environment, else the default
 * file if it exists. A default file that this account may not read is not used, and `note` says so.
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

/** Returns the number of characters that only one of two names has: 2 for PORT and PART, 0 for PORT and PROT. */
function differenceOf(one: string, other: string): number {
  const left = [...other];
  let missing = 0;
  for (const character of one) {
    const at = left.indexOf(character);
    if (at < 0) missing += 1;
    else left.splice(at, 1);
  }
  return missing + left.length;
}

/** Returns what all sources set, without empty variables. */
export function readSources({ flags, file, environment = process.env }: Sources): Read {
  const read: Read = { entries: new Map(), errors: [], warnings: [] };
  const add = ({ text: typed, ...source }: Entry) => {
    const { variable, label } = source;
    const text = typed.trim();
    if (retiredVariables.includes(variable)) {
      read.warnings.push(`${label} is no longer a setting; it is ignored.`);
    } else if (!variables.includes(variable)) {
      const near = variables.find((one) => differenceOf(one, variable.toUpperCase()) <= 2);
      const hint = near ? ` Perhaps you mean ${near}.` : "";
      read.errors.push(
        `${label} is not a setting; \`${program.command} help settings\` lists all.${hint}`,
      );
    } else if (text && !read.entries.has(variable)) {
      read.entries.set(variable, { ...source, text });
    }
  };
  for (const [name, text] of Object.entries(flags)) {
    const flag = flagOf(name);
    // Report an empty flag. Otherwise the environment or the file would be used in silence.
    if (text?.trim() === "") read.errors.push(`${flag} needs a value.`);
    else if (text)
      add({ variable: variableOf(name as SettingName), text, from: flag, label: flag });
  }
  for (const [key, text = ""] of Object.entries(environment)) {
    if (!key.startsWith(program.settingPrefix) || key === configVariable) continue;
    add({ variable: key, text, from: `environment: ${key}`, label: key });
  }
  for (const name of unprefixed) {
    const text = environment[name] ?? "";
    add({ variable: variableOf(name), text, from: `environment: ${name}`, label: name });
  }
  for (const line of file === undefined ? [] : readSettingsFile(file)) {
    if ("error" in line) read.errors.push(line.error);
    else add(line);
  }
  return read;
}

/** Returns the variable or the error of each line of a settings file, or the error of the whole file. */
function readSettingsFile(file: string): (Entry | { error: string })[] {
  const content = readText(file, `${configVariable} or --config`);
  if ("error" in content) return [content];
  return parseEnvFile(content.text).map(({ line, ...parsed }) => {
    const from = `${file}:${line}`;
    if ("error" in parsed) return { error: `${from}: ${parsed.error}.` };
    const { variable, value: text } = parsed;
    return { variable, text, from, label: `${from}: ${variable}` };
  });
}

/** Returns the secret in the file that an entry names, without surrounding white space. */
export function readSecret({
  variable,
  text: file,
  from,
  label,
}: Entry): Entry | { error: string } {
  const read = readText(file, label);
  if ("error" in read) return read;
  const text = read.text.trim();
  if (text === "") return { error: `${label} names ${file}, which is empty.` };
  return {
    variable,
    text,
    secretFile: file,
    from: `${file}, by ${from}`,
    label: `${label}, in its file,`,
  };
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
