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
import { test } from "node:test";
import { startDropFolderJob } from "../app/server/jobs/drop-folder-job.ts";
import { runCommandsHere } from "./support/commands-here.ts";
import {
  contactTyped,
  postJson,
  postMultipart,
  referenceIn,
  rubricForm,
  rubricTyped,
} from "./support/forms.ts";
import { startMailServer } from "./support/mail-server.ts";
import { succeeded } from "./support/output-of.ts";
import { team } from "./support/results.ts";
import { executable, newFolder, query, runCommand, startServer, until } from "./support/server.ts";
import { contact, threeFiles, uploadByApi, uploaded, uploadForm } from "./support/upload.ts";

runCommandsHere();

test("RUBRICON_MAIL_ATTACHMENTS_MB attaches the files of a request up to that size", async (t) => {
  const mail = await startMailServer(t);
  const server = await startServer(t, {
    env: { RUBRICON_MAIL_URL: mail.url, RUBRICON_MAIL_ATTACHMENTS_MB: "1", ...team },
  });
  const files = threeFiles();
  const small = await uploaded(server, files);
  const emailOf = (reference: string) =>
    until(() => mail.emails.find(({ subject }) => subject!.includes(reference)));
  const email = await emailOf(small);
  assert.deepEqual(
    email.attachments.map(({ filename, content }) => [
      filename,
      Buffer.from(content as ArrayBuffer),
    ]),
    files.map(({ name, bytes }) => [name, bytes]),
  );
  assert.match(email.text!, /\nThe files are attached\.\n/);
  assert.doesNotMatch(email.text!, /requests files/);

  const filler = "x".repeat(600_000);
  const larger = rubricForm({ assessmentQuestions: filler, gradingRubric: `${filler}y` });
  const large = await referenceIn(
    await postMultipart(server.url, "/api/rubric-regeneration", larger),
  );
  const other = await emailOf(large);
  assert.equal(other.attachments.length, 0);
  const command = other.text!.match(/^ {2}(rubricon requests files .*)$/m)![1]!;
  const at = {
    cwd: server.folder,
    env: { PATH: `${path.dirname(executable)}:${process.env.PATH}` },
  };
  execFileSync("sh", ["-c", command], at);
  const archive = execFileSync("tar", ["-tf", `${large}.tar`], { ...at, encoding: "utf8" });
  assert.equal(archive.trim().split("\n").length, 2);
  const message = await referenceIn(await postJson(server.url, "/api/contact", contactTyped));
  assert.equal((await emailOf(message)).attachments.length, 0);
});

test("RUBRICON_DROP_DIR has a folder for each request with files that is not in quarantine", async (t) => {
  const drop = newFolder(t);
  writeFileSync(path.join(drop, "README"), "of the team");
  const env = { RUBRICON_DROP_DIR: drop };
  const server = await startServer(t, { env });
  const files = threeFiles();
  const first = await uploaded(server, files);
  await until(() => existsSync(path.join(drop, first)));
  const folder = path.join(drop, first);
  assert.deepEqual(readdirSync(folder), files.map(({ name }) => name).sort());
  for (const { name, bytes } of files) {
    assert.ok(readFileSync(path.join(folder, name)).equals(bytes), name);
    assert.equal(statSync(path.join(folder, name)).mode & 0o777, 0o640);
  }
  assert.equal(statSync(folder).mode & 0o777, 0o750);

  await referenceIn(await postJson(server.url, "/api/contact", contactTyped));
  const spam = uploadForm(files, { ...contact, message: "In quarantine, please", homepage: "x" });
  const quarantined = await referenceIn(await uploadByApi(server.url, spam));
  rmSync(folder, { recursive: true });
  const rubric = rubricForm(undefined, { ...rubricTyped, expectedImprovements: "Clearer rows" });
  const second = await referenceIn(
    await postMultipart(server.url, "/api/rubric-regeneration", rubric),
  );
  await until(() => existsSync(path.join(drop, second)) && existsSync(folder));
  assert.deepEqual(readdirSync(drop), [first, second, "README"].sort());

  cpSync(folder, path.join(drop, `.${first}.unfinished`), { recursive: true });
  await succeeded(runCommand(server.folder, ["requests", "purge", first, "--yes"]));
  await succeeded(runCommand(server.folder, ["requests", "not-spam", quarantined]));
  await server.stop();
  const again = await startServer(t, { folder: server.folder, env });
  await until(() => existsSync(path.join(drop, quarantined)) && !existsSync(folder));
  assert.deepEqual(readdirSync(drop), [quarantined, second, "README"].sort());
  assert.equal(query(again.databaseFile, "SELECT 1 FROM inbox").length, 3);
});

test("folders in RUBRICON_DROP_DIR that the database does not know are only reported", async (t) => {
  const drop = newFolder(t);
  const env = { RUBRICON_DROP_DIR: drop };
  const server = await startServer(t, { env });
  const upload = async (message: string) => {
    const form = uploadForm(threeFiles(), { ...contact, message });
    const reference = await referenceIn(await uploadByApi(server.url, form));
    await until(() => existsSync(path.join(drop, reference)));
    return reference;
  };
  const first = await upload("The first upload");
  const backup = path.join(server.folder, "backup.db");
  await succeeded(runCommand(server.folder, ["backup", backup]));
  const second = await upload("The second upload");
  const ofTheTeam = "ABCD-EFGH-JKMN";
  mkdirSync(path.join(drop, ofTheTeam));
  writeFileSync(path.join(drop, ofTheTeam, "notes.txt"), "half of 7B is marked");
  const all = [first, second, ofTheTeam].sort();
  await server.stop();
  await succeeded(runCommand(server.folder, ["restore", backup, "--yes"]));

  const restored = await startServer(t, { folder: server.folder, env });
  const report = /warn the drop folder has 2 folders whose request this database does not have: /g;
  await until(() => report.test(restored.log()));
  assert.deepEqual(readdirSync(drop).sort(), all);
  assert.equal(readdirSync(path.join(drop, second)).length, 3);
  const third = uploadForm(threeFiles(), { ...contact, message: "The third upload" });
  assert.equal((await uploadByApi(restored.url, third)).status, 201);
  const complete = () => readdirSync(drop).filter((name) => !name.endsWith(".unfinished"));
  await until(() => complete().length === 4);
  assert.equal(restored.log().match(report)!.length, 1);
  await restored.stop();

  const before = readdirSync(drop).sort();
  const trial = await startServer(t, { env });
  await until(() => /the drop folder has 4 folders/.test(trial.log()));
  assert.deepEqual(readdirSync(drop).sort(), before);
});

test("a drop folder that is gone is reported once", async (t) => {
  const drop = path.join(newFolder(t), "drop");
  mkdirSync(drop);
  const server = await startServer(t, { env: { RUBRICON_DROP_DIR: drop } });
  const run = (...args: string[]) => runCommand(server.folder, args, { RUBRICON_DROP_DIR: drop });
  const doctor = async () => (await run("doctor")).out;
  assert.match(await doctor(), /^ok +drop folder +\S+drop$/m);
  rmSync(drop, { recursive: true });
  const one = await uploaded(server);
  await until(() => /the drop folder cannot be updated/.test(server.log()));
  assert.match((await run("requests", "list")).out, new RegExp(one), "a command needs no folder");
  assert.match(await doctor(), /^FAIL +drop folder .*ENOENT\. What to do: create or mount it/m);
  const checked = await run("config", "check");
  assert.match(checked.err, /RUBRICON_DROP_DIR must be an existing folder\.$/m);
  assert.equal(checked.code, 78);
  const two = await uploaded(server);
  mkdirSync(drop);
  chmodSync(drop, 0o2750);
  const three = await uploaded(server);
  await until(() => /the drop folder is up to date again/.test(server.log()));
  // The log may be about the second upload: wait for the folder of the third.
  await until(() => existsSync(path.join(drop, three)));
  assert.deepEqual(readdirSync(drop), [one, two, three].sort());
  assert.equal(server.log().match(/the drop folder cannot be updated/g)!.length, 1);
});

test("a server starts without its drop folder, and fills the folder once it is there", async (t) => {
  const drop = path.join(newFolder(t), "drop");
  const server = await startServer(t, { env: { RUBRICON_DROP_DIR: drop } });
  await until(() => /the drop folder cannot be updated.*ENOENT/.test(server.log()));
  mkdirSync(drop);
  const reference = await uploaded(server);
  await until(() => existsSync(path.join(drop, reference)));
});

test("a drop folder that cannot be updated is not called up to date when the server stops", async (t) => {
  const gate = Promise.withResolvers<void>();
  let updates = 0;
  const store = {
    async listRequestsWithFiles() {
      updates += 1;
      if (updates === 1) throw new Error("the database is locked");
      await gate.promise;
      return ["ABCD-EFGH-JKMN"];
    },
    listFiles: async () => [],
    readFile: async () => undefined,
    findDeleted: async () => [],
    listLearnerErasures: async () => [],
  };
  const logged: string[] = [];
  const record = (message: string) => void logged.push(message);
  const log = { info: record, warn: record, error: record, request() {} };
  const job = startDropFolderJob(newFolder(t), store, log);
  await until(() => logged.length === 1);
  job.wake();
  await until(() => updates === 2);
  const closed = job.close();
  gate.resolve();
  await closed;
  assert.deepEqual(logged, ["the drop folder cannot be updated; retrying"]);
});
