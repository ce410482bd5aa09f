import type { Argument, Command, Help, Option } from "commander";
import packageJson from "../../../package.json";
import { program } from "../../brand.ts";
import { defaultFile } from "../config/sources.ts";
import { exitCodes } from "./exit.ts";
import { otherWays, settingFlags } from "./settings-flags.ts";

/** ISO time, defined by the build. */
declare const BUILD_TIME: string;

/** Adds the command that prints the manual page, generated from the tree of commands. */
export function addMan(root: Command): void {
  root
    .command("man")
    .description("print the manual page, for man -l -")
    .action(() => {
      process.stdout.write(manualPage(root));
    });
}

const name = program.command;
const admin = `${name}-admin`;

const exitMeanings: Record<keyof typeof exitCodes, string> = {
  done: "done",
  failed: "failed, or not ready; stderr says why",
  usage: "a wrong command or option, or --yes is missing",
  temporary:
    "temporary: the port is taken, another server uses the data folder, the mail server is away; try again",
  configuration: "a setting, the content or the database is wrong or damaged",
};

const files: [string, string][] = [
  [defaultFile, "the settings; `config init` writes such a file"],
  [`/var/lib/${name}`, `the data: ${name}.db, and scheduled backups in backups`],
  [`/usr/share/doc/${name}/operating.md`, "the guide for operators"],
];

const examples: [string, string][] = [
  [`${name} serve --data-dir ./data`, "Serves the site on http://localhost:3000."],
  [`${admin} requests list --since 2026-11-22`, "Lists the requests received since a day."],
  [`${admin} doctor`, "Checks the installation, and says what to do about each problem."],
];

/** Returns the page in the macros of man(7). */
function manualPage(root: Command): string {
  const help = root.createHelp();
  const settings = settingFlags();
  const title = [
    name.toUpperCase(),
    "1",
    BUILD_TIME.slice(0, 10),
    `${name} ${packageJson.version}`,
  ];
  return [
    `.TH ${title.map(quoted).join(" ")} "User Commands"`,
    section("NAME"),
    `${name}, ${admin} \\- ${roff(lowerFirst(root.description()).replace(/\.$/, ""))}`,
    section("SYNOPSIS"),
    ...[name, admin].map((one) => `.B ${roff(one)}\n[\\fIoptions\\fR] [\\fIcommand\\fR]\n.br`),
    section("DESCRIPTION"),
    roff(
      `\`${admin}\` runs a command under the account of the server and with its settings. Every command has \`--help\`. Data goes to stdout and everything else to stderr. Commands that cannot be undone ask for confirmation on a terminal, and need \`--yes\` without one.`,
    ),
    section("OPTIONS"),
    ...help.visibleOptions(root).map((option) => optionItem(option, help)),
    section("COMMANDS"),
    ...root.commands.flatMap((command) => commandParts(command, name, help)),
    section("SETTINGS"),
    roff(otherWays),
    ...settings.flatMap(({ title, flags }) => [
      `.SS ${quoted(title)}`,
      ...flags.map(({ option, variable }) =>
        item(`\`${option.flags}\`, \`${variable}\``, option.description),
      ),
    ]),
    section("EXIT STATUS"),
    ...Object.entries(exitMeanings).map(([key, meaning]) =>
      item(`${exitCodes[key as keyof typeof exitCodes]}`, meaning),
    ),
    section("FILES"),
    ...files.map(([file, text]) => item(`\`${file}\``, text)),
    section("EXAMPLES"),
    ...examples.map(([line, text]) => item(`\`${line}\``, text)),
    section("SEE ALSO"),
    `.BR systemctl (1),\n.BR journalctl (1)`,
    "",
  ].join("\n");
}

/** Describes a command and those below it. */
function commandParts(command: Command, parent: string, help: Help): string[] {
  const path = `${parent} ${command.name()}`;
  const { options, commands } = command;
  return [
    `.SS ${quoted(`${path} ${command.usage().replace(/\[options\] ?/, "")}`.trimEnd())}`,
    roff(sentence(help.commandDescription(command))),
    ...help.visibleArguments(command).map((argument) => argumentItem(argument, help)),
    ...options.filter(({ hidden }) => !hidden).map((option) => optionItem(option, help)),
    ...commands.flatMap((one) => commandParts(one, path, help)),
  ];
}

const argumentItem = (argument: Argument, help: Help) =>
  item(`\`${help.argumentTerm(argument)}\``, help.argumentDescription(argument));
const optionItem = (option: Option, help: Help) =>
  item(`\`${help.optionTerm(option)}\``, help.optionDescription(option));

const section = (title: string) => `.SH ${quoted(title)}`;
const item = (term: string, text: string) => `.TP\n${roff(term)}\n${roff(text)}`;
const quoted = (text: string) => `"${roff(text).replaceAll('"', "\\(dq")}"`;
const lowerFirst = (text: string) => text.slice(0, 1).toLowerCase() + text.slice(1);
const sentence = (text: string) => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`;

/** Returns text as roff: `code` in bold, on one line, and nothing in it taken as a request. */
const roff = (text: string) =>
  text
    .replace(/\s*\n\s*/g, " ")
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replace(/`([^`]*)`/g, "\\fB$1\\fR")
    .replace(/^[.']/, "\\&$&")
    .replace(
      /[^\0-\x7f]/gu,
      (sign) => `\\[u${sign.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}]`,
    );
