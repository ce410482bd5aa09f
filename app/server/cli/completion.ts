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
  /** What stands around the two tables. */
  frame(places: string, values: string, words: string): string;
  files: string;
  folders: string;
  offer(words: string[]): string;
}

const name = `_${program.command}`;

const shells: Record<"bash" | "zsh", Shell> = {
  bash: {
    frame: (places, values, words) => `${name}() {
  local current=\${COMP_WORDS[COMP_CWORD]} place= word
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
    offer: (words) => `mapfile -t COMPREPLY < <(compgen -W '${words.join(" ")}' -- "$current")`,
  },
  zsh: {
    frame: (places, values, words) => `#compdef ${program.command}
${name}() {
  local place= word
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
    offer: (words) => `compadd -- ${words.map((word) => `'${word}'`).join(" ")}`,
  },
};

function script(root: Command, shell: Shell): string {
  const all = placesIn(root);
  const options = all.flatMap(({ command }) => command.options);
  const values = new Map(
    options.filter(({ required }) => required).map((option) => [option.long!, option]),
  );
  return shell.frame(
    all
      .slice(1)
      .map(({ place }) => `'${place}'`)
      .join(" | "),
    [...values]
      .map(([flag, option]) => `    ${flag}) ${valuesFor(option, shell)} return ;;`)
      .join("\n"),
    all.flatMap(({ place, command }) => wordsAt(place, command, root, shell)).join("\n"),
  );
}

/** Every command with the words that lead to it, each with a space in front. */
function placesIn(command: Command, place = ""): { place: string; command: Command }[] {
  const inner = command.commands.flatMap((one) => placesIn(one, `${place} ${one.name()}`));
  return [{ place, command }, ...inner];
}

function valuesFor({ flags }: Option, shell: Shell): string {
  const takes = /<(.*)>/.exec(flags)![1]!;
  if (takes === "file") return `${shell.files};`;
  if (takes === "folder") return `${shell.folders};`;
  return takes.includes("|") ? `${shell.offer(takes.split("|"))};` : "";
}

/** Flags are offered once a hyphen has been typed; there are many. */
function wordsAt(place: string, command: Command, root: Command, shell: Shell): string[] {
  const flags = new Set(
    ["--help", ...[...command.options, ...root.options].map(({ long }) => long!)].filter(
      (flag) => flag !== "--version" || command === root,
    ),
  );
  const [argument] = command.registeredArguments;
  const words = argument?.argChoices ?? command.commands.map((one) => one.name());
  const takesFile = argument && ["file", "folder"].includes(argument.name());
  const rest = takesFile ? shell[`${argument.name()}s` as "files" | "folders"] : shell.offer(words);
  return [
    `    '${place}'/-*) ${shell.offer([...flags])} ;;`,
    ...(takesFile || words.length > 0 ? [`    '${place}'/*) ${rest} ;;`] : []),
  ];
}
