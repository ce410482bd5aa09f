/**
 * npm run bench -- uploads: six clients at once, each with 52 files of 2 MiB. Compared, on the same
 * disk in the same run, with plain writes of the same bytes (one fsync per file) and with SQLite
 * inserting them and doing nothing else.
 */
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { closeSync, fsyncSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { request } from "node:http";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import Sqlite from "better-sqlite3";
import { readyUrl } from "../start-executable.ts";
import { cpuTimeOf, memoryOf } from "./process-usage.ts";
import { benchEnvironment } from "./unit.ts";

const clients = 6;
const filesEach = 52;
const fileBytes = 2_097_152;
const totalBytes = clients * filesEach * fileBytes;
/** As long as a browser's: the search for a longer boundary examines fewer bytes. */
const boundary = "----WebKitFormBoundary0123456789abcdef";
const root = path.join(import.meta.dirname, "../..");
const folder = mkdtempSync(path.join(root, "build/bench-"));

try {
  // The disk's speed changes meanwhile: take the median.
  const plain = [plainWrite(), plainWrite(), plainWrite()].sort((a, b) => a - b)[1]!;
  const alone = sqliteAlone();
  const { seconds, cpuMs, peakMb, pageTimes, postTimes } = await uploads();
  const speed = (seconds: number) => `${(totalBytes / 1e6 / seconds).toFixed(0)} MB/s`;
  row("plain write with fsync", speed(plain));
  row("SQLite alone", speed(alone), `${(plain / alone).toFixed(2)} of the plain write`);
  row("uploads", speed(seconds), `${(plain / seconds).toFixed(2)} of the plain write`, "0.5");
  row("", "", `${(alone / seconds).toFixed(2)} of SQLite alone`);
  row("user CPU per 3 MB", `${perThreeMb(cpuMs)} ms`, "all threads, all work");
  row("… reading and parsing", `${perThreeMb(await parsing())} ms`, "no other work", "under 5 ms");
  row("peak memory", `${peakMb.toFixed(0)} MB`, "", "under 350 MB");
  row(
    "slowest page meanwhile",
    `${pageTimes.at(-1)!.toFixed(0)} ms`,
    `of ${pageTimes.length}`,
    "under 100 ms",
  );
  const p99 = postTimes[Math.floor(postTimes.length * 0.99)]!;
  const median = postTimes[Math.floor(postTimes.length / 2)]!;
  const longest = postTimes.at(-1)!;
  row(
    "contact post meanwhile",
    `${p99.toFixed(0)} ms`,
    `99th percentile of ${postTimes.length}; median ${median.toFixed(0)}, max ${longest.toFixed(0)}`,
  );
} finally {
  rmSync(folder, { recursive: true });
}

function row(name: string, value: string, note = "", goal = ""): void {
  console.log(
    `${name.padEnd(26)}${value.padStart(10)}  ${note.padEnd(26)}${goal && `goal ${goal}`}`,
  );
}

/** Returns seconds. */
function plainWrite(): number {
  const bytes = randomBytes(fileBytes);
  const begin = performance.now();
  for (let count = 0; count < clients * filesEach; count += 1) {
    const file = openSync(path.join(folder, `${count}.bin`), "w");
    writeSync(file, bytes);
    fsyncSync(file);
    closeSync(file);
  }
  const seconds = (performance.now() - begin) / 1000;
  for (let count = 0; count < clients * filesEach; count += 1) {
    rmSync(path.join(folder, `${count}.bin`));
  }
  return seconds;
}

/** Returns seconds. Checkpoints the WAL every 32 MB, as the server does. */
function sqliteAlone(): number {
  const file = path.join(folder, "alone.db");
  const client = new Sqlite(file);
  client.pragma("page_size = 8192");
  client.pragma("journal_mode = WAL");
  client.pragma("synchronous = NORMAL");
  client.pragma("wal_autocheckpoint = 4000");
  client.exec("CREATE TABLE files (bytes BLOB)");
  const insert = client.prepare("INSERT INTO files VALUES (?)");
  const bytes = randomBytes(fileBytes);
  const begin = performance.now();
  for (let count = 1; count < clients * filesEach; count += 1) insert.run(bytes);
  client.pragma("synchronous = FULL");
  insert.run(bytes);
  const seconds = (performance.now() - begin) / 1000;
  client.close();
  rmSync(file);
  return seconds;
}

function perThreeMb(cpuMs: number): string {
  return ((cpuMs * 3e6) / totalBytes).toFixed(1);
}

/** Starts a server and waits until it is ready. */
async function start(program: string, args: string[]) {
  const server = spawn(program, args, {
    cwd: folder,
    env: { ...benchEnvironment(), RUBRICON_UPLOAD_SLOTS: String(2 * clients) },
    stdio: ["ignore", "pipe", "ignore"],
  });
  return { server, url: await readyUrl(server) };
}

/** Returns the milliseconds of user CPU that a server needs to only parse the same uploads. */
async function parsing(): Promise<number> {
  const script = path.join(import.meta.dirname, "parse-server.ts");
  const { server, url } = await start(process.execPath, [script]);
  try {
    const bodies = Array.from({ length: clients }, (_, client) => bodyOf(client));
    await post(url, bodies[0]!);
    const before = cpuTimeOf(server.pid!).userMs;
    await Promise.all(bodies.map((body) => post(url, body)));
    return cpuTimeOf(server.pid!).userMs - before;
  } finally {
    server.kill("SIGKILL");
  }
}

async function uploads() {
  const { server, url } = await start(path.join(root, "dist/rubricon"), []);
  try {
    await (await fetch(url)).text();
    const bodies = Array.from({ length: clients }, (_, client) => bodyOf(client));
    const cpuBefore = cpuTimeOf(server.pid!).userMs;
    const uploading = new AbortController();
    const { signal } = uploading;
    // Ten pages a second: enough to catch slow moments, too few to slow the uploads down.
    const pages = timesOf(async () => (await fetch(url)).text(), { pauseMs: 100, signal });
    const posts = timesOf((index) => postMessage(url, index), { pauseMs: 20, signal });
    const begin = performance.now();
    const statuses = await Promise.all(bodies.map((body) => post(url, body)));
    const seconds = (performance.now() - begin) / 1000;
    uploading.abort();
    const [pageTimes, postTimes] = await Promise.all([pages, posts]);
    if (statuses.some((status) => status !== 201))
      throw new Error(`Unexpected statuses: ${statuses}`);
    const peakMb = memoryOf(server.pid!, "VmHWM") / 1000;
    const cpuMs = cpuTimeOf(server.pid!).userMs - cpuBefore;
    return { seconds, cpuMs, peakMb, pageTimes, postTimes };
  } finally {
    server.kill("SIGKILL");
  }
}

/** Repeats a step until it is aborted. Returns how long each took, in milliseconds, shortest first. */
async function timesOf(
  step: (index: number) => Promise<unknown>,
  { pauseMs, signal }: { pauseMs: number; signal: AbortSignal },
): Promise<number[]> {
  const times: number[] = [];
  while (!signal.aborted) {
    const begin = performance.now();
    await step(times.length);
    times.push(performance.now() - begin);
    await setTimeout(pauseMs);
  }
  return times.sort((a, b) => a - b);
}

/** Sends one contact message. */
async function postMessage(url: string, index: number): Promise<void> {
  const response = await fetch(`${url}/api/contact`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({
      name: "A sender",
      email: "bench@example.org",
      phone: "1",
      message: `Message number ${index} of a bench.`,
    }),
  });
  if (response.status !== 201) throw new Error(`Unexpected status: ${response.status}`);
}

function bodyOf(client: number): Buffer {
  const part = (disposition: string, content: Buffer | string) => [
    Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n`),
    Buffer.from(content),
    Buffer.from("\r\n"),
  ];
  const texts = {
    name: `Client ${client}`,
    email: "bench@example.org",
    phone: "1",
    message: "A bench of uploads.",
  };
  const file = (field: string, index: number) => {
    const content = Buffer.concat([
      Buffer.from("%PDF-1.7\n"),
      randomBytes(fileBytes - 9 - 7),
      Buffer.from("\n%%EOF\n"),
    ]);
    return part(`name="${field}"; filename="${index}.pdf"`, content);
  };
  return Buffer.concat([
    ...Object.entries(texts).flatMap(([name, text]) => part(`name="${name}"`, text)),
    ...file("questionsFile", 0),
    ...file("rubricFile", 1),
    ...Array.from({ length: filesEach - 2 }, (_, index) =>
      file("submissionFiles", index + 2),
    ).flat(),
    Buffer.from(`--${boundary}--\r\n`),
  ]);
}

function post(url: string, content: Buffer): Promise<number> {
  return new Promise((resolve, reject) => {
    const outgoing = request(`${url}/api/demo-request-with-files`, {
      method: "POST",
      headers: {
        "Content-Type": `multipart/form-data; boundary=${boundary}`,
        "Content-Length": content.length,
      },
    });
    outgoing.once("response", (response) => {
      response.resume();
      resolve(response.statusCode!);
    });
    outgoing.once("error", reject);
    outgoing.end(content);
  });
}
