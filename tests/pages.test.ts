import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { brotliCompressSync } from "node:zlib";
import { listedPaths, pages } from "../app/site.ts";
import { assetFolder } from "./support/built-assets.ts";
import { wordsOf } from "./support/html-forms.ts";
import { sharedServer } from "./support/server.ts";
import { assertValid, crawledPages, unlisted } from "./support/site-pages.ts";
import { specifiedInScripts, specifiedOnPages } from "./support/specified.ts";

/** After brotli: with the text of a short page they arrive in the first round trip. */
const maxStyleBytes = 8_000;

test("the built-in brand has the specification's texts, word for word", async () => {
  const pages = await crawledPages();
  const missing = Object.entries(specifiedOnPages).flatMap(([address, texts]) => {
    const text = wordsOf(pages.get(address)!);
    return texts.filter((one) => !text.includes(one)).map((one) => `${address}: ${one}`);
  });
  const scripts = readdirSync(assetFolder)
    .filter((name) => name.endsWith(".js"))
    .map((name) => readFileSync(path.join(assetFolder, name), "utf8"))
    .join();
  missing.push(...specifiedInScripts.filter((one) => !scripts.includes(one)));
  assert.deepEqual(missing, []);
});

test("every page has one h1 and skips no heading level", async () => {
  const pages = await crawledPages();
  const articles = 35;
  assert.equal(pages.size, listedPaths().length + articles + unlisted.length);
  for (const [address, html] of pages) {
    const levels = [...html.matchAll(/<h([1-6])[ >]/g)].map(([, level]) => Number(level));
    assert.equal(levels.filter((level) => level === 1).length, 1, `${address}: one h1`);
    for (const [index, level] of levels.entries()) {
      const before = levels[index - 1] ?? 0;
      assert.ok(level <= before + 1, `${address}: from h${before} to h${level}`);
    }
  }
});

test("of pages with the same elements and classes, the first is valid HTML", async () => {
  const differing = unlikeEarlier(await crawledPages());
  assert.ok(differing.length > 15, `only ${differing.length} pages differ`);
  for (const [address, html] of differing) await assertValid(address, html);
});

/** The pages with an element or a class that no page before has; tests/long/pages.test.ts validates all. */
function unlikeEarlier(pages: Map<string, string>) {
  const seen = new Set<string>();
  return [...pages].filter(([, html]) => {
    const { size } = seen;
    for (const [start] of html.matchAll(/<\w+(?: class="[^"]*")?/g)) seen.add(start);
    return seen.size > size;
  });
}

test("no link to the site on any page is broken", async () => {
  await assertLinks((await sharedServer()).url, await crawledPages());
});

test("every page has its own title, description and canonical address, and an og:title", async () => {
  const titles = new Map<string, string>();
  const descriptions = new Map<string, string>();
  for (const [address, html] of await crawledPages()) {
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
});

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
  const served = new Map<string, Set<string>>();
  for (const [from, to] of links) {
    const [page, id] = to.startsWith("#") ? [from, to.slice(1)] : to.split("#");
    const sameIds = ["/blog?", "/?results=sample&"].find((start) => page!.startsWith(start));
    let known = ids.get(page!) ?? ids.get(sameIds?.replace(/\?$|&$/, "") ?? "");
    if (/^\/(\?results|marking\?|api\/results\/|downloads\/|assets\/|feed\.xml)/.test(page!)) {
      known = served.get(page!);
      if (!known) {
        const response = await fetch(url + page);
        assert.equal(response.status, 200, `${from} links to ${to}`);
        known = idsIn(await response.text());
        served.set(page!, known);
      }
    }
    assert.ok(known, `${from} links to ${to}`);
    if (id) assert.ok(known.has(decodeURIComponent(id)), `${from} links to ${to}`);
  }
}

test("a reading page ships no script and few styles", async () => {
  const server = await sharedServer();
  const pages = await crawledPages();
  const withScript =
    /^\/(|blog|blog\?q=memo|\?results=sample|contact|demo|latest-feature|test-forms)$/;
  const reading = [...pages].filter(([address]) => !withScript.test(address));
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
    assert.ok(size <= maxStyleBytes, `${address}: ${size} bytes of styles`);
  }
});

for (const [address, sections] of [
  ["/terms-conditions", 23],
  ["/privacy-policy", 15],
  ["/security-policy", 10],
  ["/paia-manual", 10],
] as const) {
  test(`${address} has its numbered sections`, async () => {
    const html = (await crawledPages()).get(address)!;
    const numbers = [...html.matchAll(/<h2 id="[^"]*">(\d+)\. /g)].map(([, one]) => Number(one));
    assert.deepEqual(
      numbers,
      Array.from({ length: sections }, (_, index) => index + 1),
    );
  });
}

/** The title and description of a page, as a search engine shows them. */
async function shownBySearch(address: string) {
  const html = await (await fetch((await sharedServer()).url + address)).text();
  const title = /<title>([^<]+)<\/title>/.exec(html)![1]!.replaceAll("&amp;", "&");
  return { title, description: /<meta name="description" content="([^"]+)"/.exec(html)![1]! };
}

test("titles and descriptions are short enough for search engines to show them whole", async () => {
  for (const { path: address } of pages) {
    const { title, description } = await shownBySearch(address);
    assert.ok(title.length <= 60, `${address}: ${title.length} in ${title}`);
    assert.ok(description.length <= 155, `${address}: ${description.length} in ${description}`);
  }
});

test("titles and descriptions of home and features say what the service is", async () => {
  for (const address of ["/", "/features"]) {
    const { title, description } = await shownBySearch(address);
    for (const word of [/\bAI\b/, /marking|grading/i, /South Africa/, /essay/i]) {
      assert.match(title + description, word, address);
    }
  }
});

test("no page’s source has a limit or a time of the service in figures", () => {
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
  assert.ok(files.length > 70, `only ${files.length} files were found`);
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
