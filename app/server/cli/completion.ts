import { Argument, type Command, type Option } from "commander";
import { program } from "../../brand.ts";

/** Made of the tree of commands: what --help tells of can be completed. */
export function addCompletion(root: Command): void {
  root
    .command("completion")
    .description("print what makes a shell complete commands and flags")
    .addArgument(new Argument("<shell>", "eval its output in the shell").choices(["bash", "zsh"]))
    .action((shell: keyof typeof shells) => {
      process.stdout.write(script(root, shells[shell]));
    });
}

interface Shell {
  /** What stands around the tables of cases. */
  frame(tables: { places: string; values: string; words: string; shared: string[] }): string;
  files: string;
  folders: string;
  /** @param flags whether those go with them that every command has */
  offer(words: string[], flags?: boolean): string;
}

const name = `_${program.command}`;

const shells: Record<"bash" | "zsh", Shell> = {
  bash: {
    frame: ({ places, values, words, shared }) => `${name}() {
  local current=\${COMP_WORDS[COMP_CWORD]} place= word
  local shared='${shared.join(" ")}'
  COMPREPLY=()
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$place $word" in
      ${places}) place="$place $word" ;;
    esac
  done
  case "\${COMP_WORDS[COMP_CWORD-1]}" in
${values}
  esac
  case "$place/$current" in
${words}
  esac
}
complete -F ${name} ${program.command}
`,
    files: 'compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "$current")',
    folders: 'compopt -o filenames; mapfile -t COMPREPLY < <(compgen -d -- "$current")',
    offer: (words, flags) =>
      `mapfile -t COMPREPLY < <(compgen -W "${words.join(" ")}${flags ? " $shared" : ""}" -- "$current")`,
  },
  zsh: {
    frame: ({ places, values, words, shared }) => `#compdef ${program.command}
${name}() {
  local place= word
  local -a shared=(${shared.join(" ")})
  for word in "\${words[@]:1:$((CURRENT - 2))}"; do
    case "$place $word" in
      ${places}) place="$place $word" ;;
    esac
  done
  case "\${words[CURRENT-1]}" in
${values}
  esac
  case "$place/$PREFIX" in
${words}
  esac
}
compdef ${name} ${program.command}
`,
    files: "_files",
    folders: "_files -/",
    offer: (words, flags) => `compadd -- ${words.join(" ")}${flags ? " $shared" : ""}`,
  },
};

function script(root: Command, shell: Shell): string {
  const all = placesIn(root);
  const own = (command: Command) => command.options.map(({ long }) => long!);
  return shell.frame({
    places: all
      .slice(1)
      .map(({ place }) => `'${place}'`)
      .join(" | "),
    values: valueCases(
      all.flatMap(({ command }) => command.options),
      shell,
    ),
    words: all
      .flatMap(({ place, command }) => [
        // Flags are offered once a hyphen has been typed; there are many.
        `    '${place}'/-*) ${shell.offer(["--help", ...(command === root ? [] : own(command))], true)} ;;`,
        ...nextWords(command, shell).map((offer) => `    '${place}'/*) ${offer} ;;`),
      ])
      .join("\n"),
    shared: own(root),
  });
}

/** Every command with the words that lead to it, each with a space in front. */
function placesIn(command: Command, place = ""): { place: string; command: Command }[] {
  const inner = command.commands.flatMap((one) => placesIn(one, `${place} ${one.name()}`));
  return [{ place, command }, ...inner];
}

/** What may follow a flag that takes a value: a path, one of few words, or what nobody can guess. */
function valueCases(options: Option[], shell: Shell): string {
  const flagsOf = new Map<string, string[]>();
  for (const { flags, long } of options) {
    const takes = /<(.*)>/.exec(flags)?.[1];
    if (!takes) continue;
    const kind = ["file", "folder"].includes(takes) || takes.includes("|") ? takes : "any";
    flagsOf.set(kind, [...(flagsOf.get(kind) ?? []), long!]);
  }
  return [...flagsOf]
    .map(([kind, flags]) => {
      const offer = {
        file: `${shell.files}; `,
        folder: `${shell.folders}; `,
        any: "",
      }[kind];
      return `    ${flags.join(" | ")}) ${offer ?? `${shell.offer(kind.split("|"))}; `}return ;;`;
    })
    .join("\n");
}

/** What may stand behind a command but flags: nothing where nobody can guess it. */
function nextWords(command: Command, shell: Shell): string[] {
  const [argument] = command.registeredArguments;
  if (argument?.name() === "file") return [shell.files];
  if (argument?.name() === "folder") return [shell.folders];
  const words = argument?.argChoices ?? command.commands.map((one) => one.name());
  return words.length > 0 ? [shell.offer(words)] : [];
}
