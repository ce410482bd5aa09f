/** Writes the table of docs/settings.md from app/server/config/setting-groups.ts. */
import { readFileSync } from "node:fs";
import path from "node:path";
import {
  fileVariableOf,
  type SettingName,
  settingGroups,
  settingOf,
  variableOf,
} from "../app/server/config/settings-table.ts";
import { writeOrCompare } from "./write-or-compare.ts";

const file = "docs/settings.md";
const document = readFileSync(path.join(import.meta.dirname, "..", file), "utf8");
const between = /(<!-- settings -->\n)[\s\S]*(<!-- end of settings -->)/;
if (!between.test(document))
  throw new Error("docs/settings.md has no markers for the settings table.");
const written = document.replace(between, (_, start, end) => `${start}\n${table()}\n\n${end}`);

writeOrCompare(file, written);

function table(): string {
  const rows = settingGroups.flatMap(({ title, names }) => [
    `| **${title}** | | |`,
    ...names.map(row),
  ]);
  return ["| Variable | Description | Default |", "| --- | --- | --- |", ...rows].join("\n");
}

function row(name: SettingName): string {
  const {
    description,
    choices,
    default: value,
    defaultDescription,
    acceptsUnprefixed,
    isSecret,
  } = settingOf(name);
  const variable = [
    `\`${variableOf(name)}\``,
    acceptsUnprefixed ? `(or \`${name}\`)` : "",
    isSecret ? `(or \`${fileVariableOf(name)}\`)` : "",
  ];
  const cells = [
    variable.filter(Boolean).join(" "),
    choices ? `${description}: ${choices.join(" or ")}` : description,
    value === undefined ? defaultDescription! : `\`${value}\``,
  ];
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
}
