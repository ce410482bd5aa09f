/** Classes that are rendered in the background, while the servers that do it are killed. */
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import path from "node:path";
import { type TestContext, test } from "node:test";
import { startMailServer } from "../support/mail-server.ts";
import { succeeded } from "../support/output-of.ts";
import { readAnswer } from "../support/paper.ts";
import { classOnPaper } from "../support/paper-class.ts";
import { runResults, team, uploadMarked, uploadSubmissions } from "../support/results.ts";
import { newFolder, runCommand, type Server, startServer, until } from "../support/server.ts";
import { contact } from "../support/upload.ts";

const names = Array.from({ length: 16 }, (_, index) => `learner-${index + 1}.txt`);
/** With the question paper and the memo. */
const files = names.length + 2;

const countRendered = async ([server]: Server[]) =>
  (await server!.query<{ n: number }>("SELECT count(*) AS n FROM rendered_files"))[0]!.n;

/** Publishes a class, and kills its servers by turns while they render it. */
async function killWhileRendering(t: TestContext, count: 1 | 2) {
  const mail = await startMailServer(t);
  const folder = newFolder(t);
  const start = () => startServer(t, { folder, env: { RUBRICON_MAIL_URL: mail.url, ...team } });
  const servers = [await start()];
  if (count === 2) servers.push(await start());
  const reference = await uploadMarked(servers[0]!, names, { renders: true });
  const published = runResults(servers[0]!, ["publish", reference, "--json"]);
  let kills = 0;
  for (let done = 1; done < files - 2; done += 3) {
    await until(async () => (await countRendered(servers)) >= done, 120_000);
    const index = kills % servers.length;
    await servers[index]!.stop("SIGKILL");
    kills += 1;
    servers[index] = await start();
  }
  const { out } = await succeeded(published);
  assert.equal(JSON.parse(out).files.length, files, "each file is reported once");
  t.diagnostic(`${kills} kills`);
  assert.equal(await countRendered(servers), files);
  assert.deepEqual(await servers[0]!.query("SELECT id FROM class_jobs"), []);
  const others = await servers[0]!.query<{ reason: string }>(
    "SELECT reason FROM rendered_files WHERE kind = 'original'",
  );
  assert.deepEqual(
    others.map(({ reason }) => reason.split(".")[0]),
    ["is damaged"],
    "only the question paper, which is no whole PDF, has no pages",
  );
  const isToEducator = ({ recipients }: { recipients: string[] }) =>
    recipients[0] === contact.email;
  const email = await until(() => mail.emails.find(isToEducator), 120_000);
  assert.doesNotMatch(email.text!, /scripts are ready/);
  const sent = await servers[0]!.query("SELECT id FROM outbox WHERE kind = 'results'");
  assert.equal(sent.length, 1, "one email");
}

test("after a kill the next start goes on rendering a class", (t) => killWhileRendering(t, 1));

test("without a server a command renders the class that it opens", async (t) => {
  const folder = newFolder(t);
  const server = await startServer(t, { folder, env: team });
  const reference = await uploadSubmissions(server, names, { renders: true });
  await server.stop();
  const settings = { ...team, RUBRICON_PUBLIC_URL: "https://school.example" };
  const args = ["marking", "open", reference, "--marker", "N. Dlamini", "--json"];
  const { out } = await succeeded(runCommand(folder, args, settings));
  assert.equal(JSON.parse(out).files.length, files);
  assert.equal(await countRendered([server]), files);
});

/** Makes the servers of one folder share a PostgreSQL database until the test ends. */
function usePostgres(t: TestContext) {
  process.env.TEST_ENGINE = "postgres";
  t.after(() => delete process.env.TEST_ENGINE);
}

test("on PostgreSQL another server goes on rendering a class after a kill", (t) => {
  usePostgres(t);
  return killWhileRendering(t, 2);
});

test("an email that has waited for a quarter of an hour, and its page, say how many scripts are ready", async (t) => {
  const mail = await startMailServer(t);
  const server = await startServer(t, { env: { RUBRICON_MAIL_URL: mail.url, ...team } });
  const reference = await uploadMarked(server, names.slice(0, 2), { renders: true });
  const published = runResults(server, ["publish", reference]);
  await until(() =>
    server.query("SELECT 1 FROM outbox WHERE kind = 'results'").then(([row]) => row),
  );
  // Another server has the job, and hangs.
  await server.change(
    "UPDATE class_jobs SET lease = 'another', leased_until = '2099-01-01T00:00:00.000Z'",
  );
  await server.change("DELETE FROM rendered_files");
  // The quarter of an hour is over.
  await server.change("UPDATE outbox SET next_attempt_at = created_at");
  const isToEducator = ({ recipients }: { recipients: string[] }) =>
    recipients[0] === contact.email;
  const email = await until(() => mail.emails.find(isToEducator), 120_000);
  assert.match(email.text!, /^http\S+\n\n0 of 2 scripts are ready\. /m);
  const page = await (await fetch(/^http\S+$/m.exec(email.text!)![0])).text();
  assert.match(page, /0 of 2 scripts are ready/);
  await server.change("UPDATE class_jobs SET leased_until = '2000-01-01T00:00:00.000Z'");
  await succeeded(published);
});

/** Cuts a scan, and kills the servers of its class by turns meanwhile. */
async function killWhileCutting(t: TestContext, count: 1 | 2) {
  const { server, reference, run, scan } = await classOnPaper(await startServer(t));
  const { folder } = server;
  const servers = [server];
  if (count === 2) servers.push(await startServer(t, { folder }));
  const numbers = ["1", "2", "2024/3", "4"];
  const answersOf = (number: string) =>
    Array.from({ length: 6 }, (_, page) => `${number}.${page + 1}`);
  const stack = numbers.flatMap((number) => [`#${number}`, ...answersOf(number)]);
  await scan("scan.pdf", stack);
  const split = run("class", "split", reference, "scan.pdf", "--json");
  const rows = async (sql: string) => (await servers[0]!.query(sql)).length;
  const stagedPages = "SELECT 1 FROM uploaded_files WHERE field = 'scannedPages'";
  for (const [index, sql] of [
    "SELECT 1 FROM class_jobs WHERE lease IS NOT NULL",
    stagedPages,
    `${stagedPages} LIMIT 3 OFFSET 2`,
    "SELECT 1 FROM page_images",
  ].entries()) {
    await until(async () => (await rows(sql)) > 0, 120_000);
    await servers[index % count]!.stop("SIGKILL");
    servers[index % count] = await startServer(t, { folder });
  }
  const { out } = await succeeded(split);
  assert.equal(JSON.parse(out).scripts.length, 4);
  const pictures = await servers[0]!.query<{ name: string; bytes: Buffer }>(
    `SELECT name, page_images.bytes FROM page_images JOIN uploaded_files ON uploaded_files.id = file_id
      WHERE field = 'scannedPages' AND contact_request_id > 0 ORDER BY name, page`,
  );
  const pages: string[] = [];
  for (const { name, bytes } of pictures)
    pages.push(`${name}: ${(await readAnswer(Buffer.from(bytes)))?.name}`);
  assert.deepEqual(
    pages,
    numbers.flatMap((number) =>
      answersOf(number).map((answer) => `${number.replace("/", "_")}.pdf: ${answer}`),
    ),
  );
  assert.equal(await rows("SELECT id FROM scan_parts"), 0);
  return path.join(folder, "data");
}

test("after kills of a server that cuts a scan, each page is stored once and no scan is left over", async (t) => {
  const data = await killWhileCutting(t, 1);
  const left = readdirSync(data).filter((name) => name.startsWith(".scans-"));
  assert.deepEqual(left, []);
});

test("after kills of two servers that cut a scan on PostgreSQL, each page is stored once", async (t) => {
  usePostgres(t);
  await killWhileCutting(t, 2);
});
