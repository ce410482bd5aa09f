import { readFileSync } from "node:fs";
import path from "node:path";

/** One box of commands in the runbook. */
export interface Box {
  /** The heading that it stands under. */
  heading: string;
  /** What stands behind `sh` at its fence: the proxy it is for, or "docker". */
  mark: string;
  script: string;
}

/** All boxes of commands in docs/operating.md, in order. Every fence is one. */
export function readRunbook(): Box[] {
  const text = readFileSync(path.join(import.meta.dirname, "../../docs/operating.md"), "utf8");
  const boxes: Box[] = [];
  let heading = "";
  let open: Box | undefined;
  for (const line of text.split("\n")) {
    const fence = /^```(.*)$/.exec(line);
    if (open) {
      if (fence) {
        boxes.push(open);
        open = undefined;
      } else open.script += `${line}\n`;
    } else if (fence) {
      const mark = /^sh ?(\w*)$/.exec(fence[1]!);
      if (!mark) throw new Error(`A fence of another kind: ${line}`);
      open = { heading, mark: mark[1]!, script: "" };
    } else heading = /^#+ (.*)$/.exec(line)?.[1] ?? heading;
  }
  return boxes;
}
