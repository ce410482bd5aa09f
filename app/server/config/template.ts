import { program } from "../../brand.ts";
import { capitalised } from "../../domain/capitalised.ts";
import {
  fileVariableOf,
  type SettingName,
  settingGroups,
  settingOf,
  variableOf,
} from "./settings-table.ts";
import { defaultFile } from "./sources.ts";

/** Returns a settings file in which every setting is commented out. */
export function settingsTemplate(): string {
  return `${[introduction, ...settingGroups.map(groupText)].join("\n\n")}\n`;
}

const introduction = wrap(
  `Settings of ${program.command}: one KEY=VALUE per line. To change a setting, remove the # in front of it. The file is read from ${defaultFile}, or with \`${program.command} --config FILE\`. A value with spaces may be in single quotes, but not with Docker's --env-file, which does not remove them. To validate the file, run \`${program.command} config check --config FILE\`.`,
);

function groupText({ title, names }: (typeof settingGroups)[number]): string {
  return [`# ${title}`, ...names.map(settingText)].join("\n\n");
}

function settingText(name: SettingName): string {
  const {
    description,
    choices,
    default: value = "",
    defaultDescription,
    isSecret,
  } = settingOf(name);
  return [
    wrap(
      [
        `${capitalised(description)}.`,
        choices ? `One of: ${choices.join(", ")}.` : "",
        defaultDescription ? `Default: ${defaultDescription}.` : "",
      ].join(" "),
    ),
    `#${variableOf(name)}=${value}`,
    ...(isSecret ? ["# Or the path of a file that contains it:", `#${fileVariableOf(name)}=`] : []),
  ].join("\n");
}

/** Returns comment lines of at most 100 characters, unless a word is longer. */
function wrap(text: string): string {
  const lines = [""];
  for (const word of text.split(" ").filter(Boolean)) {
    const line = `${lines.at(-1)} ${word}`;
    if (line.length <= 99) lines[lines.length - 1] = line;
    else lines.push(` ${word}`);
  }
  return lines.map((line) => `#${line}`).join("\n");
}
