import { type Command, Option } from "commander";
import type { Flags } from "../config/sources.ts";
import {
  defaultText,
  fileVariableOf,
  flagOf,
  settingNames,
  settingOf,
  topics,
  variableOf,
} from "../config/table.ts";

/** Gives the program a flag for every setting, in front of a command or behind it. Returns what was typed, once it is parsed. */
export function addSettingsFlags(root: Command): () => Flags {
  const variables = new Map<Option, string>();
  root.addOption(
    new Option("--config <file>", "file of settings, as `config init` writes it").helpGroup(
      "Settings:",
    ),
  );
  for (const { title, names } of topics) {
    for (const name of names) {
      const { meaning, choices, names: named = "value", isSecret } = settingOf(name);
      const takes = choices?.join("|") ?? named;
      const add = (flag: string, text: string, variable: string) => {
        const option = new Option(flag, text).helpGroup(`${title}:`);
        variables.set(option, variable);
        root.addOption(option);
      };
      add(`${flagOf(name)} <${takes}>`, `${meaning} (${defaultText(name)})`, variableOf(name));
      if (isSecret) {
        add(`${flagOf(name)}-file <file>`, "file that holds it instead", fileVariableOf(name));
      }
    }
  }
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

/** How else they can be given, for the end of --help. */
export function settingsHelp(): string {
  const example = settingNames.find((name) => settingOf(name).alsoBare === undefined)!;
  const bare = settingNames.filter((name) => settingOf(name).alsoBare).join(" and ");
  const secrets = settingNames.filter((name) => settingOf(name).isSecret).map(fileVariableOf);
  return `Each setting is also an environment variable and a line of a settings file, as in
${flagOf(example)}, ${variableOf(example)}; a flag counts more than the environment, that more
than the file. ${bare} count without the prefix. ${secrets.join(", ")} names a file
that holds the secret. \`config init\` writes a file with all of them.`;
}
