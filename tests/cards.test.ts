import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { decodeXml } from "../app/domain/xml.ts";
import { type CardText, cardName, siteTitle } from "../app/server/content/card-name.ts";
import { card, height, maxTitleWidth, titleLines, width } from "../scripts/cards/card.ts";
import { advanceWidth, loadSvg } from "../scripts/cards/svg.ts";
import { assetFolder, assetNamed } from "./support/built-assets.ts";
import { exportContent } from "./support/content.ts";
import { newFolder, sharedServer, startServer } from "./support/server.ts";

const maxCardBytes = 25_000;

/** Returns the URL and alt text of a page's Open Graph image. */
async function cardOf(url: string, address: string) {
  const html = await (await fetch(url + address)).text();
  const property = (name: string) =>
    new RegExp(`<meta property="og:${name}" content="([^"]*)"`).exec(html)?.[1];
  assert.equal(property("image:width"), "1200", address);
  assert.equal(property("image:height"), "630", address);
  return { image: property("image")!, alt: property("image:alt")! };
}

async function articlesOf(url: string) {
  const feed = await (await fetch(`${url}/feed.xml`)).text();
  const entries =
    /<entry>\n<id>http:\/\/[^/<]+([^<]+)<[\s\S]*?<title>([^<]*)<[\s\S]*?<category term="([^"]*)"/g;
  return [...feed.matchAll(entries)].map(([, address, title, category]) => ({
    address: address!,
    title: decodeXml(title!),
    category: decodeXml(category!),
  }));
}

test("each article has a card of its own, and other pages share the site’s", async () => {
  const origin = "http://localhost:0";
  const server = await sharedServer();
  const sitemap = await (await fetch(`${server.url}/sitemap.xml`)).text();
  const pages = [...sitemap.matchAll(/<loc>http:\/\/[^/]+([^<]*)<\/loc>/g)].map(([, at]) => at!);
  assert.equal(pages.length, 48);
  const articles = await articlesOf(server.url);
  const fileOf = (text: Omit<CardText, "name">) =>
    assetNamed(new RegExp(`^${cardName({ name: "Rubricon", ...text })}-.*\\.png$`));
  const own = new Map(articles.map(({ address, ...text }) => [address, fileOf(text)]));
  const site = fileOf({ title: siteTitle });
  const files = new Set([...own.values(), site]);
  assert.equal(files.size, 36);
  assert.ok(pages.includes("/") && !own.has("/"));
  for (const address of pages) {
    const { image, alt } = await cardOf(server.url, address);
    assert.equal(image, `${origin}/assets/${own.get(address) ?? site}`, address);
    assert.ok(alt.length > 40, alt);
  }
  const { headers } = await fetch(`${server.url}/assets/${site}`);
  assert.equal(headers.get("Content-Type"), "image/png");
  assert.match(headers.get("Cache-Control")!, /immutable/);
  for (const file of files) {
    const bytes = readFileSync(path.join(assetFolder, file));
    assert.equal(bytes.toString("latin1", 12, 16), "IHDR");
    assert.deepEqual([bytes.readUInt32BE(16), bytes.readUInt32BE(20)], [width, height]);
    assert.ok(bytes.length <= maxCardBytes, `${file}: ${bytes.length} bytes`);
  }
});

test("articles of another brand, and an institution’s own, have the site’s card", async (t) => {
  const ours = await sharedServer();
  const branded = await cardOf(ours.url, "/");
  const content = await exportContent(t);
  const renamed = await startServer(t, {
    env: { RUBRICON_BRAND_NAME: "Our House", RUBRICON_CONTENT_DIR: content.own },
  });
  const unbranded = await cardOf(renamed.url, "/");
  assert.notEqual(path.basename(unbranded.image), path.basename(branded.image));
  const articles = await articlesOf(renamed.url);
  assert.equal(articles.length, 35);
  for (const { address } of articles.slice(0, 3)) {
    const { image } = await cardOf(renamed.url, address);
    assert.equal(path.basename(image), path.basename(unbranded.image), address);
  }
  const folder = newFolder(t);
  mkdirSync(path.join(folder, "own/articles"), { recursive: true });
  writeFileSync(
    path.join(folder, "own/articles/only.md"),
    `---\nid: 1\ntitle: "Our own"\nexcerpt: "By us."\nauthor: "Us"\ndate: 2026-01-31\ncategory: "News"\nimage: memo\nslug: "only"\n---\n\nHello.\n`,
  );
  const env = { RUBRICON_CONTENT_DIR: path.join(folder, "own") };
  const own = await startServer(t, { folder, env });
  const { image } = await cardOf(own.url, "/only");
  assert.equal(path.basename(image), path.basename(branded.image), "the site's own card");
});

test("a short, a wide and a long title fit on their cards", () => {
  const titles = [
    "AI",
    "The Accuracy of AI in Exam Grading Compared to Human Graders",
    "How Rubricon Is Transforming AI in STEM Education: Four Answers, Marked Line by Line",
    "Assesseringsverantwoordelikhede & <more> of them, for every subject",
    "W".repeat(18),
    Array.from({ length: 24 }, () => "marking").join(" "),
  ];
  for (const title of titles) {
    const { lines, size, lead } = titleLines(title);
    assert.equal(lines.join(" "), title);
    for (const line of lines) assert.ok(advanceWidth(line) * size <= maxTitleWidth + 1, line);
    assert.ok(lines.length * lead <= 370, title);
    const svg = card({ name: "Rubricon", category: "Research & Analysis", title });
    const { pixels } = loadSvg(svg).render();
    const isWritten = (x: number, y: number) => pixels[(y * width + x) * 4 + 1]! < 150;
    const written: [x: number, y: number][] = [];
    for (let y = 0; y < height; y += 1) {
      for (let x = 140; x < width; x += 1) if (isWritten(x, y)) written.push([x, y]);
    }
    assert.ok(written.length > 2000, title);
    const strays = written.filter(([x, y]) => x < 165 || x > 1140 || y < 60 || y > 610);
    assert.deepEqual(strays.slice(0, 3), [], title);
    // The space between the title and the name is empty.
    assert.ok(!written.some(([, y]) => y > 538 && y < 548), title);
  }
});

test("a title that is too long for a card is rejected", () => {
  assert.throws(
    () => titleLines(Array.from({ length: 60 }, () => "marking").join(" ")),
    /too long for a social card/,
  );
});
