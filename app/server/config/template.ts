import { program } from "../../brand.ts";
import {
  fileVariableOf,
  type SettingName,
  settingOf,
  topics,
  variableOf,
} from "./settings-table.ts";

/** A file of settings in which everything is still a comment. */
export function settingsTemplate(): string {
  return `${[introduction, ...topics.map(topic)].join("\n\n")}\n`;
}

const introduction = wrap(
  `Settings of ${program.command}, one KEY=VALUE a line. Take the # away from what you change. The file is for \`${program.command} --config FILE\` and for systemd's EnvironmentFile; a value with spaces may stand in single quotes (Docker's --env-file takes quotes for part of it). \`${program.command} config check --config FILE\` tells what is wrong.`,
);

function topic({ title, names }: (typeof topics)[number]): string {
  return [`# ${title}`, ...names.map(entry)].join("\n\n");
}

function entry(name: SettingName): string {
  const { meaning, choices, default: value = "", without, isSecret } = settingOf(name);
  return [
    wrap(
      [
        `${meaning[0]!.toUpperCase()}${meaning.slice(1)}.`,
        choices ? `One of: ${choices.join(", ")}.` : "",
        without ? `Without it: ${without}.` : "",
      ].join(" "),
    ),
    `#${variableOf(name)}=${value}`,
    ...(isSecret ? ["# … or the path of a file that holds it:", `#${fileVariableOf(name)}=`] : []),
  ].join("\n");
}

/** Comment lines of 100 characters at most. */
function wrap(text: string): string {
  const lines = [""];
  for (const word of text.split(" ").filter(Boolean)) {
    const line = `${lines.at(-1)} ${word}`;
    if (line.length <= 99) lines[lines.length - 1] = line;
    else lines.push(` ${word}`);
  }
  return lines.map((line) => `#${line}`).join("\n");
}
