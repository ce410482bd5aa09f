import { type Command, Option } from "commander";
import { program } from "../../brand.ts";
import {
  defaultText,
  fileVariableOf,
  flagOf,
  settingNames,
  settingOf,
  topics,
  variableOf,
} from "../config/settings-table.ts";
import type { Flags } from "../config/sources.ts";

/** Gives the program a flag for every setting, in front of a command or behind it. Returns what was typed, once it is parsed. */
export function addSettingsFlags(root: Command): () => Flags {
  root.option("--config <file>", "read settings from a file such as `config init` writes");
  const variables = new Map<Option, string>();
  const help: string[] = [];
  for (const { title, names } of topics) {
    const options: Option[] = [];
    const add = (flag: string, text: string, variable: string) => {
      // Listed behind the commands, which would else stand below all of them.
      const option = new Option(flag, text).hideHelp();
      options.push(option);
      variables.set(option, variable);
      root.addOption(option);
    };
    for (const name of names) {
      const { meaning, choices, names: named = "value", isSecret } = settingOf(name);
      const takes = choices?.join("|") ?? named;
      add(`${flagOf(name)} <${takes}>`, `${meaning} (${defaultText(name)})`, variableOf(name));
      if (isSecret) {
        add(`${flagOf(name)}-file <file>`, "a file that holds it instead", fileVariableOf(name));
      }
    }
    help.push(`\n${title}:`, listed(root, options));
  }
  root.addHelpText("after", () => [...help, `\n${otherWays}`].join("\n"));
  root.addHelpText("afterAll", ({ command }) =>
    command === root ? "" : `\nEvery setting is a flag here too: ${program.command} --help`,
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

function listed(root: Command, options: Option[]): string {
  const helper = root.createHelp();
  helper.prepareContext({ helpWidth: process.stdout.columns ?? 80 });
  return options
    .map(({ flags, description }) => helper.formatItem(flags, 33, description, helper))
    .join("\n");
}

const bare = settingNames.filter((name) => settingOf(name).alsoBare).join(" and ");
const secrets = settingNames.filter((name) => settingOf(name).isSecret).map(fileVariableOf);

const otherWays = `Each of these settings is also an environment variable and a line of a settings file:
--data-dir, ${variableOf("DATA_DIR")}. A flag counts more than the environment, that more
than the file. ${bare} count without the prefix; ${secrets.join(", ")}
names a file that holds the secret.`;
