import { writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { ask } from "./support/get.ts";
import { startMailServer } from "./support/mail-server.ts";
import { runCommand, startServer, until } from "./support/server.ts";
import { callUpload, contact, uploadForm } from "./support/upload.ts";

const team = { RUBRICON_MAIL_FROM: "site@team.example", RUBRICON_MAIL_TO: "a@team.example" };

test("thin", async (t) => {
  const mail = await startMailServer(t);
  const env = { RUBRICON_MAIL_URL: mail.url, ...team };
  const server = await startServer(t, { env });
  const answer = await callUpload(server.url, uploadForm());
  const { reference } = (await answer.json()) as { reference: string };
  const file = {
    title: "T",
    questions: [{ questionNumber: "1", description: "d", totalMarks: 50 }],
    submissions: [
      {
        fileName: "learner-01.pdf",
        studentName: "L",
        questionMarks: [{ questionNumber: "1", marksAwarded: 42.5 }],
      },
    ],
  };
  writeFileSync(path.join(server.folder, "r.json"), JSON.stringify(file));
  const run = (args: string[], more = {}) =>
    runCommand(server.folder, ["results", ...args], { ...env, ...more });
  console.log(await run(["import", reference, "r.json"]));
  console.log(await run(["publish", reference]));
  console.log(await run(["publish", reference], { RUBRICON_PUBLIC_URL: server.url }));
  console.log(await run(["publish", reference], { RUBRICON_PUBLIC_URL: server.url }));
  console.log((await runCommand(server.folder, ["requests", "show", reference], env)).out);
  const letter = await until(
    () => mail.letters.find((l) => l.recipients[0] === contact.email),
    70_000,
  );
  console.log(letter.raw);
  const link = /http:\S+/.exec(letter.text!)![0];
  const page = await ask(server.url, new URL(link).pathname + new URL(link).search);
  console.log(page.status, page.headers);
  writeFileSync("/tmp/own.html", page.bytes);
  const dead = await ask(server.url, "/?results=abc");
  console.log(dead.status, dead.headers["referrer-policy"]);
  writeFileSync("/tmp/dead.html", dead.bytes);
  const sample = await ask(server.url, "/?results=sample");
  console.log(sample.status, sample.headers);
  writeFileSync("/tmp/sample.html", sample.bytes);
  const api = await ask(server.url, "/api/results/sample");
  console.log(api.status, api.headers, api.bytes.length);
  const api2 = await ask(server.url, "/api/results/nix");
  console.log(api2.status, api2.headers, String(api2.bytes));
  console.log(server.log());
});
