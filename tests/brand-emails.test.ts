import assert from "node:assert/strict";
import { test } from "node:test";
import * as compose from "../app/server/email/compose.ts";
import { announcementEmail } from "../app/server/email/visitor-emails.ts";
import { once } from "../app/server/system/once.ts";
import { wholeFile } from "./support/at-end.ts";
import { claimOfArticles, claims, claimsOfPages, claimsOfService } from "./support/claims.ts";
import {
  contactTyped,
  demoTyped,
  postJson,
  postMultipart,
  referenceIn,
  rubricForm,
} from "./support/forms.ts";
import { freePort } from "./support/free-port.ts";
import { startMailServer } from "./support/mail-server.ts";
import { succeeded } from "./support/output-of.ts";
import { team, uploadMarked } from "./support/results.ts";
import { runCommand, startServer, until } from "./support/server.ts";

const name = "Marking at Example High";

/** Emails that are composed here, as these tests do not have them sent. */
function composedEmails() {
  const sender = { team: team.RUBRICON_MAIL_TO, productName: name };
  const at = new Date("2026-11-22T12:00:00Z");
  const reference = "AAAA-AAAA-2222";
  const toPerson = { ...sender, reference, recipient: "thandi@school.example" };
  const byPerson = { ...sender, reference, by: "Thandi Example" };
  return [
    compose.spamReportEmail({ ...sender, day: "2026-11-22", count: 3 }),
    compose.summaryEmail(sender),
    announcementEmail({ title: "New", excerpt: "", url: "https://school.example/a" }, sender),
    compose.markingEmail({ ...toPerson, marker: "N. Dlamini", expiresAt: at }),
    compose.reminderEmail({ ...toPerson, createdAt: at, expiresAt: at }),
    compose.reopenedEmail({ ...toPerson, at }),
    compose.signedEmail({ ...byPerson, submissions: [], at }),
    compose.teamActionEmail({
      ...byPerson,
      what: "published",
      done: "marks were published",
      at: "",
    }),
  ];
}

/** Emails of each kind, as text with their subject in the first line, and a function that runs commands. */
const underOtherBrand = once(async () => {
  const mail = await startMailServer(wholeFile);
  const port = String(await freePort());
  const url = `http://localhost:${port}`;
  const env = {
    RUBRICON_BRAND_NAME: name,
    RUBRICON_MAIL_URL: mail.url,
    RUBRICON_MAIL_ACKNOWLEDGE: "on",
    RUBRICON_PUBLIC_URL: url,
    ...team,
  };
  const server = await startServer(wholeFile, { env: { ...env, PORT: port } });
  const run = (...args: string[]) => runCommand(server.folder, args, env);
  await referenceIn(await postJson(url, "/api/demo-request", demoTyped));
  assert.equal((await postMultipart(url, "/latest-feature", rubricForm())).status, 303);
  const reference = await uploadMarked(server);
  await referenceIn(await postJson(url, "/api/subscription", { email: "reader@school.example" }));
  await succeeded(run("results", "publish", reference));
  await succeeded(run("mail", "test", "admin@school.example"));
  // Last: it wakes the outbox worker, which looks for emails of commands once a minute.
  const message = { ...contactTyped, email: "lerato@school.example" };
  await referenceIn(await postJson(url, "/api/contact", message));
  // Four to the team, four acknowledgements (one of them to another address), and the three others.
  await until(() => mail.emails.length === 11);
  const sent = mail.emails.map(({ raw, subject, text }) => `${subject}\n${text}\n${raw}`);
  const composed = composedEmails().map(({ subject, body }) => `${subject}\n${body}`);
  const emails = [...sent, ...composed];
  return { emails, run };
});

test("under another brand emails of each kind have its name", async () => {
  const subjects = (await underOtherBrand()).emails.map((email) => email.split("\n")[0]!);
  const kinds = new Set(subjects.map((subject) => subject.replace(/(\w{4}-){2}\w{4}/, "REF")));
  assert.equal(kinds.size, 16, [...kinds].join("\n"));
  for (const kind of kinds) assert.ok(kind.includes(name), kind);
});

test("under another brand no email has a claim or the name of the built-in one", async () => {
  const claimed = [...claims, ...claimsOfPages, ...claimsOfService, claimOfArticles];
  for (const email of (await underOtherBrand()).emails) {
    const ownAddressesRemoved = email.replace(/\b(school|team)\.example\b/g, "");
    for (const claim of [...claimed, /Rubricon/, /our own/])
      assert.equal(claim.exec(ownAddressesRemoved)?.[0], undefined, email.slice(0, 2000));
  }
});

test("under another brand there is no built-in article to announce", async () => {
  const { run } = await underOtherBrand();
  const { err } = await run("subscriptions", "announce", "fairness-in-assessments", "--dry-run");
  assert.match(err, /There is no article/);
});
