import assert from "node:assert/strict";
import { test } from "node:test";
import { spamReportEmail, summaryEmail } from "../app/server/email/compose.ts";
import { once } from "../app/server/system/once.ts";
import { wholeFile } from "./support/at-end.ts";
import { claimOfArticles, claims, claimsOfPages, claimsOfService } from "./support/claims.ts";
import { contactTyped, demoTyped, postJson, postMultipart, rubricForm } from "./support/forms.ts";
import { freePort } from "./support/free-port.ts";
import { startMailServer } from "./support/mail-server.ts";
import { succeeded } from "./support/output-of.ts";
import { team, uploadMarked } from "./support/results.ts";
import { runCommand, startServer, until } from "./support/server.ts";

const name = "Marking at Example High";

/** Emails of each kind, as text with their subject in the first line, and a function that runs commands. */
const ofBrand = once(async () => {
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
  await postJson(url, "/api/demo-request", demoTyped);
  await postMultipart(url, "/latest-feature", rubricForm());
  const reference = await uploadMarked(server);
  await postJson(url, "/api/subscription", { email: "reader@school.example" });
  await succeeded(run("results", "publish", reference));
  await succeeded(run("mail", "test", "admin@school.example"));
  // Last: it wakes the outbox worker, which looks for emails of commands once a minute.
  await postJson(url, "/api/contact", { ...contactTyped, email: "lerato@school.example" });
  // Four to the team, four acknowledgements (one of them to another address), and the three others.
  await until(() => mail.emails.length === 11);
  const sent = mail.emails.map(({ raw, subject, text }) => `${subject}\n${text}\n${raw}`);
  const toTeam = { team: team.RUBRICON_MAIL_TO, productName: name };
  const daily = [spamReportEmail({ day: "2026-11-22", count: 3, ...toTeam }), summaryEmail(toTeam)];
  const emails = [...sent, ...daily.map(({ subject, body }) => `${subject}\n${body}`)];
  return { emails, run };
});

test("under another brand emails of each kind have its name", async () => {
  const subjects = (await ofBrand()).emails.map((email) => email.split("\n")[0]!);
  for (const kind of [
    /^Marking at Example High demo request /,
    /^Marking at Example High rubric request /,
    /^Marking at Example High demo upload /,
    /^Marking at Example High message /,
    /^Marking at Example High: we have received your request /,
    /^Marking at Example High: your marked work /,
    /^Marking at Example High: please confirm your subscription/,
    /^Marking at Example High: .* in quarantine /,
  ]) {
    assert.ok(
      subjects.some((subject) => kind.test(subject)),
      `${kind}: ${subjects.join(", ")}`,
    );
  }
});

test("under another brand no email has a claim or the name of the built-in one", async () => {
  const claimed = [...claims, ...claimsOfPages, ...claimsOfService, claimOfArticles];
  for (const email of (await ofBrand()).emails) {
    const ownAddressesRemoved = email.replace(/\b(school|team)\.example\b/g, "");
    for (const claim of [...claimed, /Rubricon/, /our own/])
      assert.equal(claim.exec(ownAddressesRemoved)?.[0], undefined, email.slice(0, 2000));
  }
});

test("under another brand there is no built-in article to announce", async () => {
  const { run } = await ofBrand();
  const { err } = await run("subscriptions", "announce", "fairness-in-assessments", "--dry-run");
  assert.match(err, /There is no article/);
});
