import { readFileSync } from "node:fs";
import path from "node:path";

/** A block of shell commands in the runbook. */
interface CommandBlock {
  /** The heading above it. */
  heading: string;
  /** The word after `sh` in its fence: the proxy it is for, "docker", or empty. */
  tag: string;
  script: string;
}

/**
 * Returns all command blocks of docs/operating.md, in order.
 * @throws Error if a fence is of another kind
 */
export function readRunbook(): CommandBlock[] {
  const text = readFileSync(path.join(import.meta.dirname, "../../docs/operating.md"), "utf8");
  const blocks: CommandBlock[] = [];
  let heading = "";
  let current: CommandBlock | undefined;
  for (const line of text.split("\n")) {
    const fence = /^```(.*)$/.exec(line);
    if (current) {
      if (fence) {
        blocks.push(current);
        current = undefined;
      } else current.script += `${line}\n`;
    } else if (fence) {
      const tag = /^sh ?(\w*)$/.exec(fence[1]!);
      if (!tag) throw new Error(`Not a block of shell commands: ${line}`);
      current = { heading, tag: tag[1]!, script: "" };
    } else heading = /^#+ (.*)$/.exec(line)?.[1] ?? heading;
  }
  return blocks;
}
