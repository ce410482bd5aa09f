import { type Command, Option } from "commander";
import { program } from "../../brand.ts";
import {
  fileVariableOf,
  flagOf,
  type SettingName,
  settingGroups,
  settingNames,
  settingOf,
  variableOf,
} from "../config/settings-table.ts";
import { configVariable, defaultFile, findSettingsFile, type Sources } from "../config/sources.ts";

/**
 * Adds a flag for every setting, accepted before and after a command. Returns a function that reads
 * the flags after parsing.
 */
export function addSettingsFlags(root: Command): () => Sources {
  root.option("--config <file>", "read settings from a file such as `config init` writes");
  const groups = settingFlags();
  const flags = groups.flatMap((group) => group.flags);
  // Listed after the commands (addHelpText), not before them.
  for (const { option } of flags) root.addOption(option.hideHelp());
  const help = groups.map(({ title, flags }) => `\n${title}:\n${formatOptions(root, flags)}`);
  root.addHelpText("after", [...help, `\n${otherWays}`].join("\n"));
  root.addHelpText("afterAll", ({ command }) =>
    command === root ? "" : `\nEvery setting is also a flag; see ${program.command} --help`,
  );
  return () => ({
    file: findSettingsFile(root.getOptionValue("config"), note),
    flags: flags.flatMap(({ option, variable }) => {
      const text: string | undefined = root.getOptionValue(option.attributeName());
      return text === undefined ? [] : [{ flag: option.long!, variable, text }];
    }),
  });
}

/** Returns the flags of all settings, with the variables that they set. */
export const settingFlags = () =>
  settingGroups.map(({ title, names }) => ({ title, flags: names.flatMap(flagsOf) }));

const notes = new Set<string>();

/** Prints a note, once. */
function note(message: string): void {
  if (!notes.has(message)) process.stderr.write(`${program.command}: ${message}\n`);
  notes.add(message);
}

interface SettingFlag {
  option: Option;
  variable: string;
}

function flagsOf(name: SettingName): SettingFlag[] {
  const { description, choices, valueKind = "value", isSecret, ...setting } = settingOf(name);
  const flag = (name: string, takes: string, text: string, variable: string): SettingFlag => ({
    option: new Option(`${name} <${takes}>`, text),
    variable,
  });
  const text = `${description} (${setting.default ?? setting.defaultDescription})`;
  const direct = flag(flagOf(name), choices?.join("|") ?? valueKind, text, variableOf(name));
  if (!isSecret) return [direct];
  const fileText = "a file that contains it instead";
  return [direct, flag(`${flagOf(name)}-file`, "file", fileText, fileVariableOf(name))];
}

function formatOptions(root: Command, flags: SettingFlag[]): string {
  const helper = root.createHelp();
  helper.prepareContext({ helpWidth: process.stdout.columns ?? 80 });
  return flags
    .map(({ option }) => helper.formatItem(option.flags, 33, option.description, helper))
    .join("\n");
}

const unprefixed = settingNames.filter((name) => settingOf(name).acceptsUnprefixed).join(" and ");
const secrets = settingNames.filter((name) => settingOf(name).isSecret).map(fileVariableOf);

export const otherWays = `Each of these settings is also an environment variable and a line of a settings file:
--data-dir, ${variableOf("DATA_DIR")}. A flag overrides the environment, which overrides the
file. Without --config the file is that of ${configVariable}, or else ${defaultFile}
if it exists. ${unprefixed} also work without the prefix. A secret may be in a file of its own,
which is named by ${secrets.join(" or ")}.`;
