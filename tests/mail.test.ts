import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import Sqlite from "better-sqlite3";
import PostalMime from "postal-mime";
import { startMailServer } from "./support/mail-server.ts";
import { newFolder, query, startServer, until } from "./support/server.ts";
import { contact, uploadByApi, uploadForm } from "./support/upload.ts";

const team = {
  RUBRICON_MAIL_FROM: "site@team.example",
  RUBRICON_MAIL_TO: "a@team.example, b@team.example",
};

const upload = async (url: string, typed = contact) => {
  const response = await uploadByApi(url, uploadForm(undefined, typed));
  assert.equal(response.status, 201, await response.clone().text());
  return ((await response.json()) as { reference: string }).reference;
};

const outbox = (databaseFile: string) => query(databaseFile, "SELECT * FROM outbox");

test("the team gets one email without attachments, and a reply reaches the visitor", async (t) => {
  const mail = await startMailServer(t);
  const server = await startServer(t, { env: { RUBRICON_MAIL_URL: mail.url, ...team } });
  const reference = await upload(server.url);
  const email = await until(() => mail.emails[0]);
  assert.deepEqual(email.recipients, ["a@team.example", "b@team.example"]);
  assert.equal(email.from?.address, "site@team.example");
  assert.deepEqual(
    email.replyTo?.map((mailbox) => mailbox.address),
    [contact.email],
  );
  assert.equal(email.subject, `Rubricon demo upload ${reference}: 1 submission`);
  assert.equal(email.attachments.length, 0);
  for (const text of [reference, ...Object.values(contact), "questions.pdf", "learner-01.pdf"]) {
    assert.ok(email.text!.includes(text), text);
  }
  await until(() => outbox(server.databaseFile)[0]!.status === "sent");
  assert.equal(mail.emails.length, 1);
});

test("nothing that a visitor types reaches another header", async (t) => {
  const mail = await startMailServer(t);
  const server = await startServer(t, { env: { RUBRICON_MAIL_URL: mail.url, ...team } });
  for (const email of [
    "a@b.example\r\nBcc: c@d.example",
    "a@b.example, c@d.example",
    "<a@b.example>",
  ]) {
    const response = await uploadByApi(server.url, uploadForm(undefined, { ...contact, email }));
    assert.equal(response.status, 422, email);
  }
  await upload(server.url, {
    ...contact,
    message: "Bcc: c@d.example\r\n\r\n.\r\nRCPT TO:<c@d.example> and so on",
  });
  const email = await until(() => mail.emails[0]);
  assert.deepEqual(email.recipients, ["a@team.example", "b@team.example"]);
  assert.equal(email.bcc, undefined);
  assert.match(email.text!, /\nBcc: c@d\.example\n\n\.\nRCPT TO/);
});

test("a mail server with an untrusted certificate, or without required TLS, gets no email and no password", async (t) => {
  const selfSigned = await startMailServer(t, { secure: true });
  const plain = await startMailServer(t);
  for (const url of [
    `smtps://site:secret-4711@127.0.0.1:${selfSigned.port}`,
    `smtp://site:secret-4711@127.0.0.1:${plain.port}?requireTLS=true`,
    // 0.0.0.0 reaches this machine too, but does not count as local.
    `smtp://site:secret-4711@0.0.0.0:${plain.port}`,
  ]) {
    const server = await startServer(t, { env: { ...team, RUBRICON_MAIL_URL: url } });
    await upload(server.url);
    await until(() => outbox(server.databaseFile)[0]!.attempts === 1);
    await until(() => / warn email \S+ could not be sent; .*: E[A-Z]+/.test(server.log()));
    assert.equal(outbox(server.databaseFile)[0]!.status, "pending");
    assert.doesNotMatch(server.log(), /secret/);
  }
  assert.deepEqual([...selfSigned.signIns, ...plain.signIns], []);
  assert.deepEqual([...selfSigned.emails, ...plain.emails], []);
  const willing = `smtp://site:secret-4711@0.0.0.0:${plain.port}?requireTLS=false`;
  const server = await startServer(t, { env: { ...team, RUBRICON_MAIL_URL: willing } });
  await upload(server.url);
  await until(() => plain.emails.length === 1);
  assert.deepEqual(plain.signIns, ["site"]);
});

test("an email waits for an unreachable mail server, across a restart, and is then sent once", async (t) => {
  const folder = newFolder(t);
  let rejections = 0;
  const mail = await startMailServer(t, { reject: () => rejections++ === 0 });
  const env = (url: string) => ({ ...team, RUBRICON_MAIL_URL: url });

  const server = await startServer(t, { folder, env: env("smtp://127.0.0.1:9") });
  await upload(server.url);
  await until(() => outbox(server.databaseFile)[0]!.attempts === 1);
  const warning =
    /warn email \S+ could not be sent; next attempt in 5 seconds: (ECONNECTION|ESOCKET)/;
  await until(() => warning.test(server.log()));
  assert.equal(await server.stop(), 0);

  const again = await startServer(t, { folder, env: env(mail.url) });
  await until(() => outbox(again.databaseFile)[0]!.status === "sent", 40_000);
  assert.equal(mail.emails.length, 1);
  assert.equal(rejections, 2, "the email was retried after the server rejected it");
  const [row] = outbox(again.databaseFile);
  assert.equal(row!.attempts, 3);
  assert.ok(mail.emails[0]!.messageId!.includes(row!.message_id as string));
});

test("an email that cannot be sent for 48 hours fails with a log line, and the request stays", async (t) => {
  const folder = newFolder(t);
  const change = (sql: string, ...values: string[]) => {
    const db = new Sqlite(path.join(folder, "data/rubricon.db"));
    db.prepare(sql).run(...values);
    db.close();
  };
  const hoursAgo = (hours: number) => new Date(Date.now() - hours * 60 * 60 * 1000).toISOString();
  const first = await startServer(t, { folder });
  const reference = await upload(first.url);
  await first.stop();
  change("UPDATE outbox SET created_at = ?", hoursAgo(300));

  const env = { ...team, RUBRICON_MAIL_URL: "smtp://127.0.0.1:9" };
  const second = await startServer(t, { folder, env });
  await until(() => outbox(second.databaseFile)[0]!.attempts === 1);
  assert.equal(
    outbox(second.databaseFile)[0]!.status,
    "pending",
    "time before the first attempt does not count",
  );
  await second.stop();
  const waiting = "UPDATE outbox SET first_attempt_at = ?, next_attempt_at = ?";
  change(waiting, hoursAgo(96_000), hoursAgo(1));
  const third = await startServer(t, { folder, env });
  await until(() => outbox(third.databaseFile)[0]!.attempts === 2);
  assert.equal(outbox(third.databaseFile)[0]!.status, "pending", "the clock was wrong");
  await third.stop();
  change(`${waiting}, attempts = 55`, hoursAgo(49), hoursAgo(1));

  const server = await startServer(t, { folder, env });
  await until(() => outbox(server.databaseFile)[0]!.status === "failed");
  assert.match(
    server.log(),
    new RegExp(`error email ${reference} failed after 56 attempts in 49 hours`),
  );
  assert.equal(query(server.databaseFile, "SELECT * FROM contact_requests").length, 1);
});

test("without internet, emails are written to a folder", async (t) => {
  const server = await startServer(t, { env: { RUBRICON_MAIL_URL: "file:emails" } });
  const reference = await upload(server.url);
  await until(() => outbox(server.databaseFile)[0]!.status === "sent");
  const folder = path.join(server.folder, "emails");
  const files = readdirSync(folder);
  assert.equal(files.length, 1);
  assert.match(files[0]!, /\.eml$/);
  const email = await PostalMime.parse(readFileSync(path.join(folder, files[0]!)));
  assert.ok(email.subject!.includes(reference));
});

test("without a mail server requests are stored, emails wait, and one warning is logged", async (t) => {
  const folder = newFolder(t);
  const server = await startServer(t, { folder });
  await upload(server.url);
  await upload(server.url);
  assert.equal(server.log().match(/no mail server is set/g)?.length, 1);
  assert.deepEqual(
    outbox(server.databaseFile).map(({ status, attempts }) => [status, attempts]),
    [
      ["pending", 0],
      ["pending", 0],
    ],
  );
  await server.stop();
  const mail = await startMailServer(t);
  const env = { RUBRICON_MAIL_URL: mail.url, ...team };
  await startServer(t, { folder, env });
  await until(() => mail.emails.length === 2);
});
