import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type TestContext, test } from "node:test";
import Sqlite from "better-sqlite3";
import { readyUrl } from "../../scripts/start-executable.ts";
import { contactTyped, postJson, referenceIn } from "../support/forms.ts";
import { randomFrom } from "../support/random.ts";
import { executable, newFolder, startServer, withoutLimits } from "../support/server.ts";
import { pdf, sha256, threeFiles, uploaded } from "../support/upload.ts";

const trials = 2000;

test(`after ${trials} simulated power failures each acknowledged request is stored whole`, async (t) => {
  if (!canTrace()) {
    t.skip("recording what reaches the disk needs strace, and permission to trace");
    return;
  }
  const { before, recorded, hashes } = await recordUploads(t);
  const acknowledged = recorded.filter(({ kind }) => kind === "acknowledged").length;
  t.diagnostic(`${recorded.length} steps recorded, ${acknowledged} requests acknowledged`);
  assert.equal(acknowledged, hashes.size, "every response is in the record");
  let confirmed = 0;
  const folder = path.join(newFolder(t), "state");
  for (let state = 0; state < trials; state += 1) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder);
    const failsAt = randomFrom(state)(recorded.length + 1);
    const write = (to: string) =>
      writeDisk(before, recorded.slice(0, failsAt), to, randomFrom(state));
    write(folder);
    const references = recorded
      .slice(0, failsAt)
      .flatMap((step) => (step.kind === "acknowledged" ? [step.reference] : []));
    try {
      confirmed += inspect(path.join(folder, "rubricon.db"), references, hashes);
    } catch (cause) {
      // SQLite has changed the files since, and the folder of the test is deleted.
      const kept = mkdtempSync(path.join(tmpdir(), "power-loss-"));
      write(kept);
      throw new Error(`after ${failsAt} of ${recorded.length} steps: ${kept}`, { cause });
    }
  }
  t.diagnostic(`${confirmed} acknowledged requests found over all states`);
});

type Random = ReturnType<typeof randomFrom>;

type Step =
  | { kind: "write"; file: string; offset: number; bytes: Buffer }
  | { kind: "truncate"; file: string; length: number }
  | { kind: "sync"; file: string }
  | { kind: "acknowledged"; reference: string };

/** Records everything that the server writes to disk and acknowledges, in order. */
async function recordUploads(
  t: TestContext,
): Promise<{ before: Buffer; recorded: Step[]; hashes: Map<string, string[]> }> {
  const first = await startServer(t);
  await first.stop();
  const { folder } = first;
  const before = readFileSync(first.databaseFile);
  const trace = path.join(folder, "trace");
  const tracedCalls = "trace=pwrite64,ftruncate,fsync,fdatasync,write,writev,sendto";
  const tracer = spawn(
    "/usr/bin/strace",
    ["-f", "-y", "-xx", "-s", "100000", "-e", tracedCalls, "-o", trace, executable],
    {
      cwd: folder,
      env: { PATH: "/nowhere", PORT: "0", ...withoutLimits },
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  const url = await readyUrl(tracer);
  const hashes = new Map<string, string[]>();
  const upload = async () => {
    for (let count = 0; count < 12; count += 1) {
      const files = threeFiles();
      files[0]!.bytes = pdf(20_000);
      const reference = await uploaded({ url }, files);
      hashes.set(
        reference,
        files.map(({ bytes }) => sha256(bytes)),
      );
    }
  };
  // Many at once, so that some share a transaction.
  const write = async (writer: number) => {
    for (let count = 0; count < 12; count += 1) {
      const message = `Message ${count} of writer ${writer}.`;
      const response = await postJson(url, "/api/contact", { ...contactTyped, message });
      assert.equal(response.status, 201);
      hashes.set(await referenceIn(response), []);
    }
  };
  await Promise.all([upload(), upload(), upload(), ...[1, 2, 3, 4, 5, 6].map(write)]);
  // Kill the traced process: strace, if killed, would leave it running.
  const [child] = readFileSync(`/proc/${tracer.pid}/task/${tracer.pid}/children`, "utf8").split(
    " ",
  );
  process.kill(Number(child), "SIGKILL");
  await once(tracer, "exit");
  return { before, recorded: parseTrace(readFileSync(trace, "latin1")), hashes };
}

function parseTrace(trace: string): Step[] {
  const steps: Step[] = [];
  /** Files of syncs that have not returned, by thread. A sync counts once it has returned. */
  const unfinished = new Map<string, string>();
  for (const line of trace.split("\n")) {
    const [, thread, call] = /^(\d+)\s+(.*)$/.exec(line) ?? [];
    if (!thread || !call) continue;
    const sync = /^f(?:data)?sync\(\d+<([^>]*)>/.exec(call);
    if (sync && call.endsWith("<unfinished ...>")) unfinished.set(thread, decodeHex(sync[1]!));
    else if (sync && / = 0$/.test(call)) steps.push({ kind: "sync", file: decodeHex(sync[1]!) });
    const resumed = /^<\.\.\. f(?:data)?sync resumed>.* = 0$/.test(call);
    if (resumed) steps.push({ kind: "sync", file: unfinished.get(thread)! });
    const write = /^pwrite64\(\d+<([^>]*)>, "([^"]*)", \d+, (\d+)/.exec(call);
    if (write) {
      const [, file, content, offset] = write;
      const bytes = Buffer.from(content!.replaceAll("\\x", ""), "hex");
      steps.push({ kind: "write", file: decodeHex(file!), offset: Number(offset), bytes });
    }
    const truncate = /^ftruncate\(\d+<([^>]*)>, (\d+)/.exec(call);
    if (truncate) {
      steps.push({ kind: "truncate", file: decodeHex(truncate[1]!), length: Number(truncate[2]) });
    }
    if (/^(?:write|writev|sendto)\(\d+<[^>]*>/.test(call)) {
      const sent = [...call.matchAll(/"((?:\\x[0-9a-f]{2})+)"/g)]
        .map(([, hex]) => decodeHex(hex!))
        .join("");
      const reference = /"reference":"([\w-]{14})"/.exec(sent)?.[1];
      if (reference) steps.push({ kind: "acknowledged", reference });
    }
  }
  return steps.filter((step) => step.kind === "acknowledged" || /\.db(-wal)?$/.test(step.file));
}

const decodeHex = (hex: string) => Buffer.from(hex.replaceAll("\\x", ""), "hex").toString("latin1");

/**
 * Writes what a disk may hold when the power fails after these steps: all that was synced, and any
 * part of the rest, in any order, with any write torn between sectors.
 */
function writeDisk(before: Buffer, recorded: Step[], folder: string, random: Random): void {
  for (const name of ["rubricon.db", "rubricon.db-wal"]) {
    const steps = recorded.filter(
      (step) => step.kind !== "acknowledged" && path.basename(step.file) === name,
    );
    const lastSync = steps.findLastIndex(({ kind }) => kind === "sync");
    const synced = steps.slice(0, lastSync + 1);
    const unsynced = steps.slice(lastSync + 1).filter(() => random(10) < 6);
    if (random(2) === 0) unsynced.sort(() => random(2) - 0.5);
    const start = name === "rubricon.db" ? before : Buffer.alloc(0);
    const disk = {
      bytes: Buffer.alloc(Math.max(start.length, maxLength(steps))),
      length: start.length,
    };
    start.copy(disk.bytes);
    for (const step of synced) apply(disk, step);
    for (const step of unsynced) apply(disk, step, random(2) === 0 ? random : undefined);
    if (disk.length > 0)
      writeFileSync(path.join(folder, name), disk.bytes.subarray(0, disk.length));
  }
}

interface Disk {
  bytes: Buffer;
  length: number;
}

const maxLength = (steps: Step[]) => Math.max(0, ...steps.map(lengthAfter));

/** The length that a file has at least after a step. */
function lengthAfter(step: Step): number {
  if (step.kind === "write") return step.offset + step.bytes.length;
  return step.kind === "truncate" ? step.length : 0;
}

const sector = 512;

/** @param torn decides which sectors of a write are lost */
function apply(disk: Disk, step: Step, torn?: Random): void {
  if (step.kind === "truncate") {
    if (step.length < disk.length) disk.bytes.fill(0, step.length, disk.length);
    disk.length = step.length;
  }
  if (step.kind !== "write") return;
  const { offset, bytes } = step;
  disk.length = Math.max(disk.length, offset + bytes.length);
  for (let at = 0; at < bytes.length; at += sector) {
    if (!torn || torn(2) === 0) bytes.copy(disk.bytes, offset + at, at, at + sector);
  }
}

/**
 * Opens the files as the next start would. Asserts that every stored request is complete, and that the acknowledged
 * ones are stored. Returns their number.
 */
function inspect(file: string, references: string[], hashes: Map<string, string[]>): number {
  const db = new Sqlite(file);
  db.function("digest", (bytes: Buffer | null) => bytes && sha256(bytes));
  try {
    assert.equal(db.pragma("integrity_check", { simple: true }), "ok");
    const rows = db
      .prepare(
        `SELECT reference, form = 'demo-upload' AS isUpload, group_concat(digest(bytes)) AS hashes,
                (SELECT count(*) FROM outbox o WHERE o.reference = r.reference) AS emails,
                (SELECT count(*) FROM assessment_submissions WHERE contact_id = r.id) AS uploads
           FROM contact_requests r LEFT JOIN
                (SELECT * FROM uploaded_files JOIN uploaded_file_bytes ON file_id = id ORDER BY id) f
             ON f.contact_request_id = r.id
          GROUP BY r.id`,
      )
      .all() as {
      reference: string;
      isUpload: number;
      hashes: string | null;
      emails: number;
      uploads: number;
    }[];
    for (const { reference, isUpload, hashes: stored, emails, uploads } of rows) {
      assert.deepEqual(stored?.split(",") ?? [], hashes.get(reference), reference);
      assert.deepEqual([emails, uploads], [1, isUpload], reference);
    }
    const found = rows.map(({ reference }) => reference);
    for (const reference of references)
      assert.ok(found.includes(reference), `${reference} is lost`);
    return references.length;
  } finally {
    db.close();
  }
}

/** Whether strace works here. Installs it if it is missing. */
function canTrace(): boolean {
  const works = () => {
    execFileSync("/usr/bin/strace", ["-o", "/dev/null", "true"], { stdio: "ignore" });
    return true;
  };
  try {
    return works();
  } catch {
    try {
      execFileSync("apt-get", ["install", "-y", "-qq", "strace"], { stdio: "ignore" });
      return works();
    } catch {
      return false;
    }
  }
}
