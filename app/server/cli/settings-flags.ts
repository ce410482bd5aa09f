import { type Command, InvalidArgumentError, Option } from "commander";
import { program } from "../../brand.ts";
import {
  fileVariableOf,
  flaggedSettings,
  flagOf,
  settingGroups,
  settingNames,
  settingOf,
  variableOf,
} from "../config/settings-table.ts";
import { configVariable, defaultFile, findSettingsFile, type Sources } from "../config/sources.ts";

/** Adds the flags of settings, accepted before and after a command. Returns a function that reads them after parsing. */
export function addSettingsFlags(root: Command): () => Sources {
  root.option("--config <file>", "read the settings from this file", notEmpty);
  const flags = Object.entries(flaggedSettings).map(([name, { placeholder, description }]) => {
    const option = new Option(`${flagOf(name)} <${placeholder}>`, description);
    root.addOption(option);
    return { name, attribute: option.attributeName() };
  });
  return () => ({
    file: findSettingsFile(root.getOptionValue("config"), note),
    flags: Object.fromEntries(
      flags.map(({ name, attribute }) => [name, root.getOptionValue(attribute)]),
    ),
  });
}

/** Rejects an empty value, such as that of an unset variable. Otherwise the default file would be read in silence. */
function notEmpty(value: string): string {
  if (value.trim() === "") throw new InvalidArgumentError("It must not be empty.");
  return value;
}

const notes = new Set<string>();

/** Prints a note, once. */
function note(message: string): void {
  if (!notes.has(message)) process.stderr.write(`${program.command}: ${message}\n`);
  notes.add(message);
}

const unprefixed = settingNames.filter((name) => settingOf(name).acceptsUnprefixed).join(" and ");
const secrets = settingNames.filter((name) => settingOf(name).isSecret).map(fileVariableOf);

/** Returns the text of `help settings`. */
export function settingsHelp(): string {
  const groups = settingGroups.map(({ title, names }) => {
    const items = names.map((name) => {
      const { description, ...setting } = settingOf(name);
      return `  ${variableOf(name)}\n      ${description} (${setting.default ?? setting.defaultDescription})`;
    });
    return `${title}:\n${items.join("\n")}\n`;
  });
  return `Each setting is a line KEY=VALUE of the settings file, or an environment variable, which overrides
the file. The file is that of --config or ${configVariable}, or else ${defaultFile}
if it exists; \`config init\` writes one. ${unprefixed} also works without the prefix. A secret may be in a
file of its own, which is named by ${secrets.join(" or ")}.

${groups.join("\n")}`;
}
