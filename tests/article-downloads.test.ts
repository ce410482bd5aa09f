/** The files that articles offer, in content/downloads. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { type TestContext, test } from "node:test";
import { bodyOf, exportContent } from "./support/content.ts";
import { partsOf } from "./support/office-parts.ts";
import { sharedServer, startServer } from "./support/server.ts";

const content = path.join(import.meta.dirname, "../content");
const articleOf: Record<string, string> = {
  "agreement-between-markers.xlsx": "exam-grading-accuracy-comparison",
  "marking-policy.docx": "accuracy-and-fairness-in-grading-are-nonnegotiable",
  "scanning-sheet.docx": "improve-remote-learning-with-rubricon",
  "supplier-clauses.docx": "ai-tools-to-enhance-education-in-south-africa",
};

/** Returns the paragraphs of a Word file. */
async function paragraphsOf(bytes: Buffer): Promise<string[]> {
  const xml = (await partsOf(bytes)).get("word/document.xml")!;
  return xml
    .split("</w:p>")
    .map((paragraph) => paragraph.replace(/<[^>]*>/g, "").replaceAll("&amp;", "&"));
}

/** Returns a built-in file. */
const builtIn = (name: string): Buffer => readFileSync(path.join(content, "downloads", name));

/** A list item or quotation of an article as a reader sees it. */
const plain = (markdown: string) => markdown.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").trim();

test("articles offer their files with the size", async () => {
  const { url } = await sharedServer();
  assert.deepEqual(
    readdirSync(path.join(content, "downloads")).sort(),
    Object.keys(articleOf).sort(),
  );
  for (const [name, slug] of Object.entries(articleOf)) {
    const article = (await (await fetch(`${url}/${slug}`)).text()).replaceAll("<!-- -->", "");
    const size = `${Math.ceil(builtIn(name).length / 1000)} kB)`;
    const link = article.slice(article.indexOf(`href="/downloads/${name}"`)).split("</li>")[0]!;
    assert.ok(link.endsWith(size), `${link}: ${size}`);
  }
});

test("the files of articles are attachments, cached by ETag", async () => {
  const { url } = await sharedServer();
  const types = {
    docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  };
  for (const name of Object.keys(articleOf)) {
    const address = `${url}/downloads/${name}`;
    const { headers } = await fetch(address);
    assert.equal(headers.get("content-type"), types[name.slice(-4) as keyof typeof types], name);
    assert.equal(headers.get("content-disposition"), `attachment; filename="${name}"`, name);
    assert.equal(headers.get("x-content-type-options"), "nosniff", name);
    assert.equal(headers.get("cache-control"), "no-cache", name);
    const etag = headers.get("etag")!;
    assert.equal((await fetch(address, { headers: { "If-None-Match": etag } })).status, 304, name);
    assert.equal((await fetch(address, { method: "HEAD" })).headers.get("etag"), etag, name);
    assert.equal((await fetch(`${address}?utm_source=x`)).status, 200, name);
  }
});

/** The texts of list items or quotations of an article that begin with this, as a reader sees them. */
const itemsOf = (text: string, begin: string) =>
  [...text.matchAll(new RegExp(`^(?:${begin}) (.*)$`, "gm"))].map(([, item]) => plain(item!));

const policyText = bodyOf("accuracy-and-fairness-in-grading-are-nonnegotiable.md");
const adviceText = bodyOf("improve-remote-learning-with-product.md").split(
  "## The sum of the megabytes",
)[0]!;
const clausesText = bodyOf("ai-tools-to-enhance-education-in-south-africa.md");

for (const [file, what, items, count] of [
  ["marking-policy.docx", "clauses", itemsOf(policyText, ">"), 7],
  ["marking-policy.docx", "steps", itemsOf(policyText, "\\d\\."), 6],
  ["supplier-clauses.docx", "clauses", itemsOf(clausesText, "\\d\\."), 9],
  ["scanning-sheet.docx", "points", itemsOf(adviceText, "-|\\d\\."), 10],
] as const) {
  test(`${file} has the ${count} ${what} of its article, word for word`, async () => {
    assert.equal(items.length, count);
    const paragraphs = await paragraphsOf(builtIn(file));
    for (const item of items) assert.ok(paragraphs.includes(item), item);
  });
}

test("the files name no brand", async () => {
  for (const name of Object.keys(articleOf)) {
    for (const [part, xml] of await partsOf(builtIn(name)))
      assert.doesNotMatch(xml, /rubricon|\{[a-z]\w*\}/i, `${name} ${part}`);
  }
});

/** A content folder with one replaced and one new download, which its blog.yaml does not list. */
async function ownDownloads(t: TestContext) {
  const { folder, own, read, put, check } = await exportContent(t);
  const exported = readFileSync(path.join(own, "downloads/marking-policy.docx"));
  assert.deepEqual(exported, builtIn("marking-policy.docx"));
  for (const name of ["articles", "pages", "brand.yaml"]) {
    rmSync(path.join(own, name), { recursive: true });
  }
  for (const file of readdirSync(path.join(own, "downloads"))) {
    if (file !== "supplier-clauses.docx") rmSync(path.join(own, "downloads", file));
  }
  put("downloads/supplier-clauses.docx", builtIn("marking-policy.docx"));
  put("downloads/our-checklist.pdf", "%PDF-1.7");
  const listed = read("blog.yaml");
  const entry =
    "  - {file: our-checklist.pdf, label: Our checklist, article: from-grading-to-guidance}\n";
  return { folder, own, put, check, listed, entry };
}

test("downloads that blog.yaml does not list, and files of other kinds, are reported", async (t) => {
  const { put, check } = await ownDownloads(t);
  put("downloads/Our File.md", "x");
  const { err } = await check();
  assert.match(err, /downloads\/Our File\.md: is not used by the site/);
  assert.match(
    err,
    /downloads\/our-checklist\.pdf: is not used by the site; list it in blog\.yaml/,
  );
});

test("an entry of blog.yaml without its file or article is reported", async (t) => {
  const { put, check, listed, entry } = await ownDownloads(t);
  put("blog.yaml", `${listed}${entry.replace("our-", "a-").replace("from-", "to-")}`);
  const { code, err } = await check();
  assert.equal(code, 78, err);
  assert.match(err, /blog\.yaml:\d+: downloads\.4\.file: is not a file in downloads/);
  assert.match(err, /blog\.yaml:\d+: downloads\.4\.article: is not an article/);
});

test("a content folder may replace, add or leave out downloads", async (t) => {
  const { folder, own, put, listed, entry } = await ownDownloads(t);
  const withoutPolicy = listed.replace(/ {2}- file: "marking-policy\.docx"\n.*\n.*\n/, "");
  put("blog.yaml", `${withoutPolicy}${entry}`);
  const { url } = await startServer(t, { folder, env: { RUBRICON_CONTENT_DIR: own } });
  const textAt = async (address: string) => (await fetch(url + address)).text();
  const replaced = await fetch(`${url}/downloads/supplier-clauses.docx`);
  assert.deepEqual(Buffer.from(await replaced.arrayBuffer()), builtIn("marking-policy.docx"));
  assert.equal(await textAt("/downloads/our-checklist.pdf"), "%PDF-1.7");
  assert.match(
    await textAt("/from-grading-to-guidance"),
    /<a href="\/downloads\/our-checklist\.pdf" download="">Our checklist<\/a>[^(]*\(<!-- -->PDF<!-- -->, /,
  );
  assert.equal((await fetch(`${url}/downloads/marking-policy.docx`)).status, 404);
  assert.doesNotMatch(await textAt(`/${articleOf["marking-policy.docx"]!}`), /downloads-title/);
});
