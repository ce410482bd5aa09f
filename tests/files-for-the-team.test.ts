import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { type TestContext, test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { startDropFolderJob } from "../app/server/jobs/drop-folder-job.ts";
import { describeCause, type Log } from "../app/server/log.ts";
import { once } from "../app/server/system/once.ts";
import type { Store } from "../db/store.ts";
import { wholeFile } from "./support/at-end.ts";
import { runCommandsHere } from "./support/commands-here.ts";
import { contactTyped, postJson, postMultipart, referenceIn, rubricForm } from "./support/forms.ts";
import { startMailServer } from "./support/mail-server.ts";
import { succeeded } from "./support/output-of.ts";
import { team } from "./support/results.ts";
import {
  executable,
  newFolder,
  runCommand,
  type Server,
  startServer,
  until,
} from "./support/server.ts";
import { contact, threeFiles, uploadByApi, uploaded, uploadForm } from "./support/upload.ts";

runCommandsHere();

/** A server that attaches files up to 1 MB, and a function that waits for the email about a request. */
const attachingServer = once(async () => {
  const mail = await startMailServer(wholeFile);
  const env = { RUBRICON_MAIL_URL: mail.url, RUBRICON_MAIL_ATTACHMENTS_MB: "1", ...team };
  const server = await startServer(wholeFile, { env });
  const emailOf = (reference: string) =>
    until(() => mail.emails.find(({ subject }) => subject!.includes(reference)));
  return { server, emailOf };
});

test("RUBRICON_MAIL_ATTACHMENTS_MB attaches the files of a request up to that size", async () => {
  const { server, emailOf } = await attachingServer();
  const files = threeFiles();
  const email = await emailOf(await uploaded(server, files));
  assert.deepEqual(
    email.attachments.map(({ filename, content }) => [
      filename,
      Buffer.from(content as ArrayBuffer),
    ]),
    files.map(({ name, bytes }) => [name, bytes]),
  );
  assert.match(email.text!, /\nThe files are attached\.\n/);
  assert.doesNotMatch(email.text!, /requests files/);
});

test("the email about larger files has the command that writes them", async () => {
  const { server, emailOf } = await attachingServer();
  const filler = "x".repeat(600_000);
  const larger = rubricForm({ assessmentQuestions: filler, gradingRubric: `${filler}y` });
  const endpoint = "/api/rubric-regeneration";
  const reference = await referenceIn(await postMultipart(server.url, endpoint, larger));
  const email = await emailOf(reference);
  assert.equal(email.attachments.length, 0);
  const command = email.text!.match(/^ {2}(rubricon requests files .*)$/m)![1]!;
  const options = {
    cwd: server.folder,
    env: { PATH: `${path.dirname(executable)}:${process.env.PATH}` },
  };
  execFileSync("sh", ["-c", command], options);
  const archive = execFileSync("tar", ["-tf", `${reference}.tar`], {
    ...options,
    encoding: "utf8",
  });
  const names = archive
    .trim()
    .split("\n")
    .map((name) => path.basename(name));
  assert.deepEqual(names, ["assessmentQuestions.txt", "gradingRubric.txt"]);
});

test("the email about a request without files has no attachment", async () => {
  const { server, emailOf } = await attachingServer();
  const reference = await referenceIn(await postJson(server.url, "/api/contact", contactTyped));
  assert.equal((await emailOf(reference)).attachments.length, 0);
});

/** A server with a drop folder, in which the team has a file of its own. */
async function startWithDrop(t: TestContext) {
  const drop = newFolder(t);
  writeFileSync(path.join(drop, "README"), "of the team");
  const env = { RUBRICON_DROP_DIR: drop };
  const server = await startServer(t, { env });
  const isThere = (reference: string) => existsSync(path.join(drop, reference));
  const send = async (message: string, more = {}) => {
    const form = uploadForm(threeFiles(), { ...contact, message, ...more });
    return await referenceIn(await uploadByApi(server.url, form));
  };
  return { drop, env, server, isThere, send };
}

/** Posts two uploads: the folder of the second is there after the update for the first has ended. Returns their references. */
async function uploadUntilUpdated(server: Server, isThere: (reference: string) => boolean) {
  const references: string[] = [];
  for (const _ of ["first", "second"]) {
    const reference = await uploaded(server);
    await until(() => isThere(reference));
    references.push(reference);
  }
  return references;
}

test("RUBRICON_DROP_DIR has a folder for each request with files, for the server's group", async (t) => {
  const { drop, server, isThere } = await startWithDrop(t);
  const files = threeFiles();
  const reference = await uploaded(server, files);
  await until(() => isThere(reference));
  const folder = path.join(drop, reference);
  assert.deepEqual(readdirSync(folder), files.map(({ name }) => name).sort());
  for (const { name, bytes } of files) {
    assert.ok(readFileSync(path.join(folder, name)).equals(bytes), name);
    assert.equal(statSync(path.join(folder, name)).mode & 0o777, 0o640, name);
  }
  assert.equal(statSync(folder).mode & 0o777, 0o750);
});

test("RUBRICON_DROP_DIR has no folder for a request without files or in quarantine", async (t) => {
  const { drop, server, isThere, send } = await startWithDrop(t);
  await referenceIn(await postJson(server.url, "/api/contact", contactTyped));
  await send("In quarantine, please", { homepage: "x" });
  const later = await uploadUntilUpdated(server, isThere);
  assert.deepEqual(readdirSync(drop), [...later, "README"].sort());
});

test("a folder that is deleted from RUBRICON_DROP_DIR is there again after the next request", async (t) => {
  const { drop, isThere, send } = await startWithDrop(t);
  const first = await send("The first upload");
  await until(() => isThere(first));
  rmSync(path.join(drop, first), { recursive: true });
  await send("The second upload");
  await until(() => isThere(first));
});

test("at a start RUBRICON_DROP_DIR follows what commands have done to requests", async (t) => {
  const { drop, env, server, isThere, send } = await startWithDrop(t);
  const purged = await send("The first upload");
  const quarantined = await send("In quarantine, please", { homepage: "x" });
  await until(() => isThere(purged));
  const unfinished = path.join(drop, `.${purged}.unfinished`);
  cpSync(path.join(drop, purged), unfinished, { recursive: true });
  await succeeded(runCommand(server.folder, ["requests", "purge", purged, "--yes"]));
  await succeeded(runCommand(server.folder, ["requests", "not-spam", quarantined]));
  await server.stop();
  await startServer(t, { folder: server.folder, env });
  await until(() => isThere(quarantined) && !isThere(purged) && !existsSync(unfinished));
  assert.deepEqual(readdirSync(drop), [quarantined, "README"].sort());
});

test("folders in RUBRICON_DROP_DIR that a restored database does not know are only reported, once", async (t) => {
  const { drop, env, server, isThere, send } = await startWithDrop(t);
  await succeeded(runCommand(server.folder, ["backup", "backup.db"]));
  const lost = await send("An upload after the backup");
  await until(() => isThere(lost));
  const ofTheTeam = "ABCD-EFGH-JKMN";
  mkdirSync(path.join(drop, ofTheTeam));
  writeFileSync(path.join(drop, ofTheTeam, "notes.txt"), "half of 7B is marked");
  await server.stop();
  await succeeded(runCommand(server.folder, ["restore", "backup.db", "--yes"]));

  const restored = await startServer(t, { folder: server.folder, env });
  const report = /warn the drop folder has 2 folders whose request this database does not have: /g;
  await until(() => report.test(restored.log()));
  assert.deepEqual(readdirSync(drop).sort(), [lost, ofTheTeam, "README"].sort());
  assert.equal(readdirSync(path.join(drop, lost)).length, 3);
  await uploadUntilUpdated(restored, isThere);
  assert.equal(restored.log().match(report)!.length, 1);
});

/** A server whose drop folder is deleted, with a function that runs a command with its settings. */
async function startWithoutDrop(t: TestContext) {
  const drop = path.join(newFolder(t), "drop");
  mkdirSync(drop);
  const env = { RUBRICON_DROP_DIR: drop };
  const server = await startServer(t, { env });
  const run = (...args: string[]) => runCommand(server.folder, args, env);
  assert.match((await run("doctor")).out, /^ok +drop folder +\S+drop$/m);
  rmSync(drop, { recursive: true });
  return { server, drop, run };
}

test("doctor and config check name a drop folder that is gone, which other commands do not need", async (t) => {
  const { server, run } = await startWithoutDrop(t);
  const reference = await uploaded(server);
  assert.match((await run("requests", "list")).out, new RegExp(reference));
  const { out } = await run("doctor");
  assert.match(out, /^FAIL +drop folder .*ENOENT\. What to do: create or mount it/m);
  const checked = await run("config", "check");
  assert.match(checked.err, /RUBRICON_DROP_DIR must be an existing folder\.$/m);
  assert.equal(checked.code, 78);
});

test("a drop folder that is gone is filled once it is back", async (t) => {
  const { server, drop } = await startWithoutDrop(t);
  const references = [await uploaded(server)];
  await until(() => /the drop folder cannot be updated/.test(server.log()));
  references.push(await uploaded(server));
  mkdirSync(drop);
  chmodSync(drop, 0o2750);
  references.push(await uploaded(server));
  await until(() => /the drop folder is up to date again/.test(server.log()));
  // The log may be about the second upload: wait for the folder of the third.
  await until(() => existsSync(path.join(drop, references[2]!)));
  assert.deepEqual(readdirSync(drop), references.sort());
});

test("a server starts without its drop folder, and fills the folder once it is there", async (t) => {
  const drop = path.join(newFolder(t), "drop");
  const server = await startServer(t, { env: { RUBRICON_DROP_DIR: drop } });
  await until(() => /the drop folder cannot be updated.*ENOENT/.test(server.log()));
  mkdirSync(drop);
  const reference = await uploaded(server);
  await until(() => existsSync(path.join(drop, reference)));
});

test("a folder of the drop folder is made again when scans of its class are cut", async (t) => {
  const drop = newFolder(t);
  const reference = "ABCD-EFGH-JKMN";
  const [names, changes]: [string[], object[]] = [["list.pdf"], []];
  const store = {
    takeLease: async () => true,
    listRequestsWithFiles: async () => [reference],
    listFiles: async () => names.map((name, id) => ({ id, name })),
    readFile: async () => Buffer.from("work"),
    listFileChanges: async () => changes,
  } as unknown as Store;
  const job = startDropFolderJob(drop, store, {} as Log);
  const isThere = (name: string) => existsSync(path.join(drop, reference, name));
  await until(() => isThere("list.pdf"));
  names.push("1.pdf");
  changes.push({ id: 1, createdAt: "2026-11-29T12:00:00.000Z", reference });
  job.wake();
  await until(() => isThere("1.pdf"));
  assert.ok(isThere("list.pdf"));
  await job.close();
});

test("a reason why a drop folder cannot be updated is logged once", async (t) => {
  let updates = 0;
  const listRequestsWithFiles = async () => {
    updates += 1;
    throw new Error("the database is locked");
  };
  const logged: string[] = [];
  const log = { error: (message: string) => void logged.push(message) } as unknown as Log;
  const store = { takeLease: async () => true, listRequestsWithFiles } as unknown as Store;
  const job = startDropFolderJob(newFolder(t), store, log);
  for (const count of [1, 2, 3]) {
    await until(() => updates === count);
    job.wake();
  }
  await job.close();
  assert.deepEqual(logged, ["the drop folder cannot be updated; retrying"]);
});

test("a file that cannot be written into the drop folder is not named in the log", async (t) => {
  const drop = newFolder(t);
  const reference = "ABCD-EFGH-JKMN";
  const store = {
    takeLease: async () => true,
    listRequestsWithFiles: async () => [reference],
    listFiles: async () => [{ id: 1, name: "Adams, Aisha.pdf" }],
    listFileChanges: async () => [],
    readFile: async () => {
      rmSync(path.join(drop, `.${reference}.unfinished`), { recursive: true });
      return Buffer.from("work");
    },
  } as unknown as Store;
  const logged: string[] = [];
  const log = { error: (_: string, cause: unknown) => void logged.push(describeCause(cause)) };
  const job = startDropFolderJob(drop, store, log as unknown as Log);
  await until(() => logged.length > 0);
  await job.close();
  assert.deepEqual(logged, ["ENOENT"]);
});

test("of servers that share a drop folder, one at a time writes into it", async (t) => {
  const asked: string[] = [];
  let updates = 0;
  const written = Promise.withResolvers<string[]>();
  const store = {
    async takeLease(_: string, holder: string) {
      asked.push(holder);
      return holder === asked[0];
    },
    async listRequestsWithFiles() {
      updates += 1;
      return await written.promise;
    },
    listFileChanges: async () => [],
  } as unknown as Store;
  const folder = newFolder(t);
  const jobs = [1, 2].map(() => startDropFolderJob(folder, store, {} as Log));
  await until(() => new Set(asked).size === 2);
  await setTimeout(20);
  assert.equal(updates, 1);
  written.resolve([]);
  for (const job of jobs) await job.close();
});
