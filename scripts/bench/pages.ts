/**
 * npm run bench -- pages: what the front door answers in a second, each kind beside a node:http server
 * that writes the same bytes. Both are measured in turn, several times, because the machine's speed
 * changes while they run; the middle one of the proportions counts. Beside it stands the proportion by
 * processor time for an answer, which a busy machine changes less.
 */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { type IncomingMessage, request } from "node:http";
import path from "node:path";
import { load } from "./load.ts";
import type { RawResponse } from "./raw-server.ts";
import { unitEnvironment } from "./unit.ts";

const rounds = Number(process.argv[3] ?? 20);
const times = { seconds: 0.5, connections: 32 };
const root = path.join(import.meta.dirname, "../..");
const program = path.join(root, "dist/rubricon");
const folder = mkdtempSync(path.join(root, "build/bench-"));
const started: ChildProcess[] = [];
let server: ChildProcess;

try {
  forgetFile(program);
  const url = await start(program, [], {
    ...unitEnvironment(),
    PORT: "0",
    RUBRICON_POSTS_PER_10_MINUTES: "0",
    RUBRICON_SPAM_SECONDS: "0",
  });
  server = started[0]!;
  const style = readdirSync(path.join(root, "build/client/assets")).find((name) =>
    /^root-.*\.css$/.test(name),
  );
  const { etag } = (await answerOf(url, "/about", {})).named;

  await compare("cached page", url, "/about", {}, "0.95");
  const rawMemory = await compare(
    "cached page, brotli",
    url,
    "/about",
    { "Accept-Encoding": "gzip, br" },
    "0.95",
  );
  row("memory after that", {
    figure: `${memoryOf(server, "VmRSS")} MB`,
    raw: `raw ${rawMemory} MB`,
    range: `${memoryOf(server, "RssFile")} MB of files`,
    goal: "under 150 MB",
  });
  await compare("304", url, "/about", { "If-None-Match": etag! }, "");
  await compare("asset, brotli", url, `/assets/${style}`, { "Accept-Encoding": "gzip, br" }, "");
  await compare("uncached page", url, "/blog?q=memo", {}, "0.012");
  await comparePosts(url);
  row("highest memory", { figure: `${memoryOf(server, "VmHWM")} MB` });
} finally {
  for (const process of started) process.kill("SIGKILL");
  rmSync(folder, { recursive: true });
}

async function compare(
  what: string,
  url: string,
  address: string,
  headers: Record<string, string>,
  goal: string,
): Promise<number> {
  const { status, raw } = await answerOf(url, address, headers);
  const rawUrl = await startRaw(raw);
  const lines = Object.entries({ Host: new URL(url).host, ...headers })
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join("");
  const text = `GET ${address} HTTP/1.1\r\n${lines}\r\n`;
  return report(what, goal, (to) => load(to, () => text, status, times), url, rawUrl);
}

async function comparePosts(url: string): Promise<void> {
  const answer = '{"message":"Received.","id":1000,"reference":"ABCD-EFGH-JKMN"}';
  const rawUrl = await startRaw({
    status: 201,
    headers: ["Content-Type", "application/json", "Content-Length", String(answer.length)],
    body: Buffer.from(answer).toString("base64"),
    databaseFile: path.join(folder, "raw.db"),
  });
  let count = 0;
  const post = () => {
    count += 1;
    const body = JSON.stringify({
      name: "Thandi Example",
      email: "thandi@school.example",
      phone: "+27 31 555 0100",
      message: `Message number ${count} of the bench.`,
    });
    const type = "Content-Type: application/json\r\n";
    return `POST /api/contact HTTP/1.1\r\nHost: ${new URL(url).host}\r\n${type}Content-Length: ${body.length}\r\n\r\n${body}`;
  };
  await report("contact POST", "0.6", (to) => load(to, post, 201, times), url, rawUrl);
}

/** Measures both in turn. Returns the resident memory of the raw server after that, in megabytes. */
async function report(
  what: string,
  goal: string,
  measure: (url: string) => Promise<{ perSecond: number; answers: number }>,
  url: string,
  rawUrl: string,
): Promise<number> {
  const raw = started.at(-1)!;
  const timed = async (target: string, process: ChildProcess) => {
    const before = processorMs(process);
    const { perSecond, answers } = await measure(target);
    return { perSecond, processorMs: (processorMs(process) - before) / answers };
  };
  const pairs = [];
  for (let round = 0; round <= rounds; round += 1) {
    const pair = { own: await timed(url, server), raw: await timed(rawUrl, raw) };
    // The first is for the compilers.
    if (round > 0) pairs.push(pair);
  }
  const speeds = pairs.map(({ own, raw }) => own.perSecond / raw.perSecond).sort((a, b) => a - b);
  row(what, {
    figure: `${middle(pairs.map(({ own }) => own.perSecond)).toFixed(0)}/s`,
    raw: `raw ${middle(pairs.map(({ raw }) => raw.perSecond)).toFixed(0)}/s`,
    proportion: middle(speeds).toFixed(3),
    range: `(${speeds[0]!.toFixed(3)} to ${speeds.at(-1)!.toFixed(3)})`,
    byTime: middle(pairs.map(({ own, raw }) => raw.processorMs / own.processorMs)).toFixed(3),
    goal,
  });
  const memory = memoryOf(raw, "VmRSS");
  started.pop()!.kill("SIGKILL");
  return memory;
}

function middle(numbers: number[]): number {
  return numbers.sort((a, b) => a - b)[numbers.length >> 1]!;
}

interface Row {
  figure: string;
  raw?: string;
  proportion?: string;
  range?: string;
  byTime?: string;
  goal?: string;
}

function row(what: string, { figure, raw = "", proportion = "", range = "", byTime, goal }: Row) {
  const start = `${what.padEnd(22)}${figure.padStart(9)}  ${raw.padEnd(12)}${proportion.padStart(7)}`;
  const time = byTime ? `by time ${byTime}` : "";
  console.log(
    `${start} ${range.padEnd(18)} ${time.padEnd(15)} ${goal ? `goal ${goal}` : ""}`.trimEnd(),
  );
}

/** One answer, as it is and as node:http is to write it. */
async function answerOf(url: string, address: string, headers: Record<string, string>) {
  const call = request(url, { path: address, headers, agent: false }).end();
  const [response] = (await once(call, "response")) as [IncomingMessage];
  const body = Buffer.concat(await response.toArray());
  // These Node writes by itself.
  const own = ["Date", "Connection", "Keep-Alive", "Transfer-Encoding"];
  const sent = response.rawHeaders.flatMap((name, place, all) =>
    place % 2 === 0 && !own.includes(name) ? [name, all[place + 1]!] : [],
  );
  if (body.length > 0 && !response.headers["content-length"]) {
    sent.push("Content-Length", String(body.length));
  }
  const status = response.statusCode!;
  const raw: RawResponse = { status, headers: sent, body: body.toString("base64") };
  return { status, raw, named: response.headers as Record<string, string> };
}

/**
 * Has a file read from the disk anew, as after the machine's start: while it has just been written, the
 * kernel keeps it in large pieces, and of each that is touched the whole counts as the program's memory.
 */
function forgetFile(file: string): void {
  const words = [`of=${file}`, "oflag=nocache", "conv=notrunc,fdatasync", "count=0", "status=none"];
  execFileSync("dd", words, { stdio: ["ignore", "ignore", "inherit"] });
}

function startRaw(answer: RawResponse): Promise<string> {
  const script = path.join(import.meta.dirname, "raw-server.ts");
  return start(process.execPath, [script, JSON.stringify(answer)]);
}

function start(command: string, args: string[], env: Record<string, string> = {}): Promise<string> {
  const child = spawn(command, args, { cwd: folder, env, stdio: ["ignore", "pipe", "ignore"] });
  started.push(child);
  return new Promise((resolve, reject) => {
    child.stdout.on("data", (chunk) => resolve(/Ready: (\S+)/.exec(`${chunk}`)![1]!));
    child.once("exit", (code) => reject(new Error(`${command} ended with ${code}`)));
  });
}

function memoryOf({ pid }: ChildProcess, what: "VmRSS" | "VmHWM" | "RssFile"): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Math.round(Number(new RegExp(`${what}:\\s+(\\d+)`).exec(status)![1]) / 1000);
}

/** Of all threads; the kernel counts in hundredths of a second. */
function processorMs({ pid }: ChildProcess): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]!.split(" ");
  return (Number(fields[11]) + Number(fields[12])) * 10;
}
