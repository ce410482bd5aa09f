import { Argument, type Command, type Option } from "commander";
import { program } from "../../brand.ts";

/** Adds the command that prints a completion script, generated from the tree of commands. */
export function addCompletion(root: Command): void {
  root
    .command("completion")
    .description("print a shell script that completes commands and flags")
    .addArgument(
      new Argument("<shell>", "shell in which to eval the output").choices(["bash", "zsh", "fish"]),
    )
    .action((shell: keyof typeof shells | "fish") => {
      process.stdout.write(
        shell === "fish" ? fishScript(root) : completionScript(root, shells[shell]),
      );
    });
}

interface Shell {
  /** Returns the whole script. `shared` are the flags of every command. */
  script(parts: { paths: string; values: string; words: string; shared: string[] }): string;
  /** Completes a file name, or one of `words`. */
  files(words: string[]): string;
  /** Completes a folder name. */
  folders: string;
  /** Completes one of `words`, and the shared flags if `withSharedFlags`. */
  offer(words: string[], withSharedFlags?: boolean): string;
}

const name = `_${program.command}`;

/** The program, and the command that runs it under its account (docs/operating.md). */
const commandNames = [program.command, `${program.command}-admin`];

const shells: Record<"bash" | "zsh", Shell> = {
  bash: {
    script: ({ paths, values, words, shared }) => `${name}() {
  local current=\${COMP_WORDS[COMP_CWORD]} command_path= word
  local shared='${shared.join(" ")}'
  COMPREPLY=()
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$command_path $word" in
      ${paths}) command_path="$command_path $word" ;;
    esac
  done
  case "\${COMP_WORDS[COMP_CWORD-1]}" in
${values}
  esac
  case "$command_path/$current" in
${words}
  esac
}
complete -F ${name} ${commandNames.join(" ")}
`,
    files: (words) =>
      `compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -W "${words.join(" ")}" -- "$current")`,
    folders: 'compopt -o filenames; mapfile -t COMPREPLY < <(compgen -d -- "$current")',
    offer: (words, withSharedFlags) =>
      `mapfile -t COMPREPLY < <(compgen -W "${words.join(" ")}${withSharedFlags ? " $shared" : ""}" -- "$current")`,
  },
  zsh: {
    script: ({ paths, values, words, shared }) => `#compdef ${commandNames.join(" ")}
${name}() {
  local command_path= word
  local -a shared=(${shared.join(" ")})
  for word in "\${words[@]:1:$((CURRENT - 2))}"; do
    case "$command_path $word" in
      ${paths}) command_path="$command_path $word" ;;
    esac
  done
  case "\${words[CURRENT-1]}" in
${values}
  esac
  case "$command_path/$PREFIX" in
${words}
  esac
}
compdef ${name} ${commandNames.join(" ")}
`,
    files: (words) => (words.length > 0 ? `compadd -- ${words.join(" ")}; _files` : "_files"),
    folders: "_files -/",
    offer: (words, withSharedFlags) =>
      `compadd -- ${words.join(" ")}${withSharedFlags ? " $shared" : ""}`,
  },
};

function completionScript(root: Command, shell: Shell): string {
  const all = commandsIn(root);
  const flagsOf = (command: Command) => command.options.map(({ long }) => long!);
  return shell.script({
    paths: all
      .slice(1)
      .map(({ path }) => `'${path}'`)
      .join(" | "),
    values: valueCases(
      all.flatMap(({ command }) => command.options),
      shell,
    ),
    words: all
      .flatMap(({ path, command }) => [
        // There are many flags: offer them only after a hyphen.
        `    '${path}'/-*) ${shell.offer(["--help", ...(command === root ? [] : flagsOf(command))], true)} ;;`,
        ...nextWords(command, root, shell).map((offer) => `    '${path}'/*) ${offer} ;;`),
      ])
      .join("\n"),
    shared: flagsOf(root),
  });
}

/** Returns every command with its path: the words that lead to it, each preceded by a space. */
function commandsIn(command: Command, path = ""): { path: string; command: Command }[] {
  const subcommands = command.commands.flatMap((one) => commandsIn(one, `${path} ${one.name()}`));
  return [{ path, command }, ...subcommands];
}

/**
 * Returns the cases that complete the value of a flag: a file, a folder, one of a few words, or
 * nothing.
 */
function valueCases(options: Option[], shell: Shell): string {
  const flagsByKind = new Map<string, string[]>();
  for (const option of options) {
    const { long } = option;
    const valueKind = valueKindOf(option);
    if (!valueKind) continue;
    const isKnown = ["file", "folder"].includes(valueKind) || valueKind.includes("|");
    const kind = isKnown ? valueKind : "any";
    flagsByKind.set(kind, [...(flagsByKind.get(kind) ?? []), long!]);
  }
  return [...flagsByKind]
    .map(([kind, flags]) => {
      const offer = {
        file: `${shell.files([])}; `,
        folder: `${shell.folders}; `,
        any: "",
      }[kind];
      return `    ${flags.join(" | ")}) ${offer ?? `${shell.offer(kind.split("|"))}; `}return ;;`;
    })
    .join("\n");
}

/** What a flag takes: "file", "folder", words separated by |, or another name; undefined for nothing. */
const valueKindOf = ({ argChoices, flags }: Option): string | undefined =>
  argChoices?.join("|") ?? /<(.*)>/.exec(flags)?.[1];

/** Returns what completes the words after a command, other than flags: at most one entry. */
function nextWords(command: Command, root: Command, shell: Shell): string[] {
  const taken = command.registeredArguments.map((argument) => argument.name());
  const { commands } = taken[0] === "command" ? root : command;
  const words = command.registeredArguments[0]?.argChoices ?? commands.map((one) => one.name());
  if (taken.includes("file")) return [shell.files(words)];
  if (taken.includes("folder")) return [shell.folders];
  return words.length > 0 ? [shell.offer(words)] : [];
}

/** fish takes one line for each thing to offer, and finds descriptions useful. */
function fishScript(root: Command): string {
  const all = commandsIn(root);
  const at = (path: string) => `-n "__${program.command}_at '${path}'"`;
  const lines = all.flatMap(({ path, command }) => [
    ...command.commands.map(
      (one) => `${at(path)} -f -a ${one.name()} -d ${fishText(one.description())}`,
    ),
    ...(command.registeredArguments[0]?.argChoices ?? []).map(
      (word) => `${at(path)} -f -a ${word}`,
    ),
    ...command.options.map((option) =>
      [command === root ? "" : at(path), fishOption(option)].filter(Boolean).join(" "),
    ),
  ]);
  const [first, ...others] = commandNames;
  return `function __${program.command}_at
  set -l command_path ''
  for word in (commandline -opc)[2..]
    if contains -- "$command_path $word" ${all
      .slice(1)
      .map(({ path }) => `'${path}'`)
      .join(" ")}
      set command_path "$command_path $word"
    end
  end
  test "$command_path" = "$argv[1]"
end
${lines.map((line) => `complete -c ${first} ${line}`).join("\n")}
${others.map((other) => `complete -c ${other} -w ${first}`).join("\n")}
`;
}

function fishOption(option: Option): string {
  const { long, description } = option;
  const valueKind = valueKindOf(option);
  const words = valueKind?.includes("|") ? ` -f -a '${valueKind.replaceAll("|", " ")}'` : "";
  return `-l ${long!.slice(2)}${valueKind ? ` -r${words}` : ""} -d ${fishText(description)}`;
}

const fishText = (text: string) => `'${text.replace(/[\\']/g, "\\$&")}'`;
