import type { Command } from "commander";
import { program } from "../../brand.ts";
import { buildVersion, builtAt } from "../build.ts";
import { defaultFile } from "../config/sources.ts";
import { exitCodes } from "./exit.ts";
import { settingsHelp } from "./settings-flags.ts";

/** Adds the command that prints the manual page: the help of every command, and of the settings. */
export function addMan(root: Command): void {
  root
    .command("man")
    .description("print the manual page, for man -l -")
    .action(() => {
      process.stdout.write(manualPage(root));
    });
}

const name = program.command;

const exitStatus = `${exitCodes.done}   done
${exitCodes.failed}   failed, or not ready; stderr says why
${exitCodes.usage}   a wrong command or option, or --yes is missing
${exitCodes.temporary}  temporary: the port is taken, another server uses the data folder, the mail server does not respond; try again
${exitCodes.configuration}  a setting, the content or the database is wrong or damaged`;

const files = `${defaultFile}  the settings
/var/lib/${name}           the data: ${name}.db, and scheduled backups in backups
/usr/share/doc/${name}     the guide for operators`;

/** Returns the page in the macros of man(7). */
function manualPage(root: Command): string {
  const date = builtAt.toISOString().slice(0, 10);
  const summary = root.description().replace(/^The(.*)\.$/, "the$1");
  const commands = [root, ...subcommandsOf(root)].map((command) =>
    section(pathOf(command), command.helpInformation()),
  );
  return `.TH ${name.toUpperCase()} 1 ${date} "${name} ${buildVersion}" "User Commands"
.SH NAME
${name}, ${roff(`${name}-admin`)} \\- ${roff(summary)}
.SH DESCRIPTION
${roff(`${name}-admin runs a command under the account of the server and with its settings. Data goes to stdout and everything else to stderr. Commands that cannot be undone ask for confirmation on a terminal, and need --yes without one.`)}
${commands.join("")}${section("SETTINGS", settingsHelp())}${section("EXIT STATUS", exitStatus)}${section("FILES", files)}`;
}

const subcommandsOf = (parent: Command): Command[] =>
  parent
    .createHelp()
    .visibleCommands(parent)
    // The help commands that Commander adds to groups have no parent.
    .filter((command) => command.parent)
    .flatMap((command) => [command, ...subcommandsOf(command)]);

const pathOf = (command: Command): string =>
  `${command.parent ? `${pathOf(command.parent)} ` : ""}${command.name()}`;

/** Returns a section whose lines stay as they are. */
const section = (title: string, text: string) =>
  `.SH "${roff(title)}"\n.nf\n${roff(text.trim())}\n.fi\n`;

/** Escapes text, so that roff reads no part of it as a request or an escape. */
const roff = (text: string) =>
  text
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replace(/^[.']/gm, "\\&$&")
    .replace(
      /[^\0-\x7f]/gu,
      (sign) => `\\[u${sign.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}]`,
    );
