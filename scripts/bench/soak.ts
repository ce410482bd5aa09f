/**
 * npm run bench -- soak [MINUTES]: visitors read, send messages and files, and break uploads off at a
 * steady rate, by default for 120 minutes. Prints the memory every minute, its slope over the second half, and how many
 * acknowledged requests are not stored whole.
 */
import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import Sqlite from "better-sqlite3";
import { memoryOf } from "./process-usage.ts";
import { endRun, folder, postMessage, program, sender, startServer } from "./server.ts";
import { benchEnvironment } from "./unit.ts";

const minutes = Number(process.argv[3] ?? 120);
const end = Date.now() + minutes * 60_000;

/** The digests of the files of each acknowledged request, by its reference; an empty list for a message. */
const acknowledged = new Map<string, string[]>();
const statuses: Record<string, number> = {};
/** Time between two samples of the memory. */
const sampleMs = 10_000;
const samplesPerMinute = 60_000 / sampleMs;
const samples: { hours: number; mb: number }[] = [];

try {
  const { process: server, url } = await startServer([program], {
    ...benchEnvironment(),
    RUBRICON_MAIL_URL: `file:${folder}/emails`,
    RUBRICON_MAIL_TO: "team@school.example",
    RUBRICON_MAIL_FROM: "site@school.example",
  });
  const pages = ["/", "/blog", "/blog?q=memo", "/features", "/no-such-page", "/healthz"];
  await Promise.all([
    repeat(100, async (n) => countStatus((await fetched(url + pages[n % pages.length])).status)),
    repeat(200, (n) => sendMessage(url, n)),
    repeat(2000, () => sendUpload(url)),
    repeat(5000, () => abandonUpload(url)),
    repeat(5000, async () =>
      countStatus((await sendForm(`${url}/contact`, { email: "wrong" })).status),
    ),
    repeat(sampleMs, async () => {
      const mb = Math.round(memoryOf(server, "VmRSS"));
      samples.push({ hours: samples.length / (60 * samplesPerMinute), mb });
      const passed = samples.length / samplesPerMinute;
      if (Number.isInteger(passed)) console.log(`${passed} min`, mb);
    }),
  ]);
  server.kill("SIGTERM");
  await once(server, "exit");
  console.log(`responses by status: ${JSON.stringify(statuses)}`);
  console.log(`acknowledged: ${acknowledged.size}, not stored whole: ${countLost()}`);
  const secondHalf = samples.slice(samples.length / 2);
  console.log(
    `slope over the second half: ${slope(secondHalf).toFixed(1)} MB an hour (goal: under 5)`,
  );
} finally {
  endRun();
}

/** Runs a step again and again until the end, with a pause after each. */
async function repeat(pauseMs: number, step: (n: number) => Promise<void>): Promise<void> {
  for (let n = 0; Date.now() < end; n += 1) {
    await step(n);
    await sleep(pauseMs);
  }
}

function countStatus(status: number): void {
  statuses[status] = (statuses[status] ?? 0) + 1;
}

async function fetched(address: string, init?: RequestInit) {
  const response = await fetch(address, { redirect: "manual", ...init });
  return { status: response.status, text: await response.text() };
}

function sendForm(address: string, typed: Record<string, string>) {
  return fetched(address, { method: "POST", body: new URLSearchParams(typed) });
}

async function sendMessage(url: string, n: number): Promise<void> {
  const response = await postMessage(url, `Message number ${n} of a soak.`);
  const text = await response.text();
  countStatus(response.status);
  if (response.status === 201) acknowledged.set(JSON.parse(text).reference, []);
}

function newUpload() {
  const form = new FormData();
  const message = `An upload of a soak, at ${new Date().toISOString()}.`;
  for (const [name, value] of Object.entries({ ...sender, message })) form.append(name, value);
  form.append("requestType", "demo");
  const fields = ["questionsFile", "rubricFile", "submissionFiles", "submissionFiles"];
  const digests = fields.map((field, index) => {
    const bytes = Buffer.concat([
      Buffer.from("%PDF-1.7\n"),
      randomBytes(150_000),
      Buffer.from("\n%%EOF\n"),
    ]);
    form.append(field, new File([new Uint8Array(bytes)], `${index}.pdf`));
    return createHash("sha256").update(bytes).digest("hex");
  });
  return { form, digests };
}

async function sendUpload(url: string): Promise<void> {
  const { form, digests } = newUpload();
  const { status, text } = await fetched(`${url}/api/demo-request-with-files`, {
    method: "POST",
    body: form,
  });
  countStatus(status);
  if (status !== 201) throw new Error(`An upload was rejected: ${status} ${text}`);
  acknowledged.set(JSON.parse(text).reference, digests);
}

/** Sends a part of an upload and closes the connection. */
async function abandonUpload(url: string): Promise<void> {
  const body = new Response(newUpload().form);
  const bytes = Buffer.from(await body.arrayBuffer());
  const type = body.headers.get("Content-Type")!;
  const controller = new AbortController();
  const stream = new ReadableStream({
    start(stream) {
      stream.enqueue(bytes.subarray(0, 200_000));
      setTimeout(() => controller.abort(), 200);
    },
  });
  await fetched(`${url}/api/demo-request-with-files`, {
    method: "POST",
    headers: { "Content-Type": type },
    body: stream,
    duplex: "half",
    signal: controller.signal,
  } as RequestInit).catch(() => {});
}

/** Returns how many acknowledged requests are not in the database with all their files. */
function countLost(): number {
  const db = new Sqlite(path.join(folder, "data/rubricon.db"), { readonly: true });
  const request = db.prepare("SELECT 1 FROM contact_requests WHERE reference = ?");
  const files = db
    .prepare(`SELECT bytes FROM uploaded_file_bytes JOIN uploaded_files ON uploaded_files.id = file_id
    JOIN contact_requests ON contact_requests.id = contact_request_id WHERE reference = ?`)
    .pluck();
  const isWhole = ([reference, digests]: [string, string[]]) => {
    if (!request.get(reference)) return false;
    const stored = (files.all(reference) as Buffer[]).map((bytes) =>
      createHash("sha256").update(bytes).digest("hex"),
    );
    return JSON.stringify(stored.sort()) === JSON.stringify([...digests].sort());
  };
  return [...acknowledged].filter((entry) => !isWhole(entry)).length;
}

/** The slope of a line by least squares, in MB an hour. */
function slope(points: { hours: number; mb: number }[]): number {
  const mean = (values: number[]) => values.reduce((a, b) => a + b, 0) / values.length;
  const hours = mean(points.map((point) => point.hours));
  const mb = mean(points.map((point) => point.mb));
  const covariance = mean(points.map((point) => (point.hours - hours) * (point.mb - mb)));
  return covariance / mean(points.map((point) => (point.hours - hours) ** 2));
}
