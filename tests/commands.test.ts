import assert from "node:assert/strict";
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { newFolder, runCommand, startServer } from "./support/server.ts";
import { callUpload, contact, sha256, threeFiles, txt, uploadForm } from "./support/upload.ts";

test("a request can be listed, shown and its files taken out, while the server runs", async (t) => {
  const server = await startServer(t);
  const files = [
    ...threeFiles(),
    { field: "submissionFiles" as const, name: "learner-01.pdf", bytes: threeFiles()[0]!.bytes },
    { field: "submissionFiles" as const, name: "CON.txt", bytes: txt("reserved") },
    { field: "submissionFiles" as const, name: ".profile.txt", bytes: txt("hidden") },
    { field: "submissionFiles" as const, name: 'a:b*c?"d"<e>|f.txt', bytes: txt("odd") },
  ];
  const answer = await callUpload(server.url, uploadForm(files));
  const { reference } = (await answer.json()) as { reference: string };

  const list = await runCommand(server.folder, ["requests", "list"]);
  assert.equal(list.code, 0);
  assert.match(
    list.out,
    new RegExp(`^${reference}  \\S+Z  demo-upload  7 files  ${contact.name}  `),
  );

  const typed = reference.toLowerCase().replaceAll("-", "");
  const show = await runCommand(server.folder, ["requests", "show", typed]);
  assert.equal(show.code, 0);
  for (const text of [...Object.values(contact), "submitted", sha256(files[0]!.bytes), "waiting"]) {
    assert.ok(show.out.includes(text), text);
  }

  const out = path.join(server.folder, "out");
  mkdirSync(out);
  writeFileSync(path.join(out, "rubric.txt"), "mine");
  const take = await runCommand(server.folder, ["requests", "files", reference, "--out", "out"]);
  assert.equal(take.code, 0, take.err);
  assert.equal(readFileSync(path.join(out, "rubric.txt"), "utf8"), "mine");
  const written: [string, Buffer][] = [
    ["questions.pdf", files[0]!.bytes],
    ["rubric (2).txt", files[1]!.bytes],
    ["learner-01.pdf", files[2]!.bytes],
    ["learner-01 (2).pdf", files[3]!.bytes],
    ["_CON.txt", files[4]!.bytes],
    ["_profile.txt", files[5]!.bytes],
    ["a_b_c__d__e__f.txt", files[6]!.bytes],
  ];
  assert.deepEqual(
    readdirSync(out).sort(),
    [...written.map(([name]) => name), "rubric.txt"].sort(),
  );
  for (const [name, bytes] of written) {
    assert.ok(readFileSync(path.join(out, name)).equals(bytes), name);
  }
  assert.deepEqual(
    take.out.trim().split("\n"),
    written.map(([name]) => path.join("out", name)),
  );
});

test("an unknown reference is an error in one line", async (t) => {
  const server = await startServer(t);
  const missing = await runCommand(server.folder, ["requests", "show", "2222-2222-2222"]);
  assert.equal(missing.code, 1);
  assert.equal(missing.err, "rubricon: There is no request 2222-2222-2222.\n");
  const misspelt = await runCommand(server.folder, ["requests", "show", "0OI1"]);
  assert.equal(misspelt.code, 1);
  assert.match(misspelt.err, /is not a reference/);
});

test("an unknown command or flag ends with 2 and names the nearest", async (t) => {
  const folder = newFolder(t);
  for (const [args, nearest] of [
    [["reqests"], "requests"],
    [["requests", "lst"], "list"],
    [["requests", "list", "--hepl"], "--help"],
    [["serv"], "serve"],
    [["serve", "--prot", "80"], "--port"],
    [["--verison"], "--version"],
    [["help"], "--help"],
    [["requests", "help"], "--help"],
    [["requests", "files", "X", "--out", "d", "--uot"], "--out"],
  ] as const) {
    const { code, err } = await runCommand(folder, [...args]);
    assert.equal(code, 2, args.join(" "));
    assert.match(err, new RegExp(`^rubricon: [^\\n]+ Did you mean ${nearest}\\?[^\\n]*\\n$`));
  }
});

test("a word too many is told as that", async (t) => {
  const { code, err } = await runCommand(newFolder(t), ["requests", "list", "all"]);
  assert.equal(code, 2);
  assert.match(err, /^rubricon: Too many arguments/);
});

test("what a visitor typed cannot work the administrator's terminal", async (t) => {
  const server = await startServer(t);
  const message = "red: \u001b[31m and a bell \u0007, in ten characters";
  const answer = await callUpload(server.url, uploadForm(undefined, { ...contact, message }));
  const { reference } = (await answer.json()) as { reference: string };
  const { out } = await runCommand(server.folder, ["requests", "show", reference]);
  assert.match(out, /red: �\[31m and a bell �,/);
});

test("an unknown or wrong setting ends with 78, all faults named; an empty one is unset", async (t) => {
  const folder = newFolder(t);
  const wrong = await runCommand(folder, [], {
    RUBRICON_MAILURL: "x",
    RUBRICON_PORT: "70000",
    RUBRICON_MAIL_FROM: "nobody",
  });
  assert.equal(wrong.code, 78);
  assert.match(wrong.err, /RUBRICON_MAILURL is not a setting\. Did you mean RUBRICON_MAIL_URL\?/);
  assert.match(wrong.err, /RUBRICON_PORT must be a whole number from 0 to 65535/);
  assert.match(wrong.err, /RUBRICON_MAIL_FROM must be an e-mail address/);
  const lacking = await runCommand(folder, [], { RUBRICON_MAIL_URL: "smtp://127.0.0.1:9" });
  assert.equal(lacking.code, 78);
  assert.match(lacking.err, /RUBRICON_MAIL_TO is needed with RUBRICON_MAIL_URL/);
  await startServer(t, { folder, env: { RUBRICON_MAIL_URL: "", RUBRICON_HOST: "", HOST: "" } });
});

test("--help and --version answer at once", async (t) => {
  const folder = newFolder(t);
  const version = await runCommand(folder, ["--version"]);
  const { version: packaged } = JSON.parse(
    readFileSync(path.join(import.meta.dirname, "../package.json"), "utf8"),
  );
  assert.equal(version.out, `rubricon ${packaged}\n`);
  const help = await runCommand(folder, ["--help"]);
  assert.equal(help.code, 0);
  for (const text of ["serve", "requests", "RUBRICON_DATA_DIR"]) assert.ok(help.out.includes(text));
  assert.deepEqual(readdirSync(folder), [], "neither makes a data folder");
});

test("it runs with a read-only home, and keeps its data where it is told", async (t) => {
  const folder = newFolder(t);
  const home = path.join(folder, "home");
  mkdirSync(home);
  chmodSync(home, 0o500);
  const data = path.join(folder, "elsewhere");
  const server = await startServer(t, {
    folder,
    env: { HOME: home, RUBRICON_DATA_DIR: data },
  });
  assert.equal((await callUpload(server.url, uploadForm())).status, 201);
  assert.ok(readdirSync(data).includes("rubricon.db"));
  assert.deepEqual(readdirSync(home), []);
});

test("a port that is taken ends with 75", async (t) => {
  const server = await startServer(t);
  const { code, err } = await runCommand(newFolder(t), [], { PORT: new URL(server.url).port });
  assert.equal(code, 75);
  assert.match(err, /Port \d+ on 127\.0\.0\.1 is taken/);
});
