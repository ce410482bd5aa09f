import assert from "node:assert/strict";
import { test } from "node:test";
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
import { newFolder, runCommand, startServer, until } from "./support/server.ts";

test("a post that fills in the honeypot gets a normal response and is in quarantine until it is released", async (t) => {
  const mail = await startMailServer(t);
  const folder = newFolder(t);
  const env = {
    RUBRICON_MAIL_URL: mail.url,
    RUBRICON_MAIL_TO: "team@team.example",
    RUBRICON_SPAM_SECONDS: "3",
  };
  const server = await startServer(t, { folder, env });
  const post = async (more: Record<string, string>) => {
    const response = await postForm(server.url, "/contact", { ...contactTyped, ...more });
    assert.equal(response.status, 303);
    return new URL(response.headers.get("Location")!, server.url).searchParams.get("received")!;
  };
  const trapped = await post({ homepage: "http://spam.example" });
  await post({ phone: "2", homepage: "x", elapsed: "1200" });
  const slow = await post({ phone: "3", elapsed: "3000" });
  const direct = await post({ phone: "4" });
  const rubric = rubricForm();
  rubric.append("homepage", "x");
  assert.equal((await postMultipart(server.url, "/latest-feature", rubric)).status, 303);

  await until(() => mail.emails.length === 2);
  const texts = mail.emails.map(({ text }) => text!).join();
  assert.ok(texts.includes(slow) && texts.includes(direct));
  const spam = await server.query<{ reference: string; spam: string }>(
    "SELECT reference, spam FROM inbox WHERE spam IS NOT NULL",
  );
  assert.equal(spam.length, 3);
  assert.equal(spam[0]!.spam, "the hidden field was filled in");
  const list = (await runCommand(folder, ["requests", "list"])).out;
  assert.ok(!list.includes(trapped) && list.includes(slow));
  assert.ok((await runCommand(folder, ["requests", "list", "--spam"])).out.includes(trapped));

  await succeeded(runCommand(folder, ["requests", "not-spam", trapped]));
  assert.equal((await runCommand(folder, ["requests", "not-spam", trapped])).code, 1);
  // The outbox worker looks for released emails every minute; a new email wakes it.
  await post({ phone: "5" });
  await until(() => mail.emails.length === 4);
  assert.ok(mail.emails.some(({ text }) => text!.includes(trapped)));
});

test("a form that came faster than people type comes back once, with its texts and files", async (t) => {
  const server = await startServer(t, { env: { RUBRICON_SPAM_SECONDS: "3" } });
  const asks =
    /The form came faster than people type: nothing is lost, so please press Send once more/;
  const quick = { ...contactTyped, elapsed: "1200" };
  const page = await postForm(server.url, "/contact", quick);
  assert.equal(page.status, 422);
  const html = await page.text();
  assert.match(html, asks);
  assert.match(html, new RegExp(`value="${contactTyped.name}"`));
  const api = await postJson(server.url, "/api/contact", quick);
  assert.equal(api.status, 422);
  const { code, error } = (await api.json()) as { code: string; error: string };
  assert.equal(code, "too_quick");
  assert.match(error, asks);
  assert.equal((await server.query("SELECT 1 FROM contact_requests")).length, 0);
  assert.equal((await postForm(server.url, "/contact", contactTyped)).status, 303);

  const rubric = rubricForm();
  rubric.append("elapsed", "1200");
  const returned = await postMultipart(server.url, "/latest-feature", rubric);
  assert.equal(returned.status, 422);
  const upload = await returned.text();
  assert.match(upload, asks);
  const again = formWithDraft(draftToken(upload), Object.entries(rubricTyped));
  assert.equal((await postMultipart(server.url, "/latest-feature", again)).status, 303);
  const stored = await server.query("SELECT name FROM uploaded_files WHERE rubric_request_id = 1");
  assert.equal(stored.length, 2);
});

test("one email a day reports how many requests went into quarantine", async (t) => {
  const mail = await startMailServer(t);
  const folder = newFolder(t);
  const env = { RUBRICON_MAIL_URL: mail.url, RUBRICON_MAIL_TO: "team@team.example" };
  const server = await startServer(t, { folder, env });
  for (const phone of ["1", "2"]) {
    await postForm(server.url, "/contact", { ...contactTyped, phone, homepage: "x" });
  }
  await server.stop();
  const twoDaysAgo = new Date(Date.now() - 48 * 60 * 60 * 1000).toISOString();
  await server.change(`UPDATE contact_requests SET created_at = '${twoDaysAgo}'`);
  for (const _ of ["the first start of the day", "another"]) {
    const again = await startServer(t, { folder, env });
    await until(() => mail.emails.length === 1);
    await again.stop();
  }
  assert.equal(mail.emails.length, 1);
  const reports = "SELECT 1 FROM outbox WHERE subject LIKE '%in quarantine%'";
  assert.equal((await server.query(reports)).length, 1);
  assert.match(mail.emails[0]!.subject!, /: 2 requests in quarantine on /);
});
