/**
 * npm run bench -- pages [ROUNDS]: requests per second for each kind of response, compared with a
 * plain node:http server that writes the same bytes. Both are measured in turn, several times,
 * because the machine's speed varies; the result is the median ratio. The ratio of CPU time per
 * response is printed too, because other load on the machine affects it less.
 */
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { type IncomingMessage, request } from "node:http";
import path from "node:path";
import { load } from "./load.ts";
import { cpuMsOf, memoryOf } from "./process-usage.ts";
import type { RawResponse } from "./raw-server.ts";
import { endRun, folder, median, program, root, sender, startServer } from "./server.ts";

const rounds = Number(process.argv[3] ?? 20);
const loadOptions = { seconds: 0.5, connections: 32 };
type Server = Awaited<ReturnType<typeof startServer>>;

try {
  dropFromPageCache(program);
  const ours = await startServer();
  const style = readdirSync(path.join(root, "build/client/assets")).find((name) =>
    /^root-.*\.css$/.test(name),
  );
  const { etag } = (await recordResponse(ours.url, "/about", {})).headers;

  await compare("cached page", { ours, target: "/about", goal: "0.55" });
  const headers = { "Accept-Encoding": "gzip, br" };
  const rawMemory = await compare("cached page, brotli", {
    ours,
    target: "/about",
    headers,
    goal: "0.55",
  });
  row("memory afterwards", {
    value: `${megabytes(ours, "VmRSS")} MB`,
    raw: `raw ${rawMemory} MB`,
    range: `${megabytes(ours, "RssFile")} MB file-backed`,
    goal: "under 150 MB",
  });
  await compare("304", { ours, target: "/about", headers: { "If-None-Match": etag! } });
  await compare("asset, brotli", { ours, target: `/assets/${style}`, headers });
  await compare("uncached page", { ours, target: "/blog?q=memo", goal: "0.012" });
  await comparePosts(ours);
  row("peak memory", { value: `${megabytes(ours, "VmHWM")} MB` });
} finally {
  endRun();
}

/** Compares GET requests for a target. Returns what `report` returns. */
async function compare(
  name: string,
  {
    ours,
    target,
    headers = {},
    goal = "",
  }: { ours: Server; target: string; headers?: Record<string, string>; goal?: string },
): Promise<number> {
  const { url } = ours;
  const { status: expectedStatus, raw } = await recordResponse(url, target, headers);
  const rawServer = await startRaw(raw);
  const lines = Object.entries({ Host: new URL(url).host, ...headers })
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join("");
  const text = `GET ${target} HTTP/1.1\r\n${lines}\r\n`;
  const measure = (to: string) =>
    load({ url: to, request: () => text, expectedStatus, ...loadOptions });
  return report(name, { ours, raw: rawServer, measure, goal });
}

async function comparePosts(ours: Server): Promise<void> {
  const response = '{"message":"Received.","id":1000,"reference":"ABCD-EFGH-JKMN"}';
  const raw = await startRaw({
    status: 201,
    headers: ["Content-Type", "application/json", "Content-Length", String(response.length)],
    body: Buffer.from(response).toString("base64"),
    databaseFile: path.join(folder, "raw.db"),
  });
  let count = 0;
  const post = () => {
    count += 1;
    const body = JSON.stringify({ ...sender, message: `Message number ${count} of the bench.` });
    const type = "Content-Type: application/json\r\n";
    return `POST /api/contact HTTP/1.1\r\nHost: ${new URL(ours.url).host}\r\n${type}Content-Length: ${body.length}\r\n\r\n${body}`;
  };
  const measure = (to: string) =>
    load({ url: to, request: post, expectedStatus: 201, ...loadOptions });
  await report("contact POST", { ours, raw, measure, goal: "0.75" });
}

interface Comparison {
  ours: Server;
  raw: Server;
  measure: (url: string) => ReturnType<typeof load>;
  goal: string;
}

/** Measures both servers in turn. Returns the raw server's resident memory afterwards, in megabytes. */
async function report(name: string, { ours, raw, measure, goal }: Comparison): Promise<number> {
  const timed = async ({ process, url }: Server) => {
    const before = cpuMsOf(process);
    const { perSecond, responses } = await measure(url);
    return { perSecond, cpuMs: (cpuMsOf(process) - before) / responses };
  };
  const pairs = [];
  for (let round = 0; round <= rounds; round += 1) {
    const pair = { ours: await timed(ours), raw: await timed(raw) };
    // The first round lets the JIT compilers warm up.
    if (round > 0) pairs.push(pair);
  }
  const ratios = pairs.map(({ ours, raw }) => ours.perSecond / raw.perSecond).sort((a, b) => a - b);
  row(name, {
    value: `${median(pairs.map(({ ours }) => ours.perSecond)).toFixed(0)}/s`,
    raw: `raw ${median(pairs.map(({ raw }) => raw.perSecond)).toFixed(0)}/s`,
    ratio: median(ratios).toFixed(3),
    range: `(${ratios[0]!.toFixed(3)} to ${ratios.at(-1)!.toFixed(3)})`,
    cpuRatio: median(pairs.map(({ ours, raw }) => raw.cpuMs / ours.cpuMs)).toFixed(3),
    goal,
  });
  const memory = megabytes(raw, "VmRSS");
  raw.process.kill("SIGKILL");
  return memory;
}

interface Row {
  value: string;
  raw?: string;
  ratio?: string;
  range?: string;
  cpuRatio?: string;
  goal?: string;
}

function row(name: string, { value, raw = "", ratio = "", range = "", cpuRatio, goal }: Row) {
  const start = `${name.padEnd(22)}${value.padStart(9)}  ${raw.padEnd(12)}${ratio.padStart(7)}`;
  const cpu = cpuRatio ? `by CPU ${cpuRatio}` : "";
  console.log(
    `${start} ${range.padEnd(18)} ${cpu.padEnd(15)} ${goal ? `goal ${goal}` : ""}`.trimEnd(),
  );
}

/** Requests a page. Returns the headers of the response, and what the raw server needs to write the same response. */
async function recordResponse(url: string, target: string, headers: Record<string, string>) {
  const outgoing = request(url, { path: target, headers, agent: false }).end();
  const [response] = (await once(outgoing, "response")) as [IncomingMessage];
  const body = Buffer.concat(await response.toArray());
  // Node adds these headers itself, so the raw server must not send them too.
  const automatic = ["Date", "Connection", "Keep-Alive", "Transfer-Encoding"];
  const sent = response.rawHeaders.flatMap((name, index, all) =>
    index % 2 === 0 && !automatic.includes(name) ? [name, all[index + 1]!] : [],
  );
  if (body.length > 0 && !response.headers["content-length"]) {
    sent.push("Content-Length", String(body.length));
  }
  const status = response.statusCode!;
  const raw: RawResponse = { status, headers: sent, body: body.toString("base64") };
  return { status, raw, headers: response.headers as Record<string, string> };
}

/**
 * Drops a file from the page cache, as a reboot would. The kernel caches a new file in large folios, and counts a whole
 * folio as the program's memory if a part of the folio is used.
 */
function dropFromPageCache(file: string): void {
  const args = [`of=${file}`, "oflag=nocache", "conv=notrunc,fdatasync", "count=0", "status=none"];
  execFileSync("dd", args, { stdio: ["ignore", "ignore", "inherit"] });
}

function startRaw(response: RawResponse): Promise<Server> {
  const script = path.join(import.meta.dirname, "raw-server.ts");
  return startServer([process.execPath, script, JSON.stringify(response)], {});
}

function megabytes({ process }: Server, field: Parameters<typeof memoryOf>[1]): number {
  return Math.round(memoryOf(process, field));
}
