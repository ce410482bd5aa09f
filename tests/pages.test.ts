import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { brotliCompressSync } from "node:zlib";
import { HtmlValidate } from "html-validate";
import { listedPaths, pages } from "../app/site.ts";
import { assetFolder } from "./support/built-assets.ts";
import { sharedServer } from "./support/server.ts";
import { specifiedInScripts, specifiedOnPages } from "./support/specified.ts";

/** After brotli: with the text of a short page they arrive in the first round trip. */
const maxStyleBytes = 8_000;

const headings = (html: string) =>
  [...html.matchAll(/<h([1-6])[ >]/g)].map(([, level]) => Number(level));

let crawled: Promise<Map<string, string>> | undefined;

/** The HTML of every page by its address, fetched once. */
const crawledPages = (): Promise<Map<string, string>> => {
  crawled ??= sharedServer().then(({ url }) => crawl(url));
  return crawled;
};

async function crawl(url: string) {
  const sitemap = await (await fetch(`${url}/sitemap.xml`)).text();
  const listed = [...sitemap.matchAll(/<loc>http:\/\/[^/]+([^<]*)<\/loc>/g)].map(
    ([, address]) => address!,
  );
  const pages = new Map<string, string>();
  for (const address of [
    ...listed,
    "/test-forms",
    "/blog?q=memo",
    "/?results=sample",
    "/nowhere",
  ]) {
    const response = await fetch(url + address);
    assert.equal(response.status, address === "/nowhere" ? 404 : 200, address);
    pages.set(address, await response.text());
  }
  return pages;
}

const validator = new HtmlValidate({
  extends: ["html-validate:recommended", "html-validate:document"],
  rules: {
    // React's serialisation.
    "void-style": "off",
    "no-trailing-whitespace": "off",
    "attribute-boolean-style": "off",
    "attribute-empty-style": "off",
    "doctype-style": "off",
    "attr-case": "off",
    // Titles and non-breaking characters come from content.
    "long-title": "off",
    "no-raw-characters": "off",
    "no-inline-style": "error",
    // All resources come from the page's own origin.
    "require-sri": "off",
    // React's ids of streamed parts.
    "valid-id": ["error", { relaxed: true }],
  },
});

test("the built-in brand has the specification's texts, word for word", async () => {
  const pages = await crawledPages();
  const missing = Object.entries(specifiedOnPages).flatMap(([address, texts]) => {
    const text = pages
      .get(address)!
      .replace(/<(script|style|head)\b.*?<\/\1>/gs, " ")
      .replace(/<!--.*?-->/gs, "")
      .replace(/<[^>]*>/g, " ")
      .replaceAll("&amp;", "&")
      .replace(/\s+/g, " ");
    return texts.filter((one) => !text.includes(one)).map((one) => `${address}: ${one}`);
  });
  const scripts = readdirSync(assetFolder)
    .filter((name) => name.endsWith(".js"))
    .map((name) => readFileSync(path.join(assetFolder, name), "utf8"))
    .join();
  missing.push(...specifiedInScripts.filter((one) => !scripts.includes(one)));
  assert.deepEqual(missing, []);
});

test("every page: one h1, no heading level skipped, its own title and description, valid HTML, no broken link", async () => {
  const server = await sharedServer();
  const pages = await crawledPages();
  assert.equal(pages.size, listedPaths().length + 35 + 4);
  const titles = new Map<string, string>();
  const descriptions = new Map<string, string>();
  for (const [address, html] of pages) {
    // Validation blocks: without a turn, fetch does not notice that the server closes idle connections.
    await setImmediate();
    assertHeadings(address, html);
    await assertValid(address, html);
    if (address === "/nowhere" || address.includes("?")) continue;
    const title = /<title>([^<]+)<\/title>/.exec(html)![1]!;
    const description = /<meta name="description" content="([^"]+)"/.exec(html)?.[1];
    assert.ok(description, `${address} has a description`);
    for (const [all, text] of [
      [titles, title],
      [descriptions, description],
    ] as const) {
      assert.equal(all.get(text), undefined, `${address} and ${all.get(text)}: ${text}`);
      all.set(text, address);
    }
    if (address === "/test-forms") continue;
    const canonical = `<link rel="canonical" href="http://localhost:0${address}"`;
    assert.ok(html.includes(canonical), `${address}: canonical`);
    assert.match(html, /<meta property="og:title"/, address);
  }
  await assertLinks(server.url, pages);
});

function assertHeadings(address: string, html: string): void {
  const levels = headings(html);
  assert.equal(levels.filter((level) => level === 1).length, 1, `${address}: one h1`);
  let before = 0;
  for (const level of levels) {
    assert.ok(level <= before + 1, `${address}: from h${before} to h${level}`);
    before = level;
  }
}

async function assertValid(address: string, html: string): Promise<void> {
  const { results } = await validator.validateString(html);
  const faults = results
    .flatMap(({ messages }) => messages)
    .map(({ ruleId, message, line, column }) => `${ruleId}: ${message} ${line}:${column}`);
  assert.deepEqual(faults, [], address);
}

const idsIn = (html: string) => new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id!));

/** Asserts that the links of all pages lead to pages, and to ids that these have. */
async function assertLinks(url: string, pages: Map<string, string>): Promise<void> {
  const ids = new Map<string, Set<string>>();
  const links: [from: string, to: string][] = [];
  for (const [address, html] of pages) {
    ids.set(address, idsIn(html));
    for (const [, href] of html.matchAll(/<a [^>]*?href="(\/[^"]*|#[^"]*)"/g)) {
      links.push([address, href!.replaceAll("&amp;", "&")]);
    }
  }
  for (const [from, to] of links) {
    const [page, id] = to.startsWith("#") ? [from, to.slice(1)] : to.split("#");
    const sameIds = ["/blog?", "/?results=sample&"].find((start) => page!.startsWith(start));
    let known = ids.get(page!) ?? ids.get(sameIds?.replace(/\?$|&$/, "") ?? "");
    if (/^\/(\?results|marking\?|api\/results\/|downloads\/)/.test(page!)) {
      const response = await fetch(url + page);
      assert.equal(response.status, 200, `${from} links to ${to}`);
      if (!id) continue;
      known = idsIn(await response.text());
    }
    assert.ok(known ?? /^\/(assets\/|feed\.xml)/.test(page!), `${from} links to ${to}`);
    if (id) assert.ok(known!.has(decodeURIComponent(id)), `${from} links to ${to}`);
  }
}

test("a reading page ships no script, and its styles are small", async () => {
  const server = await sharedServer();
  const pages = await crawledPages();
  const reading = [...pages].filter(
    ([address]) =>
      ![
        "/",
        "/blog",
        "/blog?q=memo",
        "/?results=sample",
        "/contact",
        "/demo",
        "/latest-feature",
        "/test-forms",
      ].includes(address),
  );
  const bytesOf = new Map<string, number>();
  for (const [address, html] of reading) {
    assert.doesNotMatch(html, /<script(?! type="application\/ld\+json")|modulepreload/, address);
    const styles = [...html.matchAll(/<link rel="stylesheet" href="([^"]+)"/g)].map(
      ([, href]) => href!,
    );
    assert.ok(styles.length > 0, address);
    for (const href of styles.filter((one) => !bytesOf.has(one))) {
      const text = Buffer.from(await (await fetch(server.url + href)).arrayBuffer());
      bytesOf.set(href, brotliCompressSync(text).length);
    }
    const size = styles.reduce((sum, href) => sum + bytesOf.get(href)!, 0);
    assert.ok(size <= maxStyleBytes, `${address}: ${size} bytes`);
  }
});

test("site.ts has the specification's pages and four more, and each page with a form has an action", () => {
  const specified = [
    "/",
    "/demo",
    "/test-forms",
    "/features",
    "/contact",
    "/about",
    "/blog",
    "/security-policy",
    "/terms-conditions",
    "/privacy-policy",
    "/latest-feature",
    "/accessibility",
    "/figures",
    "/paia-manual",
    "/subscription",
    "/marking",
    "/team",
  ];
  assert.deepEqual(pages.map(({ path }) => path).sort(), specified.sort());
  for (const { path: address, module, forms } of pages) {
    const source = readFileSync(path.join(import.meta.dirname, "../app", module), "utf8");
    const hasAction = /export (async )?(function|const) action/.test(source);
    assert.equal(hasAction, forms !== undefined, address);
  }
});

test("each legal page has its numbered sections and every required point", async () => {
  const server = await sharedServer();
  const text = async (address: string) => {
    const html = await (await fetch(server.url + address)).text();
    const numbers = [...html.matchAll(/<h2 id="[^"]*">(\d+)\. /g)].map(([, number]) =>
      Number(number),
    );
    return { numbers, plain: html.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ") };
  };
  const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

  const terms = await text("/terms-conditions");
  assert.deepEqual(terms.numbers, upTo(23));
  for (const point of [
    /10 days’ notice/,
    /2% (per|a) month,? compounded monthly/,
    /10% of the total outstanding invoice/,
    /5 years/,
    /24 months after/,
    /South African law|law of (the Republic of )?South Africa/,
    /Durban/,
    /KwaZulu-Natal/,
    /Arbitration Foundation of Southern Africa/,
    /non-refundable/,
    /elevat(e|ion)/,
    /user accounts?/i,
  ]) {
    assert.match(terms.plain, point);
  }

  const privacy = await text("/privacy-policy");
  assert.deepEqual(privacy.numbers, upTo(15));
  for (const point of [
    /POPIA/,
    /under 18/,
    /access/,
    /correction|corrected/i,
    /deletion|deleted/i,
    /object/i,
    /opt out of non-essential cookies/,
    /Data protection officer/,
    /90 days/,
    /Information Regulator/,
  ]) {
    assert.match(privacy.plain, point);
  }

  const security = await text("/security-policy");
  assert.deepEqual(security.numbers, upTo(10));
  const topics = [
    /1\. Introduction/i,
    /2\. Data protection and privacy/i,
    /3\. Authentication and access control/i,
    /4\. Encryption/i,
    /5\. Monitoring and audit trails/i,
    /6\. Incident response and breach notification/i,
    /7\. Legal compliance/i,
    /8\. Third parties/i,
    /9\. Continuous improvement/i,
    /10\. Contact/i,
  ];
  for (const topic of topics) assert.match(security.plain, topic);

  const manual = await text("/paia-manual");
  assert.deepEqual(manual.numbers, upTo(10));
  for (const point of [/section 10/, /Form 2/, /30 days/, /180 days/, /Information Regulator/]) {
    assert.match(manual.plain, point);
  }
});

test("search engines show titles and descriptions whole, and the first pages have the words people search for", async () => {
  const server = await sharedServer();
  for (const { path: address } of pages) {
    const html = await (await fetch(server.url + address)).text();
    const title = /<title>([^<]+)<\/title>/.exec(html)![1]!.replaceAll("&amp;", "&");
    const description = /<meta name="description" content="([^"]+)"/.exec(html)![1]!;
    // Longer ones are cut off in lists of results.
    assert.ok(title.length <= 60, `${address}: ${title.length} in ${title}`);
    assert.ok(description.length <= 155, `${address}: ${description.length} in ${description}`);
    if (address !== "/" && address !== "/features") continue;
    for (const word of [/\bAI\b/, /marking|grading/i, /South Africa/, /essay/i]) {
      assert.match(title + description, word, address);
    }
  }
});

test("limits and times of the service are stated from one place", () => {
  const root = path.join(import.meta.dirname, "..");
  const typed =
    /\b(24 hours|30 days|50 (files|scripts|learners|submissions)|2 MB|60 minutes|24(-| to )48)\b|(?<!half )an hour\b/i;
  /** The law and paid agreements have periods of 30 days too. */
  const ofOthers = /^content\/pages.*\b30 days\b(?!.*(link|results))/;
  const files = ["app/ui", "app/routes", "content/pages"].flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => /\.(tsx?|md)$/.test(file) && file !== "article-page.tsx")
      .map((file) => path.join(folder, file)),
  );
  assert.ok(files.length > 70, String(files.length));
  const found = files.flatMap((file) =>
    readFileSync(path.join(root, file), "utf8")
      .split("\n")
      .filter((line) => typed.test(line) && !/^ *(\/?\*|\/\/)/.test(line))
      .map((line) => `${file}: ${line.trim()}`),
  );
  assert.deepEqual(
    found.filter((line) => !ofOthers.test(line)),
    [],
  );
});
