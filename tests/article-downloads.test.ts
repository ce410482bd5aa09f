/** The files that articles offer, built from content/downloads. */
import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type TestContext, test } from "node:test";
import { XMLParser, XMLValidator } from "fast-xml-parser";
import { partsOf } from "./support/office-parts.ts";
import { newFolder, runCommand, sharedServer, startServer } from "./support/server.ts";
import { Worksheet } from "./support/spreadsheet.ts";

const content = path.join(import.meta.dirname, "../content");
const articleOf: Record<string, string> = {
  "agreement-between-markers.xlsx": "exam-grading-accuracy-comparison",
  "marking-policy.docx": "accuracy-and-fairness-in-grading-are-nonnegotiable",
  "scanning-sheet.docx": "improve-remote-learning-with-rubricon",
  "supplier-clauses.docx": "ai-tools-to-enhance-education-in-south-africa",
};
const bodyOf = (file: string) =>
  readFileSync(path.join(content, "articles", file), "utf8").replace(/^---\n[\s\S]*?\n---\n/, "");

/** Returns the paragraphs of a Word file. */
async function paragraphsOf(bytes: Buffer): Promise<string[]> {
  const xml = (await partsOf(bytes)).get("word/document.xml")!;
  return xml
    .split("</w:p>")
    .map((paragraph) => paragraph.replace(/<[^>]*>/g, "").replaceAll("&amp;", "&"));
}

const download = async (url: string, name: string) => {
  const response = await fetch(`${url}/downloads/${name}`);
  assert.equal(response.status, 200, name);
  return Buffer.from(await response.arrayBuffer());
};

let fetched: Promise<Map<string, Buffer>> | undefined;

/** Returns a built-in file; all are fetched once. */
async function builtIn(name: string): Promise<Buffer> {
  fetched ??= sharedServer().then(async ({ url }) => {
    const all = Object.keys(articleOf).map(
      async (file) => [file, await download(url, file)] as const,
    );
    return new Map(await Promise.all(all));
  });
  return (await fetched).get(name)!;
}

/** A list item or quotation of an article as a reader sees it. */
const plain = (markdown: string) => markdown.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").trim();

test("articles offer their files with the size, as attachments that Office opens, and cached by ETag", async () => {
  const { url } = await sharedServer();
  const types = {
    docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  };
  for (const [name, slug] of Object.entries(articleOf)) {
    const address = `${url}/downloads/${name}`;
    const response = await fetch(address);
    const bytes = Buffer.from(await response.arrayBuffer());
    const { headers } = response;
    assert.equal(headers.get("content-type"), types[name.slice(-4) as keyof typeof types]);
    assert.equal(headers.get("content-disposition"), `attachment; filename="${name}"`);
    assert.equal(headers.get("x-content-type-options"), "nosniff");
    assert.equal(headers.get("cache-control"), "no-cache");
    const again = await fetch(address, { headers: { "If-None-Match": headers.get("etag")! } });
    assert.equal(again.status, 304);
    assert.equal(
      (await fetch(address, { method: "HEAD" })).headers.get("etag"),
      headers.get("etag"),
    );
    assert.equal((await fetch(`${address}?utm_source=x`)).status, 200);

    const article = (await (await fetch(`${url}/${slug}`)).text()).replaceAll("<!-- -->", "");
    const size = `${Math.ceil(bytes.length / 1000)} kB)`;
    const link = article.slice(article.indexOf(`href="/downloads/${name}"`)).split("</li>")[0]!;
    assert.ok(link.endsWith(size), `${link}: ${size}`);

    const parts = await partsOf(bytes);
    assert.ok(parts.size >= 6, name);
    for (const [part, xml] of parts) assert.equal(XMLValidator.validate(xml), true, part);
    const list = new XMLParser({ ignoreAttributes: false, attributeNamePrefix: "" });
    const { Types } = list.parse(parts.get("[Content_Types].xml")!);
    const named = (Types.Override as { PartName: string }[]).map(({ PartName }) =>
      PartName.slice(1),
    );
    const unnamed = [...parts.keys()].filter((part) => !/\.rels$|^\[/.test(part));
    assert.deepEqual(named.sort(), unnamed.sort(), "every part has a type, and every type a part");
  }
  assert.equal((await fetch(`${url}/downloads/no-such-file.docx`)).status, 404);
  const sitemap = await (await fetch(`${url}/sitemap.xml`)).text();
  assert.doesNotMatch(sitemap, /downloads/);
});

test("the formulas of the spreadsheet give the sums of the article", async () => {
  const parts = await partsOf(await builtIn("agreement-between-markers.xlsx"));
  const sheet = (number: number) => new Worksheet(parts.get(`xl/worksheets/sheet${number}.xml`)!);
  const article = bodyOf("exam-grading-accuracy-comparison.md");
  const rows = article
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .map((line) =>
      line
        .split("|")
        .map((cell) => cell.trim())
        .slice(1, -1),
    );
  const [head, , ...lines] = rows as [string[], string[], ...string[][]];
  assert.equal(lines.length, 6);
  const thirty = sheet(2);
  const markers = head.slice(1);
  assert.deepEqual(markers, ["Marker B", "Machine", "Six for everyone"]);
  for (const [label, ...figures] of lines as [string, ...string[]][]) {
    for (const [index, printed] of figures.entries()) {
      const value = thirty.figure(label, `${markers[index]} against Marker A`) as number;
      const digits = /\.(\d+)/.exec(printed)?.[1]?.length ?? 0;
      const shown = (printed.endsWith("%") ? value * 100 : value).toFixed(digits);
      assert.equal(Number(shown), Number(printed.replace("−", "-").replace("%", "")), label);
    }
  }
  const near = thirty.figure("Adjacent: 95% interval, from", "Machine against Marker A") as number;
  const far = thirty.figure("Adjacent: 95% interval, to", "Machine against Marker A") as number;
  assert.match(article, /95% interval runs from roughly 83 to 99/);
  assert.deepEqual([Math.round(near * 100), Math.round(far * 100)], [83, 99]);

  const five = sheet(3);
  const ofFive = (label: string) => five.figure(label, "Machine against Marker A") as number;
  assert.match(article, /A gives 4, 6, 7, 8 and 5; the machine 5, 6, 6, 8 and 4\./);
  assert.deepEqual(
    [2, 3, 4, 5, 6].map((row) => five.valueOf(`B${row}`)),
    [4, 6, 7, 8, 5],
  );
  assert.deepEqual(
    [2, 3, 4, 5, 6].map((row) => five.valueOf(`C${row}`)),
    [5, 6, 6, 8, 4],
  );
  assert.equal(ofFive("Quadratic weighted kappa").toFixed(2), "0.84");
  assert.equal(ofFive("Exactly the same mark"), 0.4);
  assert.equal(ofFive("Same or one mark away (adjacent)"), 1);
  five.set("C5", 4);
  assert.equal(Math.abs(ofFive("Quadratic weighted kappa")).toFixed(2), "0.00");
  assert.equal(ofFive("Exactly the same mark"), 0.2);
  assert.equal(ofFive("100 minus the average miss, in %").toFixed(0), "86");
});

test("the empty sheet takes up to 60 scripts, shows no figure before there are marks, and says when one is missing", async () => {
  const parts = await partsOf(await builtIn("agreement-between-markers.xlsx"));
  const xml = parts.get("xl/worksheets/sheet1.xml")!;
  assert.match(xml, /<dataValidation type="decimal" [^>]*sqref="B2:E61"/);
  const sheet = new Worksheet(xml);
  const figure = (label: string, pair: string) => sheet.figure(label, pair);
  const pair = "Machine against Marker A";
  assert.equal(figure("Exactly the same mark", pair), "");
  for (let row = 2; row <= 61; row += 1) {
    sheet.set(`B${row}`, row % 8);
    sheet.set(`D${row}`, row % 8);
  }
  assert.equal(figure("Scripts with both marks", pair), 60);
  assert.equal(figure("Quadratic weighted kappa", pair), 1);
  sheet.set("C2", 5);
  assert.equal(figure("Scripts with both marks", "Marker B against Marker A"), 1);
  assert.equal(
    figure("Quadratic weighted kappa", "Marker B against Marker A"),
    "a mark is missing",
  );
});

test("the Word files have the clauses and lists of their articles, word for word", async () => {
  const policy = await paragraphsOf(await builtIn("marking-policy.docx"));
  const article = bodyOf("accuracy-and-fairness-in-grading-are-nonnegotiable.md");
  const quoted = [...article.matchAll(/^> (.*)$/gm)].map(([, clause]) => plain(clause!));
  assert.equal(quoted.length, 7);
  const steps = [...article.matchAll(/^\d\. (.*)$/gm)].map(([, step]) => plain(step!));
  for (const text of [...quoted, ...steps]) assert.ok(policy.includes(text), text);

  const clauses = await paragraphsOf(await builtIn("supplier-clauses.docx"));
  const asked = [
    ...bodyOf("ai-tools-to-enhance-education-in-south-africa.md").matchAll(/^\d\. (.*)$/gm),
  ];
  assert.equal(asked.length, 9);
  for (const [, clause] of asked) assert.ok(clauses.includes(plain(clause!)), clause!);
  const numbering = (await partsOf(await builtIn("supplier-clauses.docx"))).get(
    "word/numbering.xml",
  )!;
  assert.match(numbering, /<w:startOverride w:val="9"\/>/, "the ninth clause has its number");

  const sheet = await paragraphsOf(await builtIn("scanning-sheet.docx"));
  const advice = bodyOf("improve-remote-learning-with-product.md").split("## The 2 MB sum")[0]!;
  const points = [...advice.matchAll(/^(?:-|\d\.) (.*)$/gm)].map(([, point]) => plain(point!));
  assert.equal(points.length, 10);
  for (const point of points) assert.ok(sheet.includes(point), point);
});

async function exportContent(t: TestContext) {
  const folder = newFolder(t);
  await runCommand(folder, ["content", "export", "own"]);
  return { folder, own: path.join(folder, "own") };
}

test("under another brand the files have its name, and a content folder may replace them or leave them out", async (t) => {
  const named = await startServer(t, { env: { RUBRICON_BRAND_NAME: "Our House" } });
  for (const name of Object.keys(articleOf)) {
    const parts = await partsOf(await download(named.url, name));
    for (const [part, xml] of parts)
      assert.doesNotMatch(xml, /rubricon|\{\w+\}/i, `${name} ${part}`);
  }
  const clauses = await paragraphsOf(await download(named.url, "supplier-clauses.docx"));
  assert.match(clauses.join("\n"), /From the article “.*”, Our House\./);

  const { folder, own } = await exportContent(t);
  for (const name of ["articles", "pages", "blog.yaml", "brand.yaml"]) {
    rmSync(path.join(own, name), { recursive: true });
  }
  for (const file of readdirSync(path.join(own, "downloads"))) {
    if (file !== "supplier-clauses.md") rmSync(path.join(own, "downloads", file));
  }
  writeFileSync(
    path.join(own, "downloads/our-checklist.md"),
    '---\ntitle: "Checklist"\nlabel: "Our checklist"\narticle: "from-grading-to-guidance"\n---\n\n1. First for {product}.\n',
  );
  const { url } = await startServer(t, { folder, env: { RUBRICON_CONTENT_DIR: own } });
  assert.equal((await fetch(`${url}/downloads/marking-policy.docx`)).status, 404);
  const page = await (await fetch(`${url}/from-grading-to-guidance`)).text();
  assert.match(page, /<a href="\/downloads\/our-checklist\.docx" download="">Our checklist<\/a>/);
  const policyArticle = await (await fetch(`${url}/${articleOf["marking-policy.docx"]!}`)).text();
  assert.doesNotMatch(policyArticle, /downloads-title/);

  rmSync(path.join(own, "downloads"), { recursive: true });
  mkdirSync(path.join(own, "downloads"));
  const none = await startServer(t, { folder: newFolder(t), env: { RUBRICON_CONTENT_DIR: own } });
  assert.equal((await fetch(`${none.url}/downloads/supplier-clauses.docx`)).status, 404);
});

test("mistakes in downloads are reported with file and line", async (t) => {
  const { folder, own } = await exportContent(t);
  const change = (file: string, from: RegExp, to: string) => {
    const target = path.join(own, "downloads", file);
    const text = readFileSync(target, "utf8");
    assert.match(text, from, file);
    writeFileSync(target, text.replace(from, to));
  };
  change("marking-policy.md", /\{article: Clause 3\.\}/, "{article: Clause 33.}");
  change("scanning-sheet.md", /^article: .*/m, 'article: "gone"');
  change(
    "supplier-clauses.md",
    /\n\nWrite beside/,
    "\n\n| a | b |\n| - | - |\n| 1 | 2 |\n\nWrite beside",
  );
  change(
    "agreement-between-markers.yaml",
    /\["Machine", "Machine, second run"\]/,
    '["Machine", "Me"]',
  );
  writeFileSync(path.join(own, "downloads/Our File.md"), "x");
  const unknown = await runCommand(folder, ["config", "check", "--content-dir", "own"]);
  assert.match(unknown.err, /downloads\/Our File\.md: is not used by the site/);
  rmSync(path.join(own, "downloads/Our File.md"));
  const { code, err } = await runCommand(folder, ["config", "check", "--content-dir", "own"]);
  assert.equal(code, 78, err);
  for (const message of [
    /downloads\/marking-policy\.md:21: no passage of accuracy-\S+ begins with “Clause 33\.”/,
    /downloads\/scanning-sheet\.md:4: article: gone is not an article/,
    /downloads\/supplier-clauses\.md:11: a table has no form in a Word file/,
    /downloads\/agreement-between-markers\.yaml:\d+: sheets\.0: comparisons name a marker/,
  ]) {
    assert.match(err, message);
  }
});
