import { readFileSync } from "node:fs";
import path from "node:path";

/** A block of code in a document. */
interface CodeBlock {
  language: string;
  /** The heading above the block. */
  heading: string;
  /** The second word of its fence, which says when it is needed, such as "nginx" or "docker"; or empty. */
  tag: string;
  script: string;
}

type DocumentName =
  | "operating.md"
  | "start.md"
  | "marking.md"
  | "marking-commands.md"
  | "your-words.md";

/** The documents for operators but start.md, whose commands make an installation of their own. */
const forOperators: DocumentName[] = [
  "operating.md",
  "marking.md",
  "marking-commands.md",
  "your-words.md",
];

export const documentText = (name: DocumentName) =>
  readFileSync(path.join(import.meta.dirname, "../../docs", name), "utf8");

/**
 * Returns all blocks of shell commands of documents, by default of `forOperators`, in order.
 * @throws Error if a block does not say its language
 */
export function readRunbook(...names: DocumentName[]): CodeBlock[] {
  const read = names.length > 0 ? names : forOperators;
  const text = read.map(documentText).join("\n");
  const blocks: CodeBlock[] = [];
  let heading = "";
  let current: CodeBlock | undefined;
  for (const line of text.split("\n")) {
    const fence = /^```(.*)$/.exec(line);
    if (current) {
      if (fence) {
        blocks.push(current);
        current = undefined;
      } else current.script += `${line}\n`;
    } else if (fence) {
      const words = /^(\w+) ?(\w*)$/.exec(fence[1]!);
      if (!words) throw new Error(`A block without a language: ${line}`);
      current = { heading, language: words[1]!, tag: words[2]!, script: "" };
    } else heading = /^#+ (.*)$/.exec(line)?.[1] ?? heading;
  }
  return blocks.filter(({ language }) => language === "sh");
}
