/**
 * Writes the README's table of settings from app/server/config/settings-table.ts. Without --write it only compares,
 * and fails where the table is out of date.
 */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import {
  fileVariableOf,
  type SettingName,
  settingOf,
  topics,
  variableOf,
} from "../app/server/config/settings-table.ts";

const file = path.join(import.meta.dirname, "../README.md");
const readme = readFileSync(file, "utf8");
const between = /(<!-- settings -->\n)[\s\S]*(<!-- end of settings -->)/;
if (!between.test(readme)) throw new Error("README.md has no place for the table of settings.");
const written = readme.replace(between, (_, start, end) => `${start}\n${table()}\n\n${end}`);

if (process.argv.includes("--write")) {
  writeFileSync(file, written);
} else if (written !== readme) {
  process.stderr.write(
    "README.md does not tell of the settings as they are: npm run check -- --write\n",
  );
  process.exitCode = 1;
}

function table(): string {
  const rows = topics.flatMap(({ title, names }) => [`| **${title}** | | |`, ...names.map(row)]);
  return ["| variable | meaning | default |", "| --- | --- | --- |", ...rows].join("\n");
}

function row(name: SettingName): string {
  const { meaning, choices, default: value, without, alsoBare, isSecret } = settingOf(name);
  const variable = [
    `\`${variableOf(name)}\``,
    alsoBare ? `(or \`${name}\`)` : "",
    isSecret ? `(or \`${fileVariableOf(name)}\`)` : "",
  ];
  const cells = [
    variable.filter(Boolean).join(" "),
    choices ? `${meaning}: ${choices.join(" or ")}` : meaning,
    value === undefined ? without! : `\`${value}\``,
  ];
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
}
