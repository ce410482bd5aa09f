import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { card, height, maxTitleWidth, titleLines, width } from "../scripts/cards/card.ts";
import { advanceWidth, loadSvg } from "../scripts/cards/svg.ts";
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

async function articlesOf(url: string): Promise<string[]> {
  const feed = await (await fetch(`${url}/feed.xml`)).text();
  return [...feed.matchAll(/<entry>\n<id>http:\/\/[^/<]+([^<]+)</g)].map(([, address]) => address!);
}

test("each article has a card of its own, and other pages share the site’s", async (t) => {
  const origin = "http://localhost:0";
  const server = await sharedServer();
  const sitemap = await (await fetch(`${server.url}/sitemap.xml`)).text();
  const pages = [...sitemap.matchAll(/<loc>http:\/\/[^/]+([^<]*)<\/loc>/g)].map(([, at]) => at!);
  assert.equal(pages.length, 48);
  const seen = new Map<string, string[]>();
  for (const address of pages) {
    const { image, alt } = await cardOf(server.url, address);
    assert.ok(image.startsWith(`${origin}/assets/`), image);
    assert.ok(alt.length > 40, alt);
    seen.set(image, [...(seen.get(image) ?? []), address]);
  }
  assert.equal(seen.size, 36);
  const articles = new Set(await articlesOf(server.url));
  const shared = [...seen.values()].filter((addresses) => addresses.length > 1);
  const others = pages.filter((address) => !articles.has(address));
  assert.deepEqual(shared, [others], "pages that are not articles share the site's card");
  assert.ok(others.includes("/"));
  let total = 0;
  for (const image of seen.keys()) {
    const response = await fetch(image.replace(origin, server.url));
    assert.equal(response.headers.get("Content-Type"), "image/png");
    assert.match(response.headers.get("Cache-Control")!, /immutable/);
    const bytes = Buffer.from(await response.arrayBuffer());
    assert.equal(bytes.toString("latin1", 12, 16), "IHDR");
    assert.deepEqual([bytes.readUInt32BE(16), bytes.readUInt32BE(20)], [width, height]);
    assert.ok(bytes.length <= maxCardBytes, `${image}: ${bytes.length} bytes`);
    total += bytes.length;
  }
  t.diagnostic(`${seen.size} cards, ${total} bytes`);
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
  for (const address of articles.slice(0, 3)) {
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
