/** What the server tells its operator: the start, priorities for the journal, a forgotten setting. */
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { closeSync, fstatSync, mkdirSync, openSync, readFileSync, renameSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import path from "node:path";
import { type TestContext, test } from "node:test";
import timers from "node:timers/promises";
import { startClassJobs } from "../app/server/jobs/class-job.ts";
import { openLog } from "../app/server/log.ts";
import type { Store } from "../db/store.ts";
import { readyUrl } from "../scripts/start-executable.ts";
import { latestSchemaVersion, makeOldDatabase } from "./support/database.ts";
import { draftToken } from "./support/drafts.ts";
import { contactTyped, postForm } from "./support/forms.ts";
import { outputOf } from "./support/output-of.ts";
import { sendRaw } from "./support/raw-http.ts";
import { postOf, sendRequest } from "./support/send-request.ts";
import {
  compileCache,
  executable,
  newFolder,
  type Server,
  startServer,
  until,
  withoutLimits,
} from "./support/server.ts";
import { uploadByApi, uploadByPage, uploadForm } from "./support/upload.ts";

test("the log begins with the version, the settings and the migration of the database", async (t) => {
  const folder = newFolder(t);
  const data = path.join(folder, "data");
  mkdirSync(data);
  makeOldDatabase(path.join(data, "rubricon.db"), latestSchemaVersion - 1).close();
  const env = { RUBRICON_PUBLIC_URL: "https://marking.school.example" };
  const server = await startServer(t, { folder, env });
  const [first, second] = server.log().split("\n");
  assert.match(
    first!,
    new RegExp(
      `^\\S+Z info rubricon \\d+\\.\\d+\\.\\d+\\S*, ${env.RUBRICON_PUBLIC_URL}, data folder ${data}, schema version ${latestSchemaVersion}$`,
    ),
  );
  assert.match(
    second!,
    new RegExp(
      `info migrated the database from schema version ${latestSchemaVersion - 1} to ${latestSchemaVersion}; the copy of it is ${data}/backups/\\S+\\.db$`,
    ),
  );
});

/** Starts a server without waiting for it, and ends it after the test. */
function spawnServer(t: TestContext, env: Record<string, string>, stderr: "pipe" | number) {
  const child = spawn(executable, [], {
    cwd: newFolder(t),
    env: { PORT: "0", ...compileCache, ...withoutLimits, ...env },
    stdio: ["ignore", "pipe", stderr],
  });
  t.after(() => child.kill("SIGKILL"));
  return child;
}

test("with RUBRICON_LOG_FORMAT=json every line is JSON, also the one on stdout", async (t) => {
  const child = spawnServer(t, { RUBRICON_LOG_FORMAT: "json" }, "pipe");
  const output = outputOf(child);
  const url = await readyUrl(child);
  // Express parses such a URL by a deprecated function of Node.
  await sendRaw(url, "GET /about#a HTTP/1.1\r\nHost: localhost\r\n\r\n");
  child.kill();
  const { out, err } = await output;
  const lines = `${out}${err}`.trim().split("\n");
  assert.ok(lines.length > 2);
  for (const line of lines)
    assert.deepEqual(Object.keys(JSON.parse(line)).slice(0, 2), ["time", "level"]);
  assert.equal(JSON.parse(out).url, url);
});

test("in systemd's journal each line has a priority", async (t) => {
  const file = path.join(newFolder(t), "journal");
  const journal = openSync(file, "w");
  const { dev, ino } = fstatSync(journal);
  const child = spawnServer(t, { JOURNAL_STREAM: `${dev}:${ino}` }, journal);
  await readyUrl(child);
  child.kill();
  await once(child, "exit");
  closeSync(journal);
  const lines = readFileSync(file, "utf8").trimEnd().split("\n");
  assert.ok(lines.length > 2);
  for (const line of lines) assert.match(line, /^<[46]>\S+Z (info|warn) /);
});

test("a file to which a service of systemd writes is no journal", async (t) => {
  // systemd sets the variable also where standard error goes elsewhere.
  const server = await startServer(t, { env: { JOURNAL_STREAM: "1:2" } });
  await server.stop();
  const lines = server.log().trimEnd().split("\n");
  assert.ok(lines.length > 2);
  for (const line of lines) assert.match(line, /^\d\S+Z (info|warn) /);
});

test("a proxy that is not in RUBRICON_TRUSTED_PROXIES is reported once, without whom it forwards", async (t) => {
  const server = await startServer(t);
  const post = () =>
    fetch(`${server.url}/contact`, {
      method: "POST",
      headers: { "X-Forwarded-For": "203.0.113.7" },
    });
  await post();
  await post();
  await until(() => server.log().includes("RUBRICON_TRUSTED_PROXIES"));
  assert.equal(await server.stop(), 0);
  assert.equal(server.log().match(/ warn .*RUBRICON_TRUSTED_PROXIES/g)?.length, 1);
  assert.doesNotMatch(server.log(), /203\.0\.113/);
});

test("a trusted proxy that sends no X-Forwarded-For is reported as that", async (t) => {
  const server = await startServer(t, { env: { RUBRICON_TRUSTED_PROXIES: "127.0.0.1" } });
  await fetch(`${server.url}/contact`, { headers: { Forwarded: "for=203.0.113.7" } });
  await until(() => server.log().includes("share the limits of one address"));
  assert.match(server.log(), / warn a request came without X-Forwarded-For:/);
});

test("an unexpected error is one line, not the source of the program", (t) => {
  const folder = newFolder(t);
  const script = `mkdir gone && cd gone && rmdir ../gone && ${executable} requests list`;
  const { status, stderr } = spawnSync("sh", ["-c", script], { cwd: folder, encoding: "utf8" });
  assert.equal(status, 1);
  const lines = stderr.trim().split("\n");
  assert.equal(lines.length, 1, stderr.slice(0, 2000));
  assert.ok(stderr.length < 500, stderr.slice(0, 2000));
});

const secret = "Zanele-0824711";
const forwarded = { "X-Forwarded-For": "203.0.113.77" };
const secretTexts = {
  ...contactTyped,
  name: `${secret} Nkosi`,
  email: `${secret}@school.example`,
  message: `The memo of ${secret}, please. +27 82 555 0199`,
};

/** Parts of the requests below that no line of the log may contain. */
const traces = [
  "Zanele",
  "0824711",
  "Nkosi",
  "school.example",
  "555 0199",
  "memo",
  "grade-12",
  ".exe",
  "203.0.113",
  "127.0.0.1",
  "::1",
  "?",
  contactTyped.phone,
];

for (const format of ["text", "json"] as const) {
  test(`the log as ${format} contains no personal data and nothing that a visitor sends`, async (t) => {
    const server = await startServer(t, {
      env: {
        RUBRICON_LOG_FORMAT: format,
        RUBRICON_HOST: "0.0.0.0",
        RUBRICON_TRUSTED_PROXIES: "127.0.0.0/8,::1",
      },
    });
    const { receipt, token } = await postSecrets(server.url);
    await requestSecrets(server.url);
    await postSecretsToBrokenServer(server, token);
    await server.stop();

    const log = server.log();
    const lines = log.trimEnd().split("\n");
    assert.ok(lines.length > 15, log);
    assert.match(log, /no such table/, "the causes are logged");
    for (const trace of [...traces, token, receipt.slice(-14)]) {
      assert.ok(!log.includes(trace), `${trace} in ${lines.find((line) => line.includes(trace))}`);
    }
    for (const line of lines) assertFormat(line, format);
  });
}

/** Returns the URL of a receipt, and the token of a draft. */
async function postSecrets(url: string) {
  const { name, email, message } = secretTexts;
  const withName = uploadForm(undefined, { name, email, phone: "+27 82 555 0199", message });
  withName.append("submissionFiles", new File(["marks"], `${secret}-grade-12.txt`));
  const rejected = uploadForm(undefined, { name, email: "wrong" });
  rejected.append("submissionFiles", new File(["\0"], `${secret}.exe`));

  const receipt = (await postForm(url, "/contact", secretTexts)).headers.get("Location")!;
  await sendRequest(url, receipt, { headers: forwarded });
  assert.equal((await uploadByApi(url, withName, forwarded)).status, 201);
  const back = await (await uploadByPage(url, rejected)).text();
  await postForm(url, "/contact", { ...secretTexts, email: "wrong" });
  await postForm(url, `/contact?test&note=${secret}`, { ...secretTexts, message: "x" });
  return { receipt, token: draftToken(back) };
}

/** Sends the secret in every other part of a request. */
async function requestSecrets(url: string): Promise<void> {
  for (const address of [
    `/blog?q=${secret}`,
    `/${secret}`,
    `/api/${secret}`,
    `/contact/${secret}@school.example`,
    `/${secret}/%2e%2e/x?token=${secret}`,
    `/contact?received=${secret}`,
    `/%ff${secret}`,
    `/test-forms?${secret}`,
    `/${secret}.data`,
    `/api/demo-request-with-files?upload=${secret}-0123456789`,
  ]) {
    await sendRequest(url, address, {
      headers: {
        ...forwarded,
        Referer: `https://a.example/${secret}`,
        "User-Agent": secret,
        "Upload-Draft": `${secret}-0123456789012345678901`,
      },
    });
  }
  for (const body of [`{"name": "${secret}`, `["${secret}"]`, `{"${secret}": 1}`]) {
    await sendRequest(url, "/api/contact", postOf(body, { "Content-Type": "application/json" }));
  }
  await sendRequest(url, `/api/${secret}`, postOf(secret, { "Content-Type": secret }));
  await sendRaw(url, `${secret} / HTTP/1.1\r\n\r\n`);
  await sendRaw(url, `GET /blog?q=${secret} HTTP/1.1\r\nHost: ${secret}[\r\n\r\n`);
}

/** Posts while tables and then the data folder are missing, because errors are the likeliest to leak. */
async function postSecretsToBrokenServer(server: Server, token: string): Promise<void> {
  const { url, change } = server;
  await change("ALTER TABLE outbox RENAME TO gone; ALTER TABLE upload_drafts RENAME TO gone_too");
  assert.equal((await postForm(url, "/contact", { ...secretTexts, message: "y" })).status, 500);
  const texts = { name: secretTexts.name, email: "wrong", draft: token };
  assert.equal((await uploadByPage(url, uploadForm(undefined, texts))).status, 500);
  renameSync(path.join(server.folder, "data"), path.join(server.folder, "moved"));
  // The free space is checked once a second.
  await until(async () => {
    const { status } = await postForm(url, `/contact?${secret}`, secretTexts);
    return status === 503;
  });
}

function assertFormat(line: string, format: "text" | "json"): void {
  if (format === "text") {
    assert.match(line, /^\d{4}-\S+Z (info|warn|error) \S/);
    return;
  }
  const { time, level, message } = JSON.parse(line) as Record<string, string>;
  assert.ok(!Number.isNaN(Date.parse(time!)) && level && message, line);
}

test("while the database does not respond, the work on classes is tried, and logged, once a minute", async (t) => {
  const sleeps: number[] = [];
  t.mock.method(
    timers,
    "setTimeout",
    (ms: number, _: unknown, { signal }: { signal: AbortSignal }) => {
      sleeps.push(ms);
      return once(signal, "abort");
    },
  );
  syncBuiltinESMExports();
  const log = openLog("text", false);
  const logged = t.mock.method(log, "error", () => {});
  t.after(() => {
    t.mock.restoreAll();
    syncBuiltinESMExports();
  });
  const hasFreeClassJob = () => Promise.reject(new Error("ECONNREFUSED"));
  const store = { hasFreeClassJob } as unknown as Store;
  const jobs = startClassJobs({ store, dataDir: newFolder(t) }, log, () => {});
  await until(() => sleeps.length > 0);
  await jobs.close();
  assert.deepEqual(sleeps, [60_000]);
  assert.deepEqual(
    logged.mock.calls.map(({ arguments: [message] }) => message),
    ["cutting or rendering a class failed; retrying in a minute"],
  );
});

test("a class whose work fails holds up no other class", async (t) => {
  const log = openLog("text", false);
  t.mock.method(log, "error", () => {});
  const jobs = [1, 2].map((id) => ({
    id,
    assessmentId: id,
    lease: "",
    attempts: 1,
    reference: "",
  }));
  const ended: number[] = [];
  const store = {
    hasFreeClassJob: async () => jobs.length > 0,
    takeClassJob: async () => jobs.shift(),
    nextScanUpload: async (assessmentId: number) =>
      assessmentId === 1 && Promise.reject(new Error("ENOSPC")),
    listUnrenderedFiles: async () => [],
    endClassJob: async ({ id }: { id: number }) => ended.push(id),
  } as unknown as Store;
  const work = startClassJobs({ store, dataDir: newFolder(t) }, log, () => {});
  await until(() => ended.length > 0);
  await work.close();
  assert.deepEqual(ended, [2]);
});
