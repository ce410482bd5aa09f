/** Pages of a server on PostgreSQL: those whose list is late, as a lock in the database holds the store back, and what they say. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { wholePageHeader } from "../app/domain/late.ts";
import { closeBrowser, openPage } from "./support/browser.ts";
import { queryPostgres, whileLocked } from "./support/postgres.ts";
import { publishClass } from "./support/results.ts";
import { sharedServer, until } from "./support/server.ts";
import { assertTrue, readPages } from "./support/true-pages.ts";
import { uploaded } from "./support/upload.ts";

process.env.TEST_ENGINE = "postgres";
after(closeBrowser);

async function storeUpload() {
  const server = await sharedServer();
  const databaseUrl = server.databaseUrl!;
  const reference = await uploaded(server);
  return { databaseUrl, url: `${server.url}/?received=${reference}` };
}

/** Reads a page whose list was ready in time: on a slow machine the first attempt may not be. */
const readInTime = (url: string) =>
  until(async () => {
    const html = await (await fetch(url)).text();
    return html.includes("in a moment") ? undefined : html;
  });

const nonceIn = (response: Response) =>
  / 'nonce-([^']+)'/.exec(response.headers.get("Content-Security-Policy")!)?.[1];

test("a list that is ready in time is in the page, which needs no script", async () => {
  const { url } = await storeUpload();
  const html = await readInTime(url);
  assert.match(html, /learner-01\.pdf/);
  assert.doesNotMatch(html, /<script(?! type="(module|application\/(ld\+)?json)")/);
});

/** Reads a page while a lock holds its list back, and then its rest. Returns the response, what came early, and all. */
async function readLate(databaseUrl: string, table: string, url: string) {
  let response: Response | undefined;
  let early = "";
  let rest: Promise<string> | undefined;
  await whileLocked(databaseUrl, table, async () => {
    response = await fetch(url);
    const chunks = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    while (!early.includes("</footer>")) {
      const { value, done } = await chunks.read();
      assert.ok(!done, early);
      early += value;
    }
    rest = (async () => {
      let late = "";
      for (;;) {
        const { value, done } = await chunks.read();
        if (done) return late;
        late += value;
      }
    })();
  });
  return { response: response!, early, html: early + (await rest!) };
}

test("a list that is late follows the heading in the same response", async () => {
  const { databaseUrl, url } = await storeUpload();
  const { response, early, html } = await readLate(databaseUrl, "marking_links", url);
  assert.equal(response.status, 200);
  assert.match(early, /<h1 id="receipt-title">Your receipt<\/h1>/);
  assert.doesNotMatch(early, /learner-01\.pdf/);
  assert.match(html, /learner-01\.pdf/);
});

test("each script that brings a late list has the nonce of its response", async () => {
  const { databaseUrl, url } = await storeUpload();
  const { response, html } = await readLate(databaseUrl, "marking_links", url);
  const scripts = [...html.matchAll(/<script([^>]*)>/g)].map(([, attributes]) => attributes!);
  const inline = scripts.filter((attributes) => !/ (src|type)=/.test(attributes));
  assert.ok(inline.length > 0);
  for (const attributes of inline) {
    assert.ok(attributes.includes(` nonce="${nonceIn(response)}"`), attributes);
  }
});

test("in the place of a late list is a link to the page that waits for it", async () => {
  const { databaseUrl, url } = await storeUpload();
  const { early } = await readLate(databaseUrl, "marking_links", url);
  const [, link] = /<a href="([^"]*whole=[^"]*)">/.exec(early)!;
  const whole = new URL(link!.replaceAll("&amp;", "&"), url).href;
  let waiting: Promise<Response> | undefined;
  await whileLocked(databaseUrl, "marking_links", async () => {
    waiting = fetch(whole);
    // Comes without its list, once that has had its time.
    await (await fetch(url)).body!.cancel();
  });
  const html = await (await waiting!).text();
  assert.match(html, /learner-01\.pdf/);
  assert.doesNotMatch(html, /<script nonce/);
});

test("a page that a script fetches waits for its list, which no script would insert", async () => {
  const { databaseUrl, url } = await storeUpload();
  let fetched: Promise<Response> | undefined;
  await whileLocked(databaseUrl, "marking_links", async () => {
    fetched = fetch(url, { headers: { [wholePageHeader]: "1" } });
    // Comes without its list, once that has had its time.
    await (await fetch(url)).body!.cancel();
  });
  const html = await (await fetched!).text();
  assert.match(html, /learner-01\.pdf/);
  assert.doesNotMatch(html, /in a moment/);
});

test("eight pages whose lists are late hold up no other", async () => {
  const { databaseUrl, url } = await storeUpload();
  const rests: Promise<string>[] = [];
  await whileLocked(databaseUrl, "marking_links", async () => {
    const waiting = Array.from({ length: 8 }, () => fetch(url));
    for (const one of waiting) {
      const response = await one;
      assert.equal(response.status, 200);
      rests.push(response.text());
    }
    assert.match(await (await fetch(new URL("/blog?q=marks", url))).text(), /<\/html>/);
  });
  for (const rest of rests) assert.match(await rest, /learner-01\.pdf/);
});

test("pages that wait for the store before their status hold up no other", async () => {
  const { databaseUrl, url } = await storeUpload();
  let waiting: Promise<Response>[] = [];
  await whileLocked(databaseUrl, "contact_requests", async () => {
    waiting = Array.from({ length: 8 }, () => fetch(url));
    // Two pages of a client may render at once.
    const locked = "SELECT 1 FROM pg_locks WHERE NOT granted";
    await until(async () => (await queryPostgres(databaseUrl, locked)).length >= 2);
    assert.equal((await fetch(new URL("/blog?q=marks", url))).status, 200);
  });
  for (const one of waiting) assert.match(await (await one).text(), /learner-01\.pdf/);
});

test("in a browser, the line that announces a late list is replaced by it", async (t) => {
  const { databaseUrl, url } = await storeUpload();
  const page = await openPage(t);
  const link = page.getByRole("link", { name: "Load the whole page" });
  await whileLocked(databaseUrl, "marking_links", async () => {
    await page.goto(url, { waitUntil: "commit" });
    await page.getByRole("heading", { name: "Your receipt" }).waitFor();
    await link.waitFor();
  });
  await page.getByText("learner-01.pdf").waitFor();
  assert.equal(await link.count(), 0);
});

test("results and the desk's overview send a late class after their heading, a ready one with it", async () => {
  const server = await sharedServer();
  const results = await publishClass(server, 3);
  const desk = results.replace("/?results=", "/marking?link=").replace("#demo", "");
  for (const [path, table, heading] of [
    [results, "class_jobs", "Your marked work</h1>"],
    [desk, "mark_drafts", "Thandi Example"],
  ] as const) {
    const ready = await readInTime(server.url + path);
    assert.ok(ready.includes(heading) && ready.includes("Learner 2"), path);
    assert.doesNotMatch(ready, /<script nonce/, path);
    const { early, html } = await readLate(server.databaseUrl!, table, server.url + path);
    assert.ok(early.includes(heading) && early.includes("Load the whole page"), early);
    assert.ok(!early.includes("Learner 2"), path);
    assert.ok(html.includes("Learner 2"), path);
  }
});

test("on a PostgreSQL database pages say what holds of it and nothing else", async () =>
  assertTrue(await readPages(await sharedServer()), {
    says: [
      ["/privacy-policy", /stored with your request, in a PostgreSQL database of ours/],
      ["/privacy-policy", /the provider of the database/],
      ["/privacy-policy", /backups and archives of the database/],
      ["/security-policy", /on one server or several, and one PostgreSQL database/],
      ["/security-policy", /In one PostgreSQL database, which our servers share/],
      ["/paia-manual", /the provider of the database, as our operator/],
    ],
    never: [
      /SQLite|database file|bytes (are )?overwritten|mode 0600/,
      /the program makes one every|which of the program’s backups/,
    ],
  }));
