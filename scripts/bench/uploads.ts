/**
 * npm run bench -- uploads [ROUNDS]: compares this program with both kinds of upload-peer.ts, in turn on the same disk.
 * Six clients upload three files of 1 MB at a time. All files differ, because equal uploads would be duplicates.
 * Afterwards checks how many files each server has. Further rounds send contact posts during the uploads.
 */
import type { ChildProcess } from "node:child_process";
import { randomFillSync, randomUUID } from "node:crypto";
import { request } from "node:http";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import Sqlite from "better-sqlite3";
import { cpuMsOf, memoryOf } from "./process-usage.ts";
import { endRun, folder, median, postMessage, program, sender, startServer } from "./server.ts";
import { benchEnvironment } from "./unit.ts";

const rounds = Number(process.argv[3] ?? 7);
const roundMs = 2000;
const clients = 6;
const fileBytes = 1_000_000;
const boundary = "----WebKitFormBoundary0123456789abcdef";

interface Server {
  name: string;
  process: ChildProcess;
  url: string;
  uploads: number;
  rates: number[];
  cpuMs: number[];
}

try {
  const ours = await start("ours", program);
  const peer = path.join(import.meta.dirname, "upload-peer.ts");
  const files = await start("express + busboy + fsync", process.execPath, peer, "files", folder);
  const blobs = await start("three blobs in SQLite", process.execPath, peer, "blobs", folder);
  const servers = [ours, files, blobs];
  // Lets the JIT compilers warm up.
  for (const server of servers) await run(server, 500);
  const postMs: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    for (const server of servers) {
      const cpuBefore = cpuMsOf(server.process);
      const { uploads, seconds } = await run(server, roundMs);
      server.rates.push(uploads / seconds);
      server.cpuMs.push((cpuMsOf(server.process) - cpuBefore) / uploads);
    }
  }
  for (let round = 0; round < rounds; round += 1) {
    const meanwhile = new AbortController();
    const posting = postMessages(ours.url, meanwhile.signal);
    await run(ours, roundMs);
    meanwhile.abort();
    postMs.push(...(await posting));
  }
  for (const server of servers) await expectStored(server, ours);
  report(ours, [files, blobs], postMs);
} finally {
  endRun();
}

function report(ours: Server, peers: Server[], postMs: number[]): void {
  for (const server of [ours, ...peers]) {
    console.log(
      `${server.name.padEnd(26)}${median(server.rates).toFixed(1).padStart(7)}/s${median(server.cpuMs).toFixed(1).padStart(8)} ms CPU`,
    );
  }
  for (const peer of peers) {
    const ratios = ours.rates.map((rate, round) => rate / peer.rates[round]!);
    const range = `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`;
    console.log(`of ${peer.name.padEnd(26)}${median(ratios).toFixed(2).padStart(6)}  (${range})`);
  }
  const sorted = postMs.toSorted((one, other) => one - other);
  console.log(
    `contact posts meanwhile: median ${median(postMs).toFixed(0)} ms, longest ${sorted.at(-1)!.toFixed(0)} ms of ${postMs.length}`,
  );
  console.log(`peak memory ${memoryOf(ours.process, "VmHWM").toFixed(0)} MB`);
}

async function start(name: string, ...command: [string, ...string[]]): Promise<Server> {
  const server = await startServer(command, { ...benchEnvironment(), NODE_ENV: "production" });
  return { name, ...server, uploads: 0, rates: [], cpuMs: [] };
}

/** Uploads from all clients until the time is over. */
async function run(server: Server, ms: number): Promise<{ uploads: number; seconds: number }> {
  const begin = performance.now();
  const before = server.uploads;
  await Promise.all(
    Array.from({ length: clients }, async (_, client) => {
      while (performance.now() - begin < ms) {
        const status = await post(server.url, client, bodyOf(++server.uploads));
        if (status !== 201) throw new Error(`${server.name}: ${status}`);
      }
    }),
  );
  return { uploads: server.uploads - before, seconds: (performance.now() - begin) / 1000 };
}

/** Posts messages until aborted. Returns the milliseconds of each: a checkpoint must not delay a post. */
async function postMessages(url: string, signal: AbortSignal): Promise<number[]> {
  const times: number[] = [];
  while (!signal.aborted) {
    const begin = performance.now();
    const response = await postMessage(url, `Message ${randomUUID()} of the bench.`);
    if (response.status !== 201) throw new Error(`contact: ${response.status}`);
    times.push(performance.now() - begin);
    await setTimeout(20);
  }
  return times;
}

/** @throws Error if a server does not have all files of the uploads that it acknowledged */
async function expectStored(server: Server, ours: Server): Promise<void> {
  const stored = server === ours ? filesInDatabase() : await (await fetch(server.url)).json();
  if (stored !== 3 * server.uploads) {
    throw new Error(`${server.name} has ${stored} files of ${server.uploads} uploads`);
  }
}

function filesInDatabase(): number {
  const client = new Sqlite(path.join(folder, "data/rubricon.db"), { readonly: true });
  const count = client.prepare("SELECT count(*) FROM uploaded_files").pluck().get() as number;
  client.close();
  return count;
}

function bodyOf(number: number): Buffer {
  const message = `Upload number ${number} of the bench.`;
  const parts = Object.entries({ ...sender, message }).map(([name, text]) =>
    Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`,
    ),
  );
  const files = ["questionsFile", "rubricFile", "submissionFiles"].flatMap((field, index) => [
    Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data; name="${field}"; filename="${index}.pdf"\r\nContent-Type: application/pdf\r\n\r\n`,
    ),
    uniquePdf(),
    Buffer.from("\r\n"),
  ]);
  return Buffer.concat([...parts, ...files, Buffer.from(`--${boundary}--\r\n`)]);
}

function uniquePdf(): Buffer {
  const bytes = randomFillSync(Buffer.alloc(fileBytes));
  bytes.write("%PDF-1.7\n%");
  bytes.write("\n%%EOF\n", fileBytes - 7);
  return bytes;
}

/** Posts from an address of the client's own, as visitors do. */
function post(url: string, client: number, content: Buffer): Promise<number> {
  return new Promise((resolve, reject) => {
    const outgoing = request(`${url}/api/demo-request-with-files`, {
      method: "POST",
      localAddress: `127.0.0.${client + 2}`,
      headers: {
        "Content-Type": `multipart/form-data; boundary=${boundary}`,
        "Content-Length": content.length,
      },
    });
    outgoing.once("response", (response) => {
      response.resume();
      response.once("end", () => resolve(response.statusCode!));
    });
    outgoing.once("error", reject);
    outgoing.end(content);
  });
}
