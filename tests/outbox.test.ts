import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { columns } from "./support/columns.ts";
import { runCommandsHere } from "./support/commands-here.ts";
import { contactTyped, postJson } from "./support/forms.ts";
import { succeeded } from "./support/output-of.ts";
import { uploadPublished } from "./support/results.ts";
import {
  emptyServer,
  runCommand,
  type Server,
  setUpOnce,
  startAnother,
  until,
} from "./support/server.ts";

runCommandsHere();

/** Stores three emails: one pending, one failed, one on hold. Returns a function that runs a command on them. */
async function withEmails(server: Server) {
  for (const endpoint of ["/api/contact", "/api/contact", "/api/contact?test"]) {
    const typed = { ...contactTyped, message: `Message ${Math.random()}` };
    assert.equal((await postJson(server.url, endpoint, typed)).status, 201);
  }
  await server.change(`UPDATE outbox SET status = 'failed', attempts = 40, last_error = '550 no such user',
    first_attempt_at = '2026-01-01T00:00:00.000Z' WHERE id = 2`);
  return (...args: string[]) => runCommand(server.folder, ["outbox", ...args]);
}

const statuses = async (server: Server) => {
  const emails = await server.query<{ status: string }>("SELECT status FROM outbox ORDER BY id");
  return emails.map(({ status }) => status);
};

test("emails are listed with their errors", async () => {
  const server = await emptyServer();
  const run = await withEmails(server);
  const { out } = await run("list");
  assert.match(
    out,
    /^ID {2}ABOUT .*\n3 {3}\S+ {2}\S+ \S+ \S+ {2}on hold {2}0 .*\n2 {3}.* failed {3}40 .* {2}550 no such user\n1 {3}/,
  );
  const emails = JSON.parse((await run("list", "--json")).out);
  assert.deepEqual(columns(emails, "id", "status"), [
    [3, "on hold"],
    [2, "failed"],
    [1, "pending"],
  ]);
});

test("a retry names an email that may be sent, or all", async () => {
  const server = await emptyServer();
  const run = await withEmails(server);
  const rejected = await run("retry", "3");
  assert.equal(rejected.code, 1);
  assert.match(rejected.err, /^rubricon: Email 3 is on hold, has been sent, /);
  for (const args of [[], ["2", "--all"], ["two"]]) {
    assert.equal((await run("retry", ...args)).code, 2, args.join(" "));
  }
  assert.deepEqual(await statuses(server), ["pending", "failed", "on hold"]);
});

test("a failed email is sent after a retry", async (t) => {
  const server = await emptyServer();
  const run = await withEmails(server);
  assert.deepEqual(JSON.parse((await run("retry", "2", "--json")).out), { retried: [2] });
  assert.deepEqual(await statuses(server), ["pending", "pending", "on hold"]);
  const sending = await startAnother(t, server, { RUBRICON_MAIL_URL: "file:mails" });
  await until(async () => (await statuses(sending)).join() === "sent,sent,on hold");
  assert.equal(readdirSync(path.join(sending.folder, "mails")).length, 2);
});

test("sent emails are not retried, and are listed only with --all", async () => {
  const server = await emptyServer();
  const run = await withEmails(server);
  await server.change(
    "UPDATE outbox SET status = 'sent', last_error = NULL WHERE status <> 'on hold'",
  );
  assert.deepEqual(JSON.parse((await run("retry", "--all", "--json")).out), { retried: [] });
  assert.equal((await run("retry", "--all")).err, "No email is due.\n");
  assert.equal(JSON.parse((await run("list", "--json")).out).length, 1);
  assert.equal(JSON.parse((await run("list", "--all", "--json")).out).length, 3);
});

/** The file's server with the email about a request and that about its results, whose link is gone. */
const withoutLink = setUpOnce(async (server) => {
  const reference = await uploadPublished(server);
  await server.change("UPDATE outbox SET status = 'failed', link = NULL WHERE id = 2");
  return {
    server,
    reference,
    run: (...args: string[]) => runCommand(server.folder, ["outbox", ...args]),
  };
});

test("an email whose private link is gone is not sent without it", async () => {
  const { server, run } = await withoutLink();
  const rejected = await run("retry", "2");
  assert.equal(rejected.code, 1);
  assert.match(rejected.err, /no longer has its link \(see results publish\)/);
  const all = await succeeded(run("retry", "--all"));
  assert.match(all.err, /^1 email due now\. .*\nEmail 2 was not retried, .*: results publish /);
  assert.deepEqual(await statuses(server), ["pending", "failed"]);
});

test("retry --all names the command that sends a lost link again, if there is one", async () => {
  const { server, reference, run } = await withoutLink();
  await server.change(`UPDATE outbox SET kind = 'announcement', reference = NULL, status = 'failed',
    link = NULL WHERE id = 1`);
  await server.change("UPDATE outbox SET kind = 'marking' WHERE id = 2");
  const { err } = await run("retry", "--all");
  assert.deepEqual(err.split("\n").slice(1).sort(), [
    "",
    "Email 1 was not retried, because its link was deleted.",
    `Email 2 was not retried, because its link was deleted. To send a new link: marking open ${reference}`,
  ]);
});

test("an email is discarded only after confirmation", async () => {
  const server = await emptyServer();
  const run = await withEmails(server);
  const asked = await run("discard", "1");
  assert.equal(asked.code, 2);
  assert.match(asked.err, /add --yes/);
  const done = await succeeded(run("discard", "1", "3", "--yes", "--json"));
  assert.deepEqual(JSON.parse(done.out), { discarded: [1, 3] });
  assert.deepEqual(await statuses(server), ["failed"]);
  assert.equal((await server.query("SELECT 1 FROM inbox")).length, 3, "requests stay");
});

test("webhooks that are discarded are counted apart from emails", async () => {
  const server = await emptyServer();
  const run = await withEmails(server);
  await server.change("UPDATE outbox SET kind = 'webhook' WHERE id = 2");
  assert.match(
    (await run("discard", "1", "2", "3")).err,
    /^rubricon: 2 emails and 1 webhook will be discarded /,
  );
  assert.equal((await run("discard", "2", "--yes")).err, "1 webhook discarded.\n");
  assert.equal((await run("discard", "1", "--yes")).err, "1 email discarded.\n");
});

test("an email that does not exist is named beside those that are discarded", async () => {
  const run = await withEmails(await emptyServer());
  const missing = "Email 7 is being sent, or does not exist.";
  const some = await run("discard", "7", "2", "--yes", "--json");
  assert.equal(some.code, 1);
  assert.deepEqual(JSON.parse(some.out), { discarded: [2] });
  assert.match(some.err, new RegExp(`^1 email discarded\\.\n.*${missing}$`, "m"));
  const none = await run("discard", "7", "--yes");
  assert.match(none.err, new RegExp(`^rubricon: ${missing}$`, "m"));
  assert.doesNotMatch(none.err, /deleted/);
});
