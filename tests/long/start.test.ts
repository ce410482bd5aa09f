/**
 * Goes from the package to published marks by docs/start.md alone, on a bare Debian without internet: runs every command
 * as written. The test adds what people do besides: it uploads a class, marks on the desk and opens the marks.
 */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { makeDeb } from "../../scripts/deb.ts";
import { writeReleaseFolder } from "../../scripts/release-folder.ts";
import { bootDebian, debianSkipReason } from "../support/debian.ts";
import { documentText, readRunbook } from "../support/runbook.ts";
import { executable, newFolder, until } from "../support/server.ts";
import { installCertificate, startMailServer } from "./runbook-machine.ts";

const site = "https://marking.school.example";

test("Start, from the package to published marks", { skip: debianSkipReason() }, async (t) => {
  const debian = await bootDebian(t);
  const folder = path.join(debian.root, "root/release");
  mkdirSync(folder);
  const release = path.join(newFolder(t), "release");
  writeReleaseFolder(release, executable);
  makeDeb(release, process.arch, folder);
  const run = async (script: string) => {
    const { code, out, err } = await debian.run(`cd /root/release\n${script}`);
    assert.equal(code, 0, `${script}\nprinted:\n${out}\n${err}`);
    return `${out}${err}`;
  };
  await installCertificate(run);
  const emails = await startMailServer(t, debian);
  const blocks = readRunbook("start.md");
  /** Runs the next block of commands; returns what it printed. */
  const next = (heading: RegExp) => {
    const block = blocks.shift();
    assert.match(block?.heading ?? "the end", heading);
    return run(block!.script);
  };

  await next(/Install/);
  await next(/Set name/);
  assert.match(await next(/Start/), /The email to marking@school\.example was accepted/);
  await next(/Make it public/);
  const [ownCertificate] = readRunbook().filter(({ tag }) => tag === "caddy");
  await run(ownCertificate!.script);
  const checked = await next(/Make it public/);
  assert.match(checked, /^\{"ready":\s*true/);
  assert.doesNotMatch(checked, /FAIL|^warn {2}(?!brand|content)/m);
  assert.match(await next(/Back up/), /intact|sound/);
  assert.match(await run(`curl -s ${site}/`), /Marking at Example High/);

  for (const name of ["questions", "memo", "Anele", "Bongani", "Carla"]) {
    writeFileSync(path.join(folder, `${name}.txt`), `What ${name} wrote.\n`);
  }
  const fields = [
    "name=Thandi Example",
    "email=thandi@school.example",
    "phone=+27 31 555 0100",
    "message=Please mark these three.",
    "requestType=demo",
    "questionsFile=@questions.txt",
    "rubricFile=@memo.txt",
    ...["Anele", "Bongani", "Carla"].map((name) => `submissionFiles=@${name}.txt`),
  ];
  const upload = fields.map((field) => `-F '${field}'`).join(" ");
  const stored = await run(`curl -sS --fail ${upload} ${site}/api/demo-request-with-files`);
  const { reference } = JSON.parse(stored);
  const { team } = await until(() => emails.find(({ subject }) => subject.includes(reference)));
  assert.ok(team, "the email brings the link to the page of the class");

  const questions = documentText("start.md")
    .split("\n")
    .filter((line) => / \| \d+ \| /.test(line))
    .map((line) => line.trim());
  assert.equal(questions.length, 2);
  const [program, ...args] = debian.networkNamespacePrefix;
  const marker = path.join(import.meta.dirname, "start-marker.ts");
  const marked = execFileSync(
    program!,
    [...args, process.execPath, marker, team, questions.join("\n"), "marking.school.example"],
    { encoding: "utf8" },
  );
  assert.equal(marked, "6\n");
  await until(() => emails.some(({ to }) => to.join() === "thandi@school.example"), 180_000);
  assert.deepEqual(blocks, [], "every command was run");
});
