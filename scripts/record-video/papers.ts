import { writeFileSync } from "node:fs";
import path from "node:path";

export interface Papers {
  questions: string;
  rubric: string;
  scripts: string[];
}

/** Writes the files of a made-up class, as large as real scans; their content is never shown. */
export function writePapers(folder: string): Papers {
  const write = (name: string, kilobytes: number) => {
    const file = path.join(folder, name);
    writeFileSync(file, Buffer.concat([head, Buffer.alloc(kilobytes * 1024, name), tail]));
    return file;
  };
  return {
    questions: write("Life Sciences test 2.pdf", 240),
    rubric: write("Memo test 2.pdf", 180),
    scripts: [820, 760, 905, 690, 840, 715, 880, 795].map((kilobytes, index) =>
      write(`learner-${String(index + 1).padStart(2, "0")}.pdf`, kilobytes),
    ),
  };
}

const head = Buffer.from("%PDF-1.7\n%");
const tail = Buffer.from("\n%%EOF\n");
