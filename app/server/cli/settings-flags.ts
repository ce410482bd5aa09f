import { type Command, Option } from "commander";
import { program } from "../../brand.ts";
import {
  defaultText,
  fileVariableOf,
  flagOf,
  settingGroups,
  settingNames,
  settingOf,
  variableOf,
} from "../config/settings-table.ts";
import type { Flags } from "../config/sources.ts";

/**
 * Adds a flag for every setting, accepted before and after a command. Returns a function that reads
 * the flags after parsing.
 */
export function addSettingsFlags(root: Command): () => Flags {
  root.option("--config <file>", "read settings from a file such as `config init` writes");
  const variables = new Map<Option, string>();
  const help: string[] = [];
  for (const { title, names } of settingGroups) {
    const options: Option[] = [];
    const add = (flag: string, text: string, variable: string) => {
      // Listed after the commands (addHelpText), not before them.
      const option = new Option(flag, text).hideHelp();
      options.push(option);
      variables.set(option, variable);
      root.addOption(option);
    };
    for (const name of names) {
      const { description, choices, valueKind = "value", isSecret } = settingOf(name);
      const takes = choices?.join("|") ?? valueKind;
      add(`${flagOf(name)} <${takes}>`, `${description} (${defaultText(name)})`, variableOf(name));
      if (isSecret) {
        add(`${flagOf(name)}-file <file>`, "a file that contains it instead", fileVariableOf(name));
      }
    }
    help.push(`\n${title}:`, formatOptions(root, options));
  }
  root.addHelpText("after", () => [...help, `\n${otherWays}`].join("\n"));
  root.addHelpText("afterAll", ({ command }) =>
    command === root ? "" : `\nEvery setting is also a flag; see ${program.command} --help`,
  );
  return () => ({
    file: root.getOptionValue("config"),
    values: new Map(
      [...variables].flatMap(([option, variable]) => {
        const value: string | undefined = root.getOptionValue(option.attributeName());
        return value === undefined ? [] : [[variable, value]];
      }),
    ),
  });
}

function formatOptions(root: Command, options: Option[]): string {
  const helper = root.createHelp();
  helper.prepareContext({ helpWidth: process.stdout.columns ?? 80 });
  return options
    .map(({ flags, description }) => helper.formatItem(flags, 33, description, helper))
    .join("\n");
}

const unprefixed = settingNames.filter((name) => settingOf(name).acceptsUnprefixed).join(" and ");
const secrets = settingNames.filter((name) => settingOf(name).isSecret).map(fileVariableOf);

const otherWays = `Each of these settings is also an environment variable and a line of a settings file:
--data-dir, ${variableOf("DATA_DIR")}. A flag overrides the environment, which overrides the
file. ${unprefixed} also work without the prefix; ${secrets.join(", ")} names
a file that contains the secret.`;
