/** What readers and search engines find around an article: descriptions, links, sources, lists. */
import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { exportContent } from "./support/content.ts";
import { sharedServer, startServer } from "./support/server.ts";

const sinceThenDay = "2026-11-22";

let fetched: Promise<Map<string, string>> | undefined;

/** The pages of all articles, by slug; fetched once. */
function articlePages(): Promise<Map<string, string>> {
  fetched ??= fetchArticlePages();
  return fetched;
}

async function fetchArticlePages() {
  const { url } = await sharedServer();
  const list = await (await fetch(`${url}/blog`)).text();
  const slugs = [...list.matchAll(/<h3><a href="\/([^"]+)">/g)].map(([, slug]) => slug!);
  assert.equal(slugs.length, 35);
  const pages = new Map<string, string>();
  for (const slug of slugs) pages.set(slug, await (await fetch(`${url}/${slug}`)).text());
  return pages;
}

const jsonOf = (html: string, type: string) =>
  [...html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/g)]
    .map(([, json]) => JSON.parse(json!))
    .find((data) => data["@type"] === type);

const part = (html: string, from: RegExp, to: string) => {
  const start = html.search(from);
  return start === -1 ? "" : html.slice(start, html.indexOf(to, start));
};

const hrefsIn = (html: string) =>
  [...html.matchAll(/<a [^>]*?href="\/([^"#?]*)/g)].map(([, slug]) => slug!);

test("sources are listed with their year, as https links without referrer", async () => {
  let count = 0;
  for (const [slug, html] of await articlePages()) {
    const list = part(html, /<h2 id="sources-title"[^>]*>Sources/, "</section>");
    for (const work of list.split("<li>").slice(1)) {
      // A work whose address could not be verified has none.
      assert.match(
        work,
        /<cite>(<a href="https:\/\/[^"]+" rel="noreferrer">[^<]+<\/a>|[^<]+)<\/cite>/,
        slug,
      );
      assert.match(work, /\b(19|20)\d\d<\/li>/, slug);
      count += 1;
    }
  }
  assert.ok(count >= 40, `${count} sources`);
});

test("an article says when it was written, what has changed, and that its people are invented", async () => {
  let updated = 0;
  for (const [slug, html] of await articlePages()) {
    const standing = /<p class="standing hint">(.*?)<\/p>/.exec(html)![1]!.replace(/<!-- -->/g, "");
    assert.match(standing, /^Written in July 2021/, slug);
    assert.match(standing, /The people and schools in our examples are invented\.$/, slug);
    const hasSinceThen = html.includes('<h2 id="since-then">Since then</h2>');
    assert.equal(standing.includes('<a href="#since-then">'), hasSinceThen, slug);
    const { dateModified, datePublished } = jsonOf(html, "BlogPosting");
    assert.equal(datePublished, "2021-07-31", slug);
    const hasNote = html.includes('<p class="dated-note">');
    assert.equal(standing.includes("in notes with a date"), hasNote && !hasSinceThen, slug);
    if (hasSinceThen || hasNote) assert.equal(dateModified, sinceThenDay, slug);
    assert.equal(
      standing.includes(`<time dateTime="${sinceThenDay}">`),
      dateModified === sinceThenDay,
    );
    if (hasSinceThen || hasNote) updated += 1;
  }
  assert.ok(updated >= 10, `${updated} articles say what has changed`);
});

test("structured data describes an article, the list of articles, the service and the organisation", async () => {
  const server = await sharedServer();
  const get = async (address: string) => (await fetch(server.url + address)).text();
  const isImage = async (address: string) => {
    const response = await fetch(server.url + new URL(address).pathname);
    assert.equal(response.headers.get("content-type"), "image/png", address);
  };
  const html = await get("/from-grading-to-guidance");
  const posting = jsonOf(html, "BlogPosting");
  assert.ok(html.includes(`<meta name="description" content="${posting.description}"`));
  const address = "http://localhost:0/from-grading-to-guidance";
  assert.equal(posting.mainEntityOfPage, address);
  assert.equal(posting.url, address);
  await isImage(posting.image);
  await isImage(posting.publisher.logo);
  await isImage(jsonOf(await get("/"), "Organization").logo);
  const service = jsonOf(await get("/features"), "Service");
  assert.equal(service.name, "Rubricon");
  assert.equal(service.provider["@type"], "Organization");
  assert.equal(service.offers.price, "0");
  const items = jsonOf(await get("/blog"), "ItemList").itemListElement;
  assert.equal(items.length, 35);
  assert.deepEqual(items[0], {
    "@type": "ListItem",
    position: 1,
    url: "http://localhost:0/fairness-in-assessments",
  });
  assert.equal(jsonOf(await get("/blog?category=AI+Tools"), "ItemList"), undefined);
});

test("the blog opens with one article and its drawing unless it is filtered", async () => {
  const server = await sharedServer();
  const blog = await (await fetch(`${server.url}/blog`)).text();
  const lead = part(blog, /<article class="lead-article/, "</article>");
  assert.match(lead, /<h2><a href="\/fairness-in-assessments">/);
  assert.match(lead, /<svg class="article-picture drawn"/);
  const filtered = await (await fetch(`${server.url}/blog?q=memo`)).text();
  assert.doesNotMatch(filtered, /class="lead-article/);
});

test("a query longer than its field is cut", async () => {
  const server = await sharedServer();
  const found = await (await fetch(`${server.url}/blog?q=${"a+".repeat(900)}`)).text();
  assert.equal(/ name="q" [^>]*value="([^"]*)"/.exec(found)![1], "a ".repeat(50));
});

test("the blog is filtered by five sections and five kinds of reader", async () => {
  const server = await sharedServer();
  const blog = await (await fetch(`${server.url}/blog`)).text();
  const filters = part(blog, /<nav class="filters flush"/, "<search");
  const listsOf = async (name: string) => {
    const links = [...filters.matchAll(new RegExp(`href="(/blog\\?${name}=[^"]+)"`, "g"))];
    assert.equal(links.length, 5);
    const lists = links.map(async ([, href]) => (await fetch(server.url + href!)).text());
    return (await Promise.all(lists)).map((list) =>
      [...list.matchAll(/<h3><a href="([^"]+)"/g)].map(([, article]) => article!),
    );
  };
  const shelves = await listsOf("shelf");
  assert.equal(shelves.flat().length, 35);
  assert.equal(new Set(shelves.flat()).size, 35, "each article is in one section");
  for (const list of await listsOf("reader")) {
    assert.ok(list.length >= 4 && list.length < 10, list.join());
  }
});

test("the blog has five lettered sections, whose articles are numbered throughout", async () => {
  const server = await sharedServer();
  const blog = await (await fetch(`${server.url}/blog`)).text();
  const sections = [...blog.matchAll(/<section class="shelf".*?<\/section>/gs)].map(([text]) =>
    text.replace(/<[^>]*>/g, " ").replace(/\s+/g, " "),
  );
  assert.deepEqual(
    sections.map((text) => /Section ([A-Z])/.exec(text)![1]),
    ["A", "B", "C", "D", "E"],
  );
  const starts = [...blog.matchAll(/<ol class="article-list" start="(\d+)"/g)].map(([, start]) =>
    Number(start),
  );
  const counts = sections.map((text) => [...text.matchAll(/\[ ?\d+ ?\]/g)].length);
  let next = 1;
  for (const [index, count] of counts.entries()) {
    assert.equal(starts[index], next);
    next += count;
  }
  assert.equal(next, 36);
  for (const each of [
    /<svg class="article-picture drawn" viewBox="0 0 400 180" aria-hidden="true"><use /g,
    /<time dateTime="2021-07-31">31 July 2021<\/time><span>The Rubricon team<\/span>/g,
  ]) {
    assert.equal([...blog.matchAll(each)].length, 35, String(each));
  }
});

test("front matter and reading paths are validated with file and line", async (t) => {
  const { change, check } = await exportContent(t);
  /** Leaves an article the required fields, on lines 2 to 9, and adds these lines. */
  const withFields = (name: string, lines: string) =>
    change(`articles/${name}.md`, /^---\n[\s\S]*?\n---\n/, (whole) => {
      const required = /^(id|title|excerpt|author|date|category|image|slug): /;
      const kept = whole.split("\n").filter((line) => required.test(line));
      return ["---", ...kept, lines, "---", ""].join("\n");
    });
  const source = (url: string) =>
    `sources:\n  - title: "A work"\n    year: 2012\n    url: "${url}"`;
  withFields("fairness-in-assessments", `description: "${"long ".repeat(40)}"`);
  withFields("from-grading-to-guidance", `seoTitle: "${"long ".repeat(20)}"`);
  withFields("assessment-accuracy-and-fairness", source("http://example.org/work"));
  withFields("impact-of-ai-in-education", source("https://dx.doi.org/10.1000/182"));
  withFields("the-future-of-ai-in-education", source("https://doi.org/182"));
  withFields("machine-learning-the-future-of-education", 'readNext: ["no-such-article"]');
  withFields("advancing-educational-equity-with-ai", 'description: "The same."');
  withFields("the-future-of-automated-grading", 'description: "The same."');
  withFields("training-programs-with-ai-powered-assessments", "sources:\n  - titel: x");
  change("blog.yaml", /"the-future-of-automated-grading"/g, '"gone"');
  change("blog.yaml", /"advancing-educational-equity-with-ai"/, '"fairness-in-assessments"');
  const { code, err } = await check();
  assert.equal(code, 78, err);
  for (const message of [
    "fairness-in-assessments.md:10: description: must be at most 155 characters",
    "from-grading-to-guidance.md:10: seoTitle: must be at most 60 characters",
    "assessment-accuracy-and-fairness.md:13: sources.0.url: must be an address that begins with https://",
    "impact-of-ai-in-education.md:13: sources.0.url: must have the form https://doi.org/10.1000/182",
    "the-future-of-ai-in-education.md:13: sources.0.url: must have the form https://doi.org/10.1000/182",
    "machine-learning-the-future-of-education.md:10: readNext: no-such-article is not an article",
    "training-programs-with-ai-powered-assessments.md:11: sources.0.titel: ",
  ]) {
    assert.ok(err.includes(`articles/${message}`), `${message}\n${err}`);
  }
  assert.match(
    err,
    /the-future-of-automated-grading\.md:10: description: already used by articles\/advancing/,
  );
  assert.match(err, /blog\.yaml:\d+: readingPaths\.4\.articles\.0: is not an article/);
  assert.match(err, /blog\.yaml:\d+: shelves\.0\.articles\.7: is not an article/);
  assert.match(err, /blog\.yaml:\d+: shelves: an article is on two shelves/);
});

test("an institution's own articles have only what their fields state", async (t) => {
  const { folder, own, put } = await exportContent(t);
  rmSync(path.join(own, "articles"), { recursive: true });
  rmSync(path.join(own, "blog.yaml"));
  rmSync(path.join(own, "downloads"), { recursive: true });
  const write = (id: number, fields: string) =>
    put(
      `articles/${id}.md`,
      `---\nid: ${id}\ntitle: "Article ${id}"\nexcerpt: "About ${id}."\nauthor: "Us"\ndate: 2026-03-0${id}\ncategory: "News"\nimage: memo\nslug: "article-${id}"\n${fields}---\n\nText.\n`,
    );
  write(1, "");
  // A description may be the text of a slug.
  write(2, 'description: "article-2"\nreadNext: ["article-3"]\n');
  write(3, "updated: 2026-04-05\n");
  const server = await startServer(t, { folder, env: { RUBRICON_CONTENT_DIR: own } });
  const get = async (address: string) => (await fetch(server.url + address)).text();
  const plain = await get("/article-1");
  assert.match(plain, /<meta name="description" content="About 1\."/);
  assert.match(plain, /<title>Article 1: Rubricon<\/title>/);
  const text = (html: string) => html.replace(/<!-- -->/g, "");
  assert.match(
    text(plain),
    /Written in March 2026\. Facts, products and laws are as they were then\./,
  );
  assert.doesNotMatch(plain, /invented|sources-title/);
  const next = (html: string) => hrefsIn(part(html, /Read next/, "</nav>"));
  assert.deepEqual(next(plain), ["article-2", "article-3"]);
  assert.deepEqual(next(await get("/article-2")), ["article-3"]);
  assert.match(
    text(await get("/article-3")),
    /Written in March 2026 and updated on <time dateTime="2026-04-05">5 April 2026<\/time>\./,
  );
  assert.doesNotMatch(await get("/blog"), /reading-paths/);
});
