/**
 * npm run bench -- engines: posts and uploads on both engines, each beside plain inserts of the same
 * bytes into the same engine in the same run. Uses the PostgreSQL of the tests, with fsync.
 */
import { spawn } from "node:child_process";
import { randomBytes, randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import path from "node:path";
import Sqlite from "better-sqlite3";
import { Client } from "pg";
import { startEmbeddedPostgres } from "../../tests/support/embedded-postgres.ts";
import { readyUrl } from "../start-executable.ts";
import { benchEnvironment } from "./unit.ts";

const clients = 10;
const posts = 3000;
/** Posts before the measured ones: a server that has just started compiles as it goes. */
const warmingPosts = 500;
const uploads = 8;
const filesEach = 20;
const fileBytes = 2_097_152;
const partBytes = 262_144;
const megabytes = (uploads * filesEach * fileBytes) / 1e6;
const root = path.join(import.meta.dirname, "../..");
const folder = mkdtempSync(path.join(root, "build/bench-"));
const texts = {
  name: "Thandi Example",
  email: "thandi@school.example",
  phone: "+27 31 555 0100",
  institution: "Example High School",
};

const file = Buffer.concat([
  Buffer.from("%PDF-1.7\n%"),
  randomBytes(fileBytes - 17),
  Buffer.from("\n%%EOF\n"),
]);

/** Texts of about the size of a request and of an email: each transaction inserts a row of both. */
const request = "x".repeat(300);
const email = "x".repeat(700);

const postgres = await startEmbeddedPostgres(["fsync=on", "log_statement=none"]);

try {
  for (let turn = 1; turn <= 3; turn += 1) {
    console.log(`turn ${turn}`);
    await measure("SQLite", {}, await plainSqlite());
    const name = `bench${turn}`;
    await withClient("postgres", (client) => client.query(`CREATE DATABASE ${name}`));
    const plain = await plainPostgres();
    await measure("PostgreSQL", { RUBRICON_DATABASE_URL: postgres.urlOf(name) }, plain);
  }
} finally {
  await postgres.stop();
  rmSync(folder, { recursive: true });
}

interface Plain {
  postsPerSecond: number;
  megabytesPerSecond: number;
}

async function measure(engine: string, env: Record<string, string>, plain: Plain): Promise<void> {
  const data = mkdtempSync(path.join(folder, "data-"));
  const server = spawn(path.join(root, "dist/rubricon"), [], {
    cwd: data,
    env: { ...benchEnvironment(), RUBRICON_UPLOAD_SLOTS: "12", ...env },
    stdio: ["ignore", "pipe", "ignore"],
  });
  try {
    const url = await readyUrl(server);
    await inParallel(warmingPosts, clients, (index) => post(url, index));
    const postSeconds = await inParallel(posts, clients, (index) => post(url, index));
    const uploadSeconds = await inParallel(uploads, 4, () => upload(url));
    report(`${engine}: posts`, posts / postSeconds, plain.postsPerSecond, "/s");
    report(`${engine}: uploads`, megabytes / uploadSeconds, plain.megabytesPerSecond, " MB/s");
  } finally {
    server.kill();
    rmSync(data, { recursive: true });
  }
}

function report(what: string, value: number, plain: number, unit: string): void {
  console.log(
    `${what.padEnd(22)}${`${value.toFixed(0)}${unit}`.padStart(12)}   plain inserts ${`${plain.toFixed(0)}${unit}`.padStart(12)}   ${(value / plain).toFixed(2)}`,
  );
}

/** Runs `work` `count` times, at most `width` at once. Returns the seconds that all runs took. */
async function inParallel(
  count: number,
  width: number,
  work: (index: number) => Promise<void>,
): Promise<number> {
  let next = 0;
  const run = async () => {
    while (next < count) {
      next += 1;
      await work(next);
    }
  };
  return await secondsOf(() => Promise.all(Array.from({ length: width }, run)));
}

async function secondsOf(work: () => unknown): Promise<number> {
  const begin = performance.now();
  await work();
  return (performance.now() - begin) / 1000;
}

async function post(url: string, index: number): Promise<void> {
  const response = await fetch(`${url}/api/contact`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ ...texts, message: `Question ${index} ${randomUUID()}` }),
  });
  await response.text();
  if (response.status !== 201) throw new Error(`post: ${response.status}`);
}

async function upload(url: string): Promise<void> {
  const form = new FormData();
  for (const [name, value] of Object.entries(texts)) form.append(name, value);
  form.append("message", randomUUID());
  form.append("requestType", "demo");
  for (let index = 0; index < filesEach; index += 1) {
    const field = ["questionsFile", "rubricFile"][index] ?? "submissionFiles";
    form.append(field, new File([file], `${index}.pdf`));
  }
  const response = await fetch(`${url}/api/demo-request-with-files`, {
    method: "POST",
    body: form,
  });
  const text = await response.text();
  if (response.status !== 201) throw new Error(`upload: ${response.status} ${text}`);
}

async function plainSqlite(): Promise<Plain> {
  const name = path.join(folder, `plain-${randomUUID()}.db`);
  const client = new Sqlite(name);
  client.pragma("page_size = 8192");
  client.pragma("journal_mode = WAL");
  client.pragma("synchronous = FULL");
  client.pragma("wal_autocheckpoint = 4000");
  client.exec(
    "CREATE TABLE requests (id INTEGER PRIMARY KEY, text TEXT); CREATE TABLE emails (id INTEGER PRIMARY KEY, text TEXT); CREATE TABLE files (id INTEGER PRIMARY KEY, bytes BLOB)",
  );
  const insertRequest = client.prepare("INSERT INTO requests (text) VALUES (?)");
  const insertEmail = client.prepare("INSERT INTO emails (text) VALUES (?)");
  const insertBoth = client.transaction(() => {
    insertRequest.run(request);
    insertEmail.run(email);
  });
  const postSeconds = await secondsOf(() => {
    for (let count = 0; count < posts; count += 1) insertBoth();
  });
  const insertFile = client.prepare("INSERT INTO files (bytes) VALUES (?)");
  const uploadSeconds = await secondsOf(() => {
    for (let count = 0; count < uploads; count += 1) {
      client.pragma("synchronous = NORMAL");
      for (let index = 1; index < filesEach; index += 1) insertFile.run(file);
      client.pragma("synchronous = FULL");
      insertFile.run(file);
    }
  });
  client.close();
  return { postsPerSecond: posts / postSeconds, megabytesPerSecond: megabytes / uploadSeconds };
}

function plainPostgres(): Promise<Plain> {
  return withClient("postgres", async (client) => {
    await client.query(
      "DROP TABLE IF EXISTS requests, emails, files; CREATE TABLE requests (id bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, text text); CREATE TABLE emails (id bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, text text); CREATE TABLE files (id bigint, part bigint, bytes bytea, PRIMARY KEY (id, part))",
    );
    const postSeconds = await secondsOf(async () => {
      for (let count = 0; count < posts; count += 1) {
        await client.query("BEGIN");
        await client.query("INSERT INTO requests (text) VALUES ($1) RETURNING id", [request]);
        await client.query("INSERT INTO emails (text) VALUES ($1) RETURNING id", [email]);
        await client.query("COMMIT");
      }
    });
    const parts = Array.from({ length: fileBytes / partBytes }, (_, part) =>
      file.subarray(part * partBytes, (part + 1) * partBytes),
    );
    const rows = parts.map((_, part) => `($1, ${part}, $${part + 2})`).join(", ");
    const uploadSeconds = await secondsOf(async () => {
      for (let count = 0; count < uploads * filesEach; count += 1) {
        const isLast = count % filesEach === filesEach - 1;
        await client.query(`BEGIN; SET LOCAL synchronous_commit = ${isLast ? "on" : "off"}`);
        await client.query(`INSERT INTO files (id, part, bytes) VALUES ${rows}`, [count, ...parts]);
        await client.query("COMMIT");
      }
    });
    return { postsPerSecond: posts / postSeconds, megabytesPerSecond: megabytes / uploadSeconds };
  });
}

async function withClient<Result>(
  database: string,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = new Client(postgres.urlOf(database));
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
