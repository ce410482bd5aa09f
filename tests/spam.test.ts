import assert from "node:assert/strict";
import { test } from "node:test";
import { once } from "../app/server/system/once.ts";
import { wholeFile } from "./support/at-end.ts";
import { column } from "./support/columns.ts";
import { draftToken, formWithDraft } from "./support/drafts.ts";
import {
  contactTyped,
  postForm,
  postJson,
  postMultipart,
  rubricForm,
  rubricTyped,
} from "./support/forms.ts";
import { startMailServer } from "./support/mail-server.ts";
import { succeeded } from "./support/output-of.ts";
import { runCommand, startServer, until } from "./support/server.ts";

/** The reference of the receipt that a page leads to. */
function receivedBy({ status, headers, url }: Response): string {
  assert.equal(status, 303);
  return new URL(headers.get("Location")!, url).searchParams.get("received")!;
}

const sharedMailing = once(async () => {
  const mail = await startMailServer(wholeFile);
  const env = {
    RUBRICON_MAIL_URL: mail.url,
    RUBRICON_MAIL_TO: "team@team.example",
    RUBRICON_SPAM_SECONDS: "3",
  };
  const server = await startServer(wholeFile, { env });
  /** Posts the contact form; returns the reference of its receipt. */
  const post = async (more: Record<string, string>) =>
    receivedBy(await postForm(server.url, "/contact", { ...contactTyped, ...more }));
  const spamOf = async (reference: string) => {
    const [row] = await server.query<{ spam: string | null }>(
      `SELECT spam FROM inbox WHERE reference = '${reference}'`,
    );
    return row!.spam;
  };
  const emailsAbout = (reference: string) =>
    mail.emails.filter(({ text }) => text!.includes(reference));
  return { server, post, spamOf, emailsAbout };
});

test("a post that fills in the honeypot gets a normal response and is in quarantine without an email", async () => {
  const { post, spamOf, emailsAbout } = await sharedMailing();
  const trapped = await post({ phone: "1", homepage: "http://spam.example" });
  assert.equal(await spamOf(trapped), "the hidden field was filled in");
  const next = await post({ phone: "2" });
  await until(() => emailsAbout(next).length === 1);
  assert.equal(emailsAbout(trapped).length, 0);
});

test("a quick post that fills in the honeypot is spam and not sent back", async () => {
  const { post, spamOf } = await sharedMailing();
  const trapped = await post({ phone: "3", homepage: "x", elapsed: "2999" });
  assert.equal(await spamOf(trapped), "the hidden field was filled in");
});

test("a post as slow as people type, or without a time, is no spam", async () => {
  const { post, spamOf } = await sharedMailing();
  assert.equal(await spamOf(await post({ phone: "4", elapsed: "3000" })), null);
  assert.equal(await spamOf(await post({ phone: "5" })), null);
});

test("a request in quarantine is listed only with --spam", async () => {
  const { server, post } = await sharedMailing();
  const trapped = await post({ phone: "6", homepage: "x" });
  const list = async (...args: string[]) =>
    (await runCommand(server.folder, ["requests", "list", ...args])).out;
  assert.ok(!(await list()).includes(trapped));
  assert.ok((await list("--spam")).includes(trapped));
});

test("a request is released from quarantine once, and then sent", async () => {
  const { server, post, emailsAbout } = await sharedMailing();
  const trapped = await post({ phone: "7", homepage: "x" });
  const release = () => runCommand(server.folder, ["requests", "not-spam", trapped]);
  const released = await succeeded(release());
  assert.match(released.err, /once a mail server is set/, "the command was given none");
  assert.equal((await release()).code, 1);
  // The outbox worker looks for released emails every minute; a new email wakes it.
  await post({ phone: "8" });
  await until(() => emailsAbout(trapped).length === 1);
});

const asks =
  /The form came faster than people type: nothing is lost, so please press Send once more/;
const quick = { ...contactTyped, elapsed: "2999" };

test("a page's form that came faster than people type comes back with its texts", async () => {
  const { server } = await sharedMailing();
  const page = await postForm(server.url, "/contact", quick);
  assert.equal(page.status, 422);
  const html = await page.text();
  assert.match(html, asks);
  for (const text of Object.values(contactTyped)) assert.ok(html.includes(text), text);
});

test("an API post that came faster than people type is rejected and not stored", async () => {
  const { server } = await sharedMailing();
  const stored = async () => (await server.query("SELECT 1 FROM contact_requests")).length;
  const before = await stored();
  const api = await postJson(server.url, "/api/contact", quick);
  assert.equal(api.status, 422);
  const { code, error } = (await api.json()) as { code: string; error: string };
  assert.equal(code, "too_quick");
  assert.match(error, asks);
  assert.equal(await stored(), before);
});

test("a form with files that came faster than people type comes back with its files", async () => {
  const { server } = await sharedMailing();
  const rubric = rubricForm();
  rubric.append("elapsed", "2999");
  const returned = await postMultipart(server.url, "/latest-feature", rubric);
  assert.equal(returned.status, 422);
  const upload = await returned.text();
  assert.match(upload, asks);
  const again = formWithDraft(draftToken(upload), Object.entries(rubricTyped));
  const reference = receivedBy(await postMultipart(server.url, "/latest-feature", again));
  const stored = await server.query(
    `SELECT file_name FROM files_received WHERE reference = '${reference}' ORDER BY file_id`,
  );
  assert.deepEqual(column(stored, "file_name"), ["assessmentQuestions.txt", "gradingRubric.txt"]);
});

test("one email a day reports how many requests went into quarantine", async (t) => {
  const receiving = await startServer(t);
  for (const phone of ["1", "2"]) {
    await postForm(receiving.url, "/contact", { ...contactTyped, phone, homepage: "x" });
  }
  const twoDaysAgo = new Date(Date.now() - 48 * 60 * 60 * 1000).toISOString();
  await receiving.change(`UPDATE contact_requests SET created_at = '${twoDaysAgo}'`);
  await receiving.stop();
  const mail = await startMailServer(t);
  const env = { RUBRICON_MAIL_URL: mail.url, RUBRICON_MAIL_TO: "team@team.example" };
  const server = await startServer(t, { folder: receiving.folder, env });
  await until(() => mail.emails.length > 0);
  // Waits for the cleanup, which reports.
  await server.stop();
  assert.match(mail.emails[0]!.subject!, /: 2 requests in quarantine on /);
  const reports = "SELECT 1 FROM outbox WHERE subject LIKE '%in quarantine%'";
  assert.equal((await server.query(reports)).length, 1);
});
