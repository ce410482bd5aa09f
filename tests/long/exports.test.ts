import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createReadStream, createWriteStream, readFileSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { pipeline } from "node:stream/promises";
import { type TestContext, test } from "node:test";
import { addRequests } from "../support/requests.ts";
import { executable, newFolder, startServer } from "../support/server.ts";

/** Creates a database with requests of one person, each with a message of 2,000 characters. */
async function folderWith(t: TestContext, count: number): Promise<string> {
  const folder = newFolder(t);
  const server = await startServer(t, { folder });
  await server.stop();
  addRequests(server.databaseFile, count, "x".repeat(2000));
  return folder;
}

/** Runs a command with its output in a file; returns the largest memory that it used, in MB. */
async function peakOf(t: TestContext, folder: string, args: string[]): Promise<number> {
  const start = performance.now();
  const child = spawn(executable, args, { cwd: folder, env: { PATH: "/nowhere" } });
  const written = pipeline(child.stdout, createWriteStream(path.join(folder, "out")));
  let peak = 0;
  const timer = setInterval(() => {
    const status = readFileSync(`/proc/${child.pid}/status`, "utf8");
    peak = Math.max(peak, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
  }, 20);
  const [code] = await once(child, "exit");
  clearInterval(timer);
  await written;
  assert.equal(code, 0, args.join(" "));
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  t.diagnostic(`${args.slice(0, 4).join(" ")}: ${Math.round(peak)} MB, ${seconds} s`);
  return peak;
}

async function countLines(file: string, pattern: RegExp): Promise<number> {
  let count = 0;
  for await (const line of createInterface({ input: createReadStream(file) })) {
    if (pattern.test(line)) count += 1;
  }
  return count;
}

test("the exports of 100,000 requests need hardly more memory than those of 1,000", async (t) => {
  const small = await folderWith(t, 1000);
  const large = await folderWith(t, 100_000);
  const exports = [
    { args: ["requests", "export", "--format", "json"], file: "out" },
    { args: ["requests", "export", "--format", "csv"], file: "out" },
    {
      args: ["subject", "export", "reader@school.example", "--out", "person"],
      file: "person/subject.json",
    },
  ];
  for (const { args, file } of exports) {
    const smallMb = await peakOf(t, small, args);
    const largeMb = await peakOf(t, large, args);
    const lines = await countLines(path.join(large, file), /x{2000} \d+/);
    assert.equal(lines, 100_000, args.join(" "));
    // The references, some numbers, and what the garbage collector leaves; all texts are 200 MB.
    assert.ok(largeMb - smallMb < 180, `${args.join(" ")}: ${smallMb} MB, then ${largeMb} MB`);
  }
});
