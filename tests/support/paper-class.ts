/** A class on paper, as the team prepares it. */
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { succeeded } from "./output-of.ts";
import { type Leaf, scanOf } from "./paper.ts";
import { runAsTeam, uploadSubmissions } from "./results.ts";
import type { Server } from "./server.ts";

/** The class as `number,name`. */
const four = ["1,Zanele One", "2,Bongani Two", "2024/3,Chipo Three", "4,Dumisani Four"];

/** Makes a class of learners who have cover sheets. `scan` writes the scan of a stack. */
export async function classOnPaper(server: Server, learners = four) {
  const reference = await uploadSubmissions(server, ["class.txt"]);
  const run = (...args: string[]) => runAsTeam(server, ...args);
  const inFolder = (name: string) => path.join(server.folder, name);
  writeFileSync(inFolder("list.csv"), ["Number,Name", ...learners].join("\n"));
  await succeeded(run("class", "list", reference, "list.csv", "--add", "--only"));
  // The server may have had a class before.
  const sheetsFile = `sheets-${reference}.pdf`;
  const written = await succeeded(run("class", "sheets", "list.csv", "--out", sheetsFile));
  assert.ok(written.err.startsWith(`${learners.length} sheets written`));
  const numbers = learners.map((learner) => learner.split(",")[0]!);
  const sheets = readFileSync(inFolder(sheetsFile));
  const scan = async (name: string, stack: Leaf[], dpi = 100) => {
    writeFileSync(inFolder(name), await scanOf(stack, { sheets, numbers, dpi }));
  };
  return { server, reference, run, inFolder, scan };
}
