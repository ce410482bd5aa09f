import assert from "node:assert/strict";
import { test } from "node:test";
import { once } from "../app/server/system/once.ts";
import { type Scope, wholeFile } from "./support/at-end.ts";
import { column } from "./support/columns.ts";
import { contactTyped, postForm, postJson, referenceIn } from "./support/forms.ts";
import { freePort } from "./support/free-port.ts";
import { type ReceivedEmail, startMailServer } from "./support/mail-server.ts";
import { succeeded } from "./support/output-of.ts";
import { team } from "./support/results.ts";
import { emptyServer, runCommand, startServer, until } from "./support/server.ts";

const messages = ["The first one", "The second", "The third", "The fourth", "The fifth"];

/** A server that acknowledges requests, with the emails about five of one visitor, a test and one in quarantine. */
const acknowledging = once(async () => {
  const mail = await startMailServer(wholeFile);
  const env = { RUBRICON_MAIL_URL: mail.url, RUBRICON_MAIL_ACKNOWLEDGE: "on", ...team };
  const server = await startServer(wholeFile, { env });
  const post = async (message: string, query = "") => {
    const typed = { ...contactTyped, message };
    return referenceIn(await postJson(server.url, `/api/contact${query}`, typed));
  };
  const reference = await post(messages[0]!);
  // The same by its page is no other request.
  await postForm(server.url, "/contact", { ...contactTyped, message: messages[0]! });
  await post("A test", "?test=mail");
  await postForm(server.url, "/contact", { ...contactTyped, message: "Spam", homepage: "x" });
  for (const message of messages.slice(1)) await post(message);
  const sentTo = (address: string) =>
    mail.emails.filter(({ recipients }) => recipients[0] === address);
  const toVisitor = () => sentTo(contactTyped.email);
  const toTeam = () => sentTo("team@team.example");
  await until(() => toTeam().length >= 6 && toVisitor().length >= 3);
  const unsent = "SELECT kind, status FROM outbox WHERE status <> 'sent'";
  await until(async () => (await server.query(unsent)).length === 1);
  return { server, reference, unsent, toVisitor: toVisitor(), toTeam: toTeam(), all: mail.emails };
});

test("with RUBRICON_MAIL_ACKNOWLEDGE a visitor gets three emails for five requests, and none for spam or a test", async () => {
  const { server, unsent, toVisitor, toTeam, all } = await acknowledging();
  assert.deepEqual([toVisitor.length, toTeam.length, all.length], [3, messages.length + 1, 9]);
  assert.deepEqual(await server.query(unsent), [{ kind: "request", status: "on hold" }]);
  assert.match(server.log(), /was not acknowledged: a limit for emails is reached/);
});

test("an acknowledgement is automatic, has the reference, and is answered by the team", async () => {
  const { reference, toVisitor } = await acknowledging();
  const [email] = toVisitor;
  assert.ok(email!.subject!.includes(reference));
  assert.ok(email!.text!.includes(reference));
  assert.equal(email!.replyTo?.[0]?.address, "team@team.example");
  assert.match(email!.raw, /^Auto-Submitted: auto-generated\r$/m);
});

test("a visitor is not acknowledged without a mail server, because the email would come late", async (t) => {
  const server = await startServer(t, { env: { RUBRICON_MAIL_ACKNOWLEDGE: "on" } });
  await referenceIn(await postJson(server.url, "/api/contact", contactTyped));
  assert.deepEqual(await server.query("SELECT kind FROM outbox"), [{ kind: "request" }]);
});

test("an acknowledgement has none of the visitor's own words", async () => {
  const { toVisitor } = await acknowledging();
  const { name, phone, institution } = contactTyped;
  assert.equal(toVisitor.length, 3);
  for (const { raw, text } of toVisitor) {
    for (const typed of [name, phone, institution, ...messages]) {
      assert.ok(!raw.includes(typed) && !text!.includes(typed), typed);
    }
  }
});

test("one client causes at most 20 emails to visitors, whatever addresses it types", async (t) => {
  const { server, url } = await startPublic(t, { ...unreachable, RUBRICON_MAIL_ACKNOWLEDGE: "on" });
  for (let n = 0; n < 24; n += 1) {
    const email = `stranger-${n}@school.example`;
    const response = await (n % 2 === 0
      ? postJson(url, "/api/contact", { ...contactTyped, email, message: `No. ${n}` })
      : postJson(url, "/api/subscription", { email }));
    await referenceIn(response);
  }
  for (const kind of ["acknowledgement", "confirmation"]) {
    const sent = await server.query(`SELECT 1 FROM outbox WHERE kind = '${kind}'`);
    assert.equal(sent.length, 10, kind);
  }
  for (const table of ["contact_requests", "subscriptions"])
    assert.equal((await server.query(`SELECT 1 FROM ${table}`)).length, 12, table);
  assert.equal(server.log().match(/was not acknowledged/g)?.length, 2);
});

test("without acknowledgements, a client at the limit of emails causes no warning about one", async (t) => {
  const { server, url } = await startPublic(t, unreachable);
  for (let n = 0; n < 21; n += 1) {
    await referenceIn(await postJson(url, "/api/subscription", { email: `${n}@school.example` }));
  }
  await referenceIn(await postJson(url, "/api/contact", contactTyped));
  const sent = await server.query("SELECT 1 FROM outbox WHERE kind = 'confirmation'");
  assert.equal(sent.length, 20);
  assert.doesNotMatch(server.log(), /was not acknowledged/);
});

test("by default visitors get no email", async () => {
  const server = await emptyServer();
  await referenceIn(await postJson(server.url, "/api/contact", contactTyped));
  const subscribed = { email: contactTyped.email };
  await referenceIn(await postJson(server.url, "/api/subscription", subscribed));
  const kinds = "SELECT kind, recipient FROM outbox";
  assert.deepEqual(await server.query(kinds), [{ kind: "request", recipient: null }]);
});

/** A mail server that is set but gone: emails stay in the outbox. */
const unreachable = { RUBRICON_MAIL_URL: "smtp://127.0.0.1:9", ...team };

/** Starts a server that has a public URL, without which there are no subscriptions, and responds to it. */
async function startPublic(t: Scope, env: Record<string, string> = {}) {
  const port = String(await freePort());
  const url = `http://127.0.0.1:${port}`;
  const site = { RUBRICON_PUBLIC_URL: url, PORT: port };
  return { server: await startServer(t, { env: { ...env, ...site } }), url };
}

const sharedSite = once(async () => {
  const mail = await startMailServer(wholeFile);
  const { server, url } = await startPublic(wholeFile, { RUBRICON_MAIL_URL: mail.url, ...team });
  const env = { RUBRICON_MAIL_URL: mail.url, RUBRICON_PUBLIC_URL: url, ...team };
  const run = (...args: string[]) => runCommand(server.folder, args, env);
  return { server, mail, url, run };
});

/** A server whose links in emails lead to itself, without subscriptions and emails. */
async function emptySite() {
  const site = await sharedSite();
  await site.server.change(
    "DELETE FROM outbox; DELETE FROM subscription_links; DELETE FROM subscriptions; DELETE FROM announcements",
  );
  site.mail.emails.length = 0;
  return site;
}

const linkIn = ({ text }: ReceivedEmail) =>
  /http:\S+\/subscription\?token=[\w-]{22}/.exec(text!)![0];

/** Subscribes addresses, and returns the links in the emails that ask for their confirmation, in this order. */
async function linksToConfirm(
  { url, mail }: Awaited<ReturnType<typeof emptySite>>,
  ...addresses: string[]
): Promise<string[]> {
  await subscribe({ url }, ...addresses);
  // Emails of the test before may arrive meanwhile.
  const emailTo = (address: string) => () =>
    mail.emails.find(
      ({ recipients, subject }) => recipients[0] === address && /confirm/i.test(subject!),
    );
  const written = addresses.map((address) => until(emailTo(address.toLowerCase())));
  const emails = await Promise.all(written);
  return emails.map(linkIn);
}

const press = (link: string, intent: string) => {
  const { origin, pathname, search } = new URL(link);
  return postForm(origin, pathname + search, { intent });
};

/** A site that two addresses have subscribed to, with the link in the email to one of them. */
async function siteToConfirm() {
  const site = await emptySite();
  const [link] = await linksToConfirm(site, "Reader@School.example", "other@school.example");
  const announce = (...args: string[]) =>
    site.run("subscriptions", "announce", "from-grading-to-guidance", ...args);
  return { ...site, link: link!, announce };
}

test("opening the link of a subscription confirms nothing", async () => {
  const { link, announce } = await siteToConfirm();
  const page = await fetch(link);
  assert.match(await page.text(), /<title>Confirm your subscription<\/title>/);
  assert.match((await announce("--yes")).err, /No subscriber has confirmed/);
});

test("the page behind a subscription's link shows no address, and neither cache, referrer nor log gets the link", async () => {
  const { server, link } = await siteToConfirm();
  const page = await fetch(link);
  assert.equal(page.status, 200);
  assert.equal(page.headers.get("Cache-Control"), "no-store");
  assert.equal(page.headers.get("Referrer-Policy"), "strict-origin");
  assert.doesNotMatch(await page.text(), /school\.example/);
  assert.doesNotMatch(server.log(), /token|school\.example/);
});

test("a link of no subscription confirms nothing, nor does another button", async () => {
  const { url, link, announce } = await siteToConfirm();
  assert.equal((await fetch(`${url}/subscription?token=${"x".repeat(22)}`)).status, 404);
  assert.equal((await press(`${url}/subscription?token=x`, "confirm")).status, 404);
  assert.equal((await press(link, "other")).status, 400);
  assert.match((await announce("--yes")).err, /No subscriber has confirmed/);
});

const announced = "SELECT recipient FROM outbox WHERE kind = 'announcement'";

test("a confirmed address that subscribes again stays confirmed", async () => {
  const { server, url, link } = await siteToConfirm();
  await press(link, "confirm");
  await subscribe({ url }, "reader@school.example");
  const args = ["subscriptions", "announce", "from-grading-to-guidance", "--yes"];
  const { err } = await succeeded(runCommand(server.folder, args, { RUBRICON_PUBLIC_URL: url }));
  assert.match(err, /1 email put into the outbox\. Sending begins once a mail server is set/);
  assert.deepEqual(await server.query(announced), [{ recipient: "reader@school.example" }]);
});

test("an announcement with --dry-run says how many would get it, and sends nothing", async () => {
  const { server, link, announce } = await siteToConfirm();
  await press(link, "confirm");
  assert.match((await announce("--dry-run")).err, /1 subscriber will get .+ Nothing was sent/);
  assert.deepEqual(await server.query(announced), []);
});

test("an article is announced once, to addresses confirmed by the button behind their link", async () => {
  const { server, link, announce } = await siteToConfirm();
  const confirmed = await press(link, "confirm");
  assert.equal(confirmed.status, 200);
  assert.match(await confirmed.text(), /Your subscription is confirmed/);
  await succeeded(announce("--yes"));
  assert.deepEqual(await server.query(announced), [{ recipient: "reader@school.example" }]);
  const second = await announce("--yes");
  assert.equal(second.code, 1);
  assert.match(second.err, /was announced already, on 20/);
});

test("an article that does not exist is not announced", async () => {
  const { run } = await emptySite();
  const unknown = await run("subscriptions", "announce", "no-such-article", "--yes");
  assert.equal(unknown.code, 1);
  assert.match(unknown.err, /There is no article/);
});

/** A site with two confirmed subscriptions, and the email about an article to one of them. */
async function siteWithNews() {
  const site = await emptySite();
  const { server, mail, url, run } = site;
  const addresses = ["one@school.example", "two@school.example"];
  for (const link of await linksToConfirm(site, ...addresses)) await press(link, "confirm");
  await succeeded(run("subscriptions", "announce", "from-grading-to-guidance", "--yes"));
  // Wakes the outbox worker, which looks for emails of commands once a minute.
  await referenceIn(await postJson(url, "/api/contact", contactTyped));
  // The next test gets none of these emails.
  const unsent = "SELECT 1 FROM outbox WHERE status <> 'sent'";
  await until(async () => (await server.query(unsent)).length === 0);
  const news = mail.emails.find(({ subject }) => subject!.includes("Guidance"))!;
  const left = async () => column(await server.query("SELECT email FROM subscriptions"), "email");
  const others = addresses.filter((email) => email !== news.recipients[0]);
  return { server, url, run, news, link: linkIn(news), left, others };
}

test("the email about an article leads to it, and has the headers to unsubscribe by", async () => {
  const { url, news, link } = await siteWithNews();
  assert.ok(news.text!.includes(`${url}/from-grading-to-guidance`));
  const header = (name: string) => news.headers.find(({ key }) => key === name)?.value;
  assert.equal(header("list-unsubscribe"), `<${link}>`);
  assert.equal(header("list-unsubscribe-post"), "List-Unsubscribe=One-Click");
});

test("a subscription ends by one click of a mail program, repeated or not", async () => {
  const { link, left, others } = await siteWithNews();
  for (const _ of [1, 2]) {
    const body = new URLSearchParams({ "List-Unsubscribe": "One-Click" });
    assert.equal((await fetch(link, { method: "POST", body })).status, 200);
  }
  assert.equal((await fetch(link)).status, 404);
  assert.deepEqual(await left(), others);
});

test("a subscription ends by the button behind its link", async () => {
  const { link, left, others } = await siteWithNews();
  assert.match(await (await press(link, "end")).text(), /You are unsubscribed/);
  assert.deepEqual(await left(), others);
});

test("a subscription that the operator removes leaves neither emails nor links", async () => {
  const { server, run, left } = await siteWithNews();
  for (const email of await left()) {
    await succeeded(run("subscriptions", "remove", `${email}`, "--yes"));
  }
  const about = "SELECT 1 FROM outbox WHERE kind IN ('confirmation', 'announcement')";
  assert.deepEqual(await server.query(about), []);
  assert.deepEqual(await server.query("SELECT 1 FROM subscription_links"), []);
});

/** Posts the addresses of subscriptions to the API, one after the other. */
async function subscribe({ url }: { url: string }, ...addresses: string[]) {
  const outcomes: { message: string; id: number; reference: string }[] = [];
  for (const email of addresses) {
    const response = await postJson(url, "/api/subscription", { email });
    assert.equal(response.status, 201);
    outcomes.push((await response.json()) as (typeof outcomes)[number]);
  }
  return outcomes;
}

test("a subscription gets the same response whether the address is known or new", async () => {
  const outcomes = await subscribe(
    await emptyServer(),
    "a@school.example",
    "b@school.example",
    "A@school.example",
    "c@school.example",
  );
  const [first] = outcomes;
  assert.deepEqual(
    outcomes.map(({ id, message }) => [id - first!.id, message]),
    outcomes.map((_, index) => [index, first!.message]),
    "ids count the posts",
  );
  assert.equal(new Set(outcomes.map(({ reference }) => reference)).size, 4);
});

test("a subscription gets the same receipt whether the address is known or new", async () => {
  const server = await emptyServer();
  await subscribe(server, "b@school.example");
  const receipts = [];
  for (const address of ["b@school.example", "d@school.example"]) {
    const before = Date.now();
    const response = await postForm(server.url, "/blog", { email: address });
    assert.equal(response.status, 303);
    const location = response.headers.get("Location")!;
    const page = await (await fetch(new URL(location, server.url))).text();
    const reference = new URL(location, server.url).searchParams.get("received")!;
    const times = [...page.matchAll(/<time dateTime="([^"]+T[^"]+)"/gi)].map(([, time]) => time!);
    assert.equal(times.length, 1);
    assert.ok(Date.parse(times[0]!) >= before, "the time of this post");
    const ownReference = new RegExp(reference, "g");
    const ownTimes =
      /<time[^>]*>[^<]*<\/time>|(?<=class="stamp"[^>]*>Received )<span>[^<]*|\d{4}-\d\d-\d\dT[\d:.]+Z/gi;
    receipts.push(page.replace(ownReference, "").replace(ownTimes, ""));
  }
  const [first, second] = receipts;
  assert.doesNotMatch(first!, /\d\d:\d\d/, "the comparison does not depend on the minute");
  assert.equal(first, second);
  assert.equal((await server.query("SELECT 1 FROM subscriptions")).length, 2);
});

test("without a mail server the thanks for a subscription promise no email, and none is stored", async (t) => {
  const { server, url } = await startPublic(t);
  const response = await postForm(url, "/blog", { email: "e@school.example" });
  const receipt = await (await fetch(new URL(response.headers.get("Location")!, url))).text();
  const promise = /<p><strong>(.*?)</.exec(receipt.slice(receipt.indexOf("thank-you")))?.[1];
  assert.match(promise!, /^At present we send no emails about new articles/);
  const [posted] = await subscribe({ url }, "f@school.example");
  assert.match(posted!.message, /At present we send no emails/);
  assert.deepEqual(await server.query("SELECT 1 FROM subscription_links"), []);
});
