import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { XMLParser, XMLValidator } from "fast-xml-parser";
import { dayMs } from "../app/domain/duration.ts";
import { type Found, splitDocument } from "../app/server/content/document.ts";
import { renderMarkdown } from "../app/server/content/markdown.ts";
import { fillText } from "../app/server/content/placeholders.ts";
import { renderPlot } from "../app/server/content/plot.ts";
import { readArticles } from "../app/server/content/read-articles.ts";
import { once } from "../app/server/system/once.ts";
import { listedPaths } from "../app/site.ts";
import { wholeFile } from "./support/at-end.ts";
import { column } from "./support/columns.ts";
import { runCommandsHere } from "./support/commands-here.ts";
import { bodyOf, exportContent } from "./support/content.ts";
import { succeeded } from "./support/output-of.ts";
import { getWithHost, sendRequest } from "./support/send-request.ts";
import { newFolder, runCommand, startServer } from "./support/server.ts";

runCommandsHere();

const root = path.join(import.meta.dirname, "..");
const articleFiles = readdirSync(path.join(root, "content/articles"));

const site = once(() =>
  startServer(wholeFile, { env: { RUBRICON_PUBLIC_URL: "https://site.example" } }),
);

/** Gets a page or file of a server at https://site.example. */
const get = async (address: string) => getWithHost((await site()).url, address, "site.example");

/** The points of an article's plot. */
const plotPoints = (file: string) =>
  [
    .../points: \[([\s\S]*?)\]\s*(?:\n\w|\n```)/
      .exec(bodyOf(file))![1]!
      .matchAll(/\[([\d.]+), ([\d.]+)\]/g),
  ].map(([, x, y]) => [Number(x), Number(y)] as const);

test("the plot of the minutes of a Sunday has the figures of its article", () => {
  const file = "eliminate-grading-stress-with-product.md";
  const counted = /The memo takes (\d+) minutes to complete, scanning takes (\d+),/;
  const [, memo, scanning] = counted.exec(bodyOf(file))!.map(Number) as [number, number, number];
  const points = plotPoints(file);
  assert.ok(points.length >= 2);
  // The pile has 68 scripts.
  for (const [minutes, total] of points) assert.equal(total, memo + scanning + 68 * minutes);
});

test("the plot of a pile of scripts has the six figures of its article", () => {
  const pile = plotPoints("exam-grading-accuracy-comparison.md");
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = (values: number[]) => mean(values.map((value) => (value - mean(values)) ** 2));
  const figuresOf = (pairs: (readonly [number, number])[]) => {
    const misses = pairs.map(([marker, other]) => other - marker);
    const [markers, others] = [0, 1].map((index) => pairs.map((pair) => pair[index]!));
    const chance = variance(markers!) + variance(others!) + mean(misses) ** 2;
    const share = (max: number) =>
      misses.filter((miss) => Math.abs(miss) <= max).length / pairs.length;
    return [
      `${Math.round(100 * share(0))}%`,
      `${Math.round(100 * share(1))}%`,
      `${Math.round(100 - 10 * mean(misses.map(Math.abs)))}`,
      (1 - mean(misses.map((miss) => miss ** 2)) / chance).toFixed(2),
      mean(misses).toFixed(2).replace("-", "−").replace(/^\d/, "+$&"),
      `${Math.max(...misses.map(Math.abs))}`,
    ];
  };
  const table = bodyOf("exam-grading-accuracy-comparison.md")
    .split("\n")
    .filter((line) => /^\| (?!Compared|---)/.test(line))
    .map((line) => {
      const [, , , machine, alwaysSix] = line.split("|").map((cell) => cell.trim());
      return { machine, alwaysSix };
    });
  assert.deepEqual(figuresOf(pile), column(table, "machine"));
  assert.deepEqual(figuresOf(pile.map(([marker]) => [marker, 6])), column(table, "alwaysSix"));
});

test("a plot has its figures as a table", async () => {
  const { body: html } = await get("/fairness-in-assessments");
  const plot = /<figure class="plot sheet flush">.*?<\/figure>/s.exec(html)![0];
  const rows = plot.matchAll(/<tr><td>([\d.]+)<\/td><td>([\d.]+)<\/td><\/tr>/g);
  assert.deepEqual(
    [...rows].map(([, x, y]) => [Number(x), Number(y)]),
    plotPoints("fairness-in-assessments.md"),
  );
});

test("an axis of a plot has a tick at each multiple of its step, as a person would write it", () => {
  const ticksOf = (axis: string) => {
    const plot = `caption: c\nx: {label: x, from: 0, to: 1, step: 1}\ny: {label: y, ${axis}}\npoints: [[0, 0]]`;
    const rendered = renderPlot(plot);
    assert.ok("html" in rendered, JSON.stringify(rendered));
    return [...rendered.html.matchAll(/class="at"[^>]*"end">([^<]*)</g)].map(([, tick]) => tick);
  };
  assert.deepEqual(ticksOf("from: 0, to: 0.3, step: 0.1"), ["0", "0.1", "0.2", "0.3"]);
  assert.deepEqual(ticksOf("from: 0, to: 0.015, step: 0.005"), ["0", "0.005", "0.01", "0.015"]);
  assert.deepEqual(ticksOf("from: -0.3, to: 0.1, step: 0.1"), ["-0.3", "-0.2", "-0.1", "0", "0.1"]);
});

test("a plot whose ticks would be too many, or whose diagonal joins other values, is rejected", () => {
  const errorsOf = (axes: string) => {
    const plot = renderPlot(`caption: c\n${axes}\ndiagonal: the same\npoints: [[0, 0]]`);
    return "errors" in plot ? column(plot.errors, "message") : [];
  };
  const y = "y: {label: y, from: 0, to: 21, step: 1.05}";
  assert.deepEqual(errorsOf(`x: {label: x, from: 0, to: 21, step: 1}\n${y}`), [
    "x.step: makes more than 20 steps: it must be larger",
  ]);
  assert.deepEqual(errorsOf(`x: {label: x, from: 1, to: 21, step: 1}\n${y}`), [
    "diagonal: needs axes with the same from and to",
  ]);
  assert.deepEqual(errorsOf(`x: {label: x, from: 0, to: 21, step: 7}\n${y}`), []);
});

test("front matter ends at a line of its own, which may be the last of the file", () => {
  const yaml = "title: A---B\n";
  assert.deepEqual(splitDocument(`---\n${yaml}---\nText.\n`), { yaml, body: "Text.\n" });
  assert.deepEqual(splitDocument(`\uFEFF---\r\ntitle: A---B\r\n---`), { yaml, body: "" });
  assert.equal(splitDocument(`---\n${yaml}---- Text.\n`), undefined);
});

test("an empty plot is reported as such, without mention of front matter", () => {
  const errors = [{ file: "", line: 1, message: "must be a group of keys" }];
  assert.deepEqual(renderPlot(""), { errors });
});

test("every heading has an id of its own, also one that reads like the id of a repeated heading", () => {
  const values = { product: "Desk", slug: "desk" };
  for (const [headings, expected] of [
    [
      ["Step", "Step", "Step 2"],
      ["step", "step-2", "step-2-2"],
    ],
    [
      ["Step 2", "Step", "Step"],
      ["step-2", "step", "step-3"],
    ],
  ] as const) {
    const text = headings.map((heading) => `## ${heading}\n\n`).join("");
    const { html, contents } = renderMarkdown(text, values);
    const ids = [...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id!);
    assert.deepEqual(ids, expected);
    assert.deepEqual(column(contents, "id"), ids);
  }
});

test("links have the line of the file, also a repeated one and one below a value of several lines", () => {
  const values = { product: "Desk", slug: "desk", pilot: "1. Choose.\n1. Send.\n1. Compare." };
  const { links } = renderMarkdown("[one](/a)\n\n{pilot}\n\n[one](/a)\n", values);
  assert.deepEqual(links, [
    { href: "/a", line: 1 },
    { href: "/a", line: 5 },
  ]);
});

test("without an email address texts name the contact page, and only Markdown links to it", () => {
  const values = { product: "Desk", slug: "desk", email: "" };
  assert.equal(fillText("Write to {email}.", values), "Write to our contact page.");
  const { html } = renderMarkdown("Write to {email}.", values);
  assert.equal(html, '<p>Write to <a href="/contact">our contact page</a>.</p>\n');
});

test("an empty value leaves out its own list item, and its row of a table", () => {
  const values = { product: "Desk", slug: "desk", phone: "" };
  const listed = renderMarkdown("- one\n  - {?phone}Call\n  - two\n- three {phone}\n", values);
  const html = "<ul>\n<li>one<ul>\n<li>two</li>\n</ul>\n</li>\n</ul>\n";
  assert.equal(listed.html, html);
  const rows = "| By | {phone} |\n|---|---|\n| phone | {phone} |\n| post | Durban |\n";
  assert.match(
    renderMarkdown(rows, values).html,
    /<thead><tr><th scope="col">By<\/th><td><\/td><\/tr><\/thead><tbody><tr><td>post<\/td><td>Durban<\/td><\/tr><\/tbody>/,
  );
});

test("mistakes in a plot are reported with their line", () => {
  const file = "articles/fairness-in-assessments.md";
  const article = readFileSync(path.join(root, "content", file), "utf8");
  const text = article.replace(/^readNext: .*/m, "readNext: []");
  const source = text.replace("to: 60", "to: none").replace("[31, 19],", "[31],");
  const found: Found = { links: [], errors: [], warnings: [] };
  readArticles(new Map([[file, source]]), { product: "Desk", slug: "desk" }, true, found);
  const lineOf = (start: string) =>
    text.split("\n").findIndex((line) => line.startsWith(start)) + 1;
  assert.deepEqual(
    found.errors.map(({ file, line, message }) => [file, line, message.split(":")[0]]),
    [
      [file, lineOf("x: {"), "x.to"],
      [file, lineOf("points:"), "points.3"],
    ],
  );
});

test("an article with an error is not called missing by one that leads to it", () => {
  const found: Found = { links: [], errors: [], warnings: [] };
  const [leading, other] = ["fairness-in-assessments", "assessment-accuracy-and-fairness"];
  const files = [leading, other].map((slug) => {
    const file = `articles/${slug}.md`;
    const source = readFileSync(path.join(root, "content", file), "utf8");
    const changed =
      slug === other
        ? source.replace(/^title: .*/m, "title: 5")
        : source.replace(/^readNext: .*/m, `readNext: ["${other}"]`);
    return [file, changed] as const;
  });
  readArticles(new Map(files), { product: "Desk", slug: "desk" }, true, found);
  assert.deepEqual(
    found.errors.map(({ file, message }) => [file, message.split(":")[0]]),
    [[`articles/${other}.md`, "title"]],
  );
});

test("a table is named by the heading above it", async () => {
  const { body: html } = await get("/paia-manual");
  assert.match(
    html,
    /<h2 [^>]*>5\. Records that we hold<\/h2>(?:(?!<h2).)*<table aria-label="5\. Records that we hold">/s,
  );
});

/** The page of the articles that a query finds, and their number. */
async function find(query: string) {
  const { status, body: html } = await get(`/blog?${query}`);
  assert.equal(status, 200, query);
  return { html, count: [...html.matchAll(/<h3><a href="\//g)].length };
}

test("articles are filtered by category and shelf", async () => {
  const category = await find("category=Educational+Equity");
  assert.equal(category.count, 2);
  assert.match(category.html, /2 articles in “Educational Equity”\./);
  assert.match(category.html, /<input type="hidden" name="category" value="Educational Equity"\/>/);
  const shelf = await find("shelf=Fairness");
  assert.equal(shelf.count, 7);
  assert.match(shelf.html, /<a href="\/blog\?shelf=Fairness" aria-current="page">Fairness<\/a>/);
  assert.equal((await find("shelf=Fairness&category=Educational+Equity")).count, 2);
  assert.equal((await find("shelf=Marking&category=Educational+Equity")).count, 0);
  assert.equal((await find("shelf=Nothing")).count, 0);
});

test("a reader finds the articles for them in the order to read them", async () => {
  const { html } = await find("reader=New+to+marking");
  assert.deepEqual(
    [...html.matchAll(/<h3><a href="\/([^"]+)/g)].map(([, slug]) => slug),
    [
      "fairness-in-assessments",
      "from-grading-to-guidance",
      "empowering-teacher-support-with-ai",
      "beginners-guide-to-ai-in-education-top-examples",
    ],
  );
});

test("articles are searched for beginnings of words, in any case and number", async () => {
  assert.equal((await find("q=")).count, articleFiles.length, "a query without a word finds all");
  // The name of the product, which is on every page, begins like "rubric".
  for (const [query, same] of [
    ["load-shed+SCANNER", "LOAD-SHED+scanners"],
    ["rubric", "RUBRICS"],
    ["memo", "memos"],
  ] as const) {
    const { count } = await find(`q=${query}`);
    assert.ok(count > 0 && count < articleFiles.length, `${query}: ${count}`);
    assert.equal((await find(`q=${same}`)).count, count, same);
  }
  assert.equal((await find("q=ubric")).count, 0, "the middle of a word finds nothing");
});

test("a search begins with an article that has the word in its title", async () => {
  // Articles with lower numbers have the word in their category or text.
  const { html } = await find("q=equity");
  assert.match(/<h3>.*?<\/h3>/.exec(html)![0], /<mark>Equity<\/mark>/);
});

test("a search without a result says so", async () => {
  const none = await find("q=xyzzy");
  assert.equal(none.count, 0);
  assert.match(none.html, /Nothing has been written about that yet. Try another word/);
});

type FeedText = "id" | "url" | "title" | "summary" | "content_html";
type FeedItem = Record<FeedText | "date_published" | "date_modified" | "file", string> & {
  authors: { name: string }[];
  tags: string[];
};

/** The items of the JSON feed, each with the file of its article. */
async function jsonFeed() {
  const { version, items } = JSON.parse((await get("/feed.json")).body);
  assert.equal(items.length, articleFiles.length);
  const withFile = (item: FeedItem): FeedItem => {
    const file = `${item.id.replace(/.*\/(rubricon-)?/, "").replace("rubricon", "product")}.md`;
    return { ...item, file: readFileSync(path.join(root, "content/articles", file), "utf8") };
  };
  return { version, items: items.map(withFile) as FeedItem[] };
}

test("the JSON feed has the full text of each article, with absolute links", async () => {
  const { version, items } = await jsonFeed();
  assert.equal(version, "https://jsonfeed.org/version/1.1");
  for (const { id, content_html: html, file } of items) {
    assert.match(id, /^https:\/\/site\.example\//);
    assert.equal(html.match(/<h\d/g)!.length, file.match(/^#+ /gm)!.length, id);
    assert.doesNotMatch(html, /href="[/#]/, id);
  }
  const heading = "https://site.example/exam-grading-accuracy-comparison#kappa-in-one-line";
  const opens = items.some(({ content_html }) => content_html.includes(`href="${heading}"`));
  assert.ok(opens, "a link to a heading opens the article");
});

test("the JSON feed has the days on which an article was written and changed", async () => {
  for (const { id, date_published, date_modified, file } of (await jsonFeed()).items) {
    const [, date] = /^date: (.+)$/m.exec(file)!;
    const updated = /^updated: (.+)$/m.exec(file)?.[1] ?? date;
    const times = [`${date}T00:00:00Z`, `${updated}T00:00:00Z`];
    assert.deepEqual([date_published, date_modified], times, id);
  }
});

test("in a feed a plot is its table, without the drawing", async () => {
  const { items } = await jsonFeed();
  const html = column(items, "content_html").join();
  assert.match(html, /<figure class="plot [\s\S]*?<tr><td>31<\/td><td>19<\/td><\/tr>/);
  assert.doesNotMatch(html, /<\/?svg|<circle/);
});

test("the Atom feed is XML with the articles of the JSON feed", async () => {
  const { items } = await jsonFeed();
  const { body } = await get("/feed.xml");
  assert.equal(XMLValidator.validate(body), true);
  // htmlEntities makes the parser decode numeric references too.
  const { feed } = new XMLParser({ htmlEntities: true }).parse(body);
  assert.equal(feed.entry.length, items.length);
  for (const [index, { id, title, content, published, updated }] of feed.entry.entries()) {
    const item = items[index]!;
    assert.deepEqual(
      [id, title, content, published, updated],
      [item.id, item.title, item.content_html.trim(), item.date_published, item.date_modified],
    );
  }
});

test("the RSS feed is valid RSS 2.0 with the articles of the JSON feed", async () => {
  const { items } = await jsonFeed();
  const { body: text } = await get("/rss.xml");
  assert.equal(XMLValidator.validate(text), true);
  const { rss } = new XMLParser({ ignoreAttributes: false, htmlEntities: true }).parse(text);
  assert.equal(rss["@_version"], "2.0");
  const { channel } = rss;
  const { title, link, language, "atom:link": self } = channel;
  assert.deepEqual([title, link, language], ["Rubricon", "https://site.example/blog", "en-ZA"]);
  assert.equal(self["@_href"], "https://site.example/rss.xml");
  assert.ok(channel.description.length > 10);
  // RFC 822, with a year of four digits.
  const time = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/;
  assert.match(channel.lastBuildDate, time);
  assert.equal(channel.item.length, items.length);
  for (const [index, item] of channel.item.entries()) {
    const { id, url, title, summary, content_html, date_published, authors, tags } = items[index]!;
    assert.deepEqual(
      [item.guid, item.link, item.title, item.description, item["content:encoded"]],
      [id, url, title, summary, content_html.trim()],
    );
    assert.deepEqual([item["dc:creator"], item.category], [authors[0]!.name, tags[0]], id);
    assert.match(item.pubDate, time, id);
    assert.equal(new Date(item.pubDate).getTime(), new Date(date_published).getTime(), id);
  }
});

test("the blog and its articles announce the feeds with their types", async () => {
  for (const page of ["/blog", "/exam-grading-accuracy-comparison"]) {
    for (const [path, type] of [
      ["/feed.xml", "application/atom+xml"],
      ["/feed.json", "application/feed+json"],
      ["/rss.xml", "application/rss+xml"],
    ] as const) {
      const link = `<link rel="alternate" href="${path}" type="${type}" title="Articles"/>`;
      assert.ok((await get(page)).body.includes(link), `${page} ${path}`);
      const { headers } = await get(path);
      assert.ok(headers["content-type"]!.startsWith(type), path);
    }
  }
});

test("robots.txt names the sitemap, whose addresses begin with the public URL", async () => {
  const { body: sitemap } = await get("/sitemap.xml");
  assert.equal(XMLValidator.validate(sitemap), true);
  const { urlset } = new XMLParser().parse(sitemap);
  assert.equal(urlset.url.length, listedPaths().length + articleFiles.length);
  for (const { loc } of urlset.url) assert.match(loc, /^https:\/\/site\.example\//);
  const { body: robots } = await get("/robots.txt");
  assert.match(robots, /^Sitemap: https:\/\/site\.example\/sitemap\.xml$/m);
});

test("security.txt names the brand's address and expires within a year", async () => {
  const { body: security } = await get("/.well-known/security.txt");
  assert.match(security, /^Contact: mailto:hello@rubricon\.example$/m);
  const expires = /^Expires: (\S+)$/m.exec(security)![1]!;
  const days = (Date.parse(expires) - Date.now()) / dayMs;
  assert.ok(days > 0 && days < 365, expires);
});

/** Gets pages of a server whose only article is an institution's, with HTML and links in its Markdown. */
const ownArticle = once(async () => {
  const { own, put } = await exportContent(wholeFile, { articles: false });
  put(
    "articles/only.md",
    `---\nid: 1\ntitle: "Our own <b>article</b>"\nexcerpt: "By {product}."\nauthor: "Us"\ndate: 2026-01-31\ncategory: "News"\nimage: memo\nslug: "only"\n---\n\n## Hello {product}\n\n<script>alert(1)</script> and <b onclick="x">bold</b>\n\nSee [home](/), [bad](javascript:alert(1)), ![pic](http://elsewhere.example/x.png)\n`,
  );
  const env = { RUBRICON_CONTENT_DIR: own, RUBRICON_BRAND_NAME: "Our House" };
  const { url } = await startServer(wholeFile, { env });
  return async (address: string) => (await fetch(url + address)).text();
});

test("an institution's own articles replace the built-in ones", async () => {
  const getOwn = await ownArticle();
  assert.equal([...(await getOwn("/blog")).matchAll(/<h3><a href="\//g)].length, 1);
  assert.ok((await getOwn("/only")).includes('<h2 id="hello-our-house">Hello Our House</h2>'));
});

test("HTML in an institution's article is text, and only safe addresses are links", async () => {
  const article = await (await ownArticle())("/only");
  assert.ok(article.includes("Our own &lt;b&gt;article&lt;/b&gt;"));
  assert.ok(article.includes("&lt;script&gt;alert(1)&lt;/script&gt;"));
  assert.match(article, /&lt;b onclick=/);
  assert.match(article, /<a href="\/">home<\/a>/);
  for (const unsafe of ["<script>alert", 'onclick="', 'href="javascript', "elsewhere.example"])
    assert.ok(!article.includes(unsafe), unsafe);
});

const invalidArticles: [slug: string, from: RegExp | string, to: string, error: string][] = [
  ["fairness-in-assessments", /^category: .*\n/m, "", "2: category: "],
  ["impact-of-ai-in-education", /^image: .*/m, "image: sunset", "8: image: must be one of marked-"],
  [
    "the-future-of-ai-in-education",
    /^sources:[\s\S]*/m,
    "---\n\n[a dead link](/no-such-page)\n",
    "15: links to /no-such-page, which does not exist",
  ],
  ["advantages-of-ai-in-education-and-learning", "---\n", "", "1: must begin with front matter"],
  ["machine-learning-the-future-of-education", /^title: "/m, 'title: "a" "', "3: "],
  [
    "trends-in-assessment-technology",
    /^slug: .*/m,
    'slug: "from-grading-to-guidance"',
    "9: slug: already used by articles/from-grading-to-guidance\\.md",
  ],
  [
    "transforming-south-african-schools",
    /^id: .*/m,
    "id: 20",
    "2: id: already used by articles/from-grading-to-guidance\\.md",
  ],
];

test("invalid content is rejected at start-up, each error with its file and line", async (t) => {
  const { folder, own, change } = await exportContent(t);
  for (const [slug, from, to] of invalidArticles) change(`articles/${slug}.md`, from, to);
  const env = { RUBRICON_CONTENT_DIR: own, PORT: "0" };
  const { code, err } = await runCommand(folder, [], env);
  assert.equal(code, 78, err);
  for (const [slug, , , error] of invalidArticles)
    assert.match(err, new RegExp(`articles/${slug}\\.md:${error}`));
});

test("a file that the site does not use is a warning, except a hidden file or a README", async (t) => {
  const { own, put, check } = await exportContent(t);
  for (const file of [".git/config", "README.md", "readme.txt", "articles/.DS_Store"]) put(file);
  assert.doesNotMatch((await succeeded(check())).err, /is not used/);

  const unusedFiles = ["brand.yml", "pages/privacy.md", "articles/news.txt", "articles/news"];
  for (const file of [...unusedFiles, "artikels/news.md"]) put(file);
  mkdirSync(path.join(own, "articles/2026"));
  const unused = await succeeded(check());
  for (const warning of [
    "articles/2026: is a folder; put articles directly in articles/",
    "articles/news: is not used by the site, which reads articles/….md",
    "articles/news.txt: is not used by the site, which reads articles/….md",
    "artikels: is not used by the site; its folders are articles, downloads and pages",
    "brand.yml: is not used by the site, which reads blog.yaml, brand.yaml",
    "pages/privacy.md: is not used by the site, which reads pages/about.md, ",
  ]) {
    assert.ok(unused.err.includes(`Warning: ${warning}`), unused.err);
  }
});

test("content that cannot be read is rejected, each file with its line and reason", async (t) => {
  const { own, put, check } = await exportContent(t);
  mkdirSync(path.join(own, "articles/folder.md"));
  symlinkSync("nowhere", path.join(own, "articles/gone.md"));
  symlinkSync("loop.md", path.join(own, "articles/loop.md"));
  put("articles/large.md", Buffer.alloc(1_100_000, "a"));
  put("articles/latin.md", Buffer.from("---\ntitle: caf\xe9\n---\n", "latin1"));
  put("articles/control.md", "---\ntitle: A\n---\nOne.\n\nTwo\v, \ttabbed\r\n\uFFFE\n");
  const { code, err } = await check();
  assert.equal(code, 78);
  assert.deepEqual(
    err.trim().split("\n").sort(),
    [
      "articles/control.md:6: has the character U+000B, which feeds cannot contain; delete it",
      "articles/control.md:7: has the character U+FFFE, which feeds cannot contain; delete it",
      "articles/folder.md: is not a file",
      "articles/gone.md: is not a file",
      "articles/large.md: is larger than 1 MB",
      "articles/latin.md:2: is not UTF-8; save the file in that encoding",
      "articles/loop.md: cannot be read: ELOOP",
    ].map((line) => `rubricon: ${line}`),
  );
});

test("a line with a condition in an institution’s own words follows what the institution states", async (t) => {
  const { own, change } = await exportContent(t, { articles: false });
  const about = "pages/about.md";
  change(about, "## Who we are {#who-we-are}", "## Marking in *Mofumahadi*{st} {#who-we-are}");
  change(
    about,
    /^\{!own\}\{whoWeAre\}[\s\S]*?(?=\n\n## )/m,
    "{whoWeAre}.\n{?model}We use {model}.\n{!model}We say who on request.\n\n- {?phone}Call {phone}\n- {!phone}We have no telephone",
  );
  change("brand.yaml", /^company: .*/m, 'company: "Marks & Co"');
  change("brand.yaml", /^model: ""/m, 'model: "a *model*"');
  const env = { RUBRICON_CONTENT_DIR: own, RUBRICON_BRAND_NAME: "Desk" };
  const server = await startServer(t, { env });
  const html = await (await fetch(`${server.url}/about`)).text();
  assert.equal(
    /<h2[^>]*>(Marking in .*?)<(?:dl|\/section)/s.exec(html)![1]!.replace(/<\/?div>/g, ""),
    'Marking in <i lang="st">Mofumahadi</i></h2><p>Marks &amp; Co runs Desk.\nWe use a *model*.</p>\n<ul>\n<li>We have no telephone</li>\n</ul>',
  );
});

test("an article's slug is a condition, and leaves a value of its name as it is", async (t) => {
  const { own, change, put } = await exportContent(t, { articles: false });
  change("brand.yaml", /^place: .*/m, 'place: "Durban"');
  change(
    "pages/about.md",
    "## Who we are {#who-we-are}",
    (heading) =>
      `${heading}\n\nWe are in {place}.\n{?news-today}[News](/news-today)\n{?gone}[Gone](/gone)\n`,
  );
  const front = 'title: "A"\nexcerpt: "B"\nauthor: "Us"\ndate: 2026-01-31\ncategory: "News"';
  for (const [id, slug] of ["place", "news-today"].entries()) {
    const fields = `id: ${id}\nslug: "${slug}"\n${front}\nimage: memo`;
    put(`articles/${slug}.md`, `---\n${fields}\n---\n\nHello.\n`);
  }
  const server = await startServer(t, { env: { RUBRICON_CONTENT_DIR: own } });
  const html = await (await fetch(`${server.url}/about`)).text();
  assert.match(html, /We are in Durban\.\n<a href="\/news-today">News<\/a><\/p>/);
});

/** An article whose front matter has this title, and an excerpt of which a sentence needs a telephone. */
const articleTitled = (title: string) =>
  `---\nid: 1\nslug: "own"\ntitle: "${title}"\nexcerpt: "We mark. Call {phone}."\nauthor: "Us"\ndate: 2026-01-31\ncategory: "News"\nimage: memo\n---\n\nHello.\n`;

test("a sentence of an article's front matter with an empty value is left out", async (t) => {
  const { own, put } = await exportContent(t, { articles: false });
  put("articles/own.md", articleTitled("How we mark. Call {phone}"));
  const server = await startServer(t, { env: { RUBRICON_CONTENT_DIR: own } });
  const html = await (await fetch(`${server.url}/own`)).text();
  assert.doesNotMatch(html, /\uE000|Call/);
  assert.match(html, /How we mark\.[\s\S]*We mark\./);
});

test("a title of which nothing is left, or that is empty, is an error", async (t) => {
  const { put, check } = await exportContent(t, { articles: false });
  put("articles/own.md", articleTitled("Call {phone}"));
  assert.match(
    (await check()).err,
    /articles\/own\.md:4: title: must not be empty: nothing of “Call \{phone\}” is left with this brand and these settings/,
  );
  put("articles/own.md", articleTitled(" "));
  assert.match((await check()).err, /articles\/own\.md:4: title: must not be empty$/m);
});

test("a description or an introduction of a page may be only for brands with a value", async (t) => {
  const { change, check } = await exportContent(t, { articles: false });
  for (const [file, key] of [
    ["pages/privacy-policy.md", "intro"],
    ["pages/privacy-policy.md", "description"],
    ["pages/home.md", "description"],
  ] as const) {
    change(file, new RegExp(`^${key}: .*`, "m"), `${key}: "{?phone}Call {phone}."`);
  }
  await succeeded(check());
});

test("a link to an article that a folder of unedited articles lacks is an error", async (t) => {
  const { own, check } = await exportContent(t);
  for (const file of ["articles/software-streamline-your-workflow.md", "blog.yaml"])
    rmSync(path.join(own, file));
  const { code, err } = await check();
  assert.equal(code, 78);
  assert.match(
    err,
    /^rubricon: articles\/\S+\.md:\d+: links to \/rubricon-software-.*, which does not/m,
  );
});

test("a section without a name, a repeated name, a day in words and a dead link are errors with file and line", async (t) => {
  const { read, change, check } = await exportContent(t, { articles: false });
  const file = "pages/about.md";
  change(file, "{#name}", "{#who-we-are}");
  change(file, " {#contact}", "");
  change(file, "(/#demo)", "(/demos)");
  change("pages/paia-manual.md", /^updated: .*/m, "updated: 28 November 2026");
  const text = read(file);
  const lineOf = (words: string) => text.slice(0, text.indexOf(words)).split("\n").length;
  const { code, err } = await check();
  assert.equal(code, 78);
  assert.deepEqual(err.trim().split("\n"), [
    "rubricon: pages/paia-manual.md:5: updated: must be a date such as 2021-07-31",
    `rubricon: pages/about.md:${lineOf("## Where the name")}: {#who-we-are} is there twice`,
    `rubricon: pages/about.md:${lineOf("## Contact")}: the heading must end with {#name}`,
    `rubricon: pages/about.md:${lineOf("(/demos)")}: links to /demos, which does not exist`,
  ]);
});

test("a name of no value in a page of the institution is a warning with file and line", async (t) => {
  const { put, read, change, check } = await exportContent(t, { articles: false });
  change("pages/features.md", /$/, "\nEdited *rubrica*{la}, {name}.\n");
  const about = "## Who we are {#who-we-are}";
  change("pages/about.md", about, (heading) => `${heading}\n\n{?mailserver} Ours.\n`);
  const front = "title: Privacy\ndescription: Ours\nintro: In short\nupdated: 2026-11-28";
  put("pages/privacy-policy.md", `---\n${front}\n---\n\nFor {retentiondays} days.\n`);
  const text = read("pages/about.md");
  const line = text.slice(0, text.indexOf("{?mailserver}")).split("\n").length;
  const { err } = await succeeded(check());
  assert.deepEqual(
    err.split("\n").filter((said) => said.includes("no value")),
    [
      `Warning: pages/about.md:${line}: {?mailserver} names no value.`,
      "Warning: pages/privacy-policy.md:8: {retentiondays} names no value.",
    ],
  );
});

test("a legal page that lacks headings to which other pages link is a warning", async (t) => {
  const { change, check } = await exportContent(t, { articles: false });
  change("pages/privacy-policy.md", "## 2. What we collect", "## 2. What we gather");
  change("pages/terms-conditions.md", "## 1. ", "## I. ");
  const { err } = await succeeded(check());
  const lost =
    /^Warning: pages\/privacy-policy\.md: lacks headings to which other pages link: #2-what-we-collect\.$/m;
  assert.match(err, lost);
  assert.doesNotMatch(err, /terms-conditions\.md: lacks/);
});

test("a text without headings has no list of contents", async (t) => {
  const { own, put } = await exportContent(t, { articles: false });
  const front = "title: Terms\ndescription: Ours\nintro: In short\nupdated: 2026-11-28";
  put("pages/terms-conditions.md", `---\n${front}\n---\n\nBe kind.\n`);
  const { url } = await startServer(t, { env: { RUBRICON_CONTENT_DIR: own } });
  const html = await (await fetch(`${url}/terms-conditions`)).text();
  assert.match(html, /Be kind\./);
  assert.doesNotMatch(html, /On this page/);
});

/** An institution's content that lacks a section, and has sections and keys of names that do not exist. */
const oddSections = once(async () => {
  const content = await exportContent(wholeFile, { articles: false });
  const { read, change } = content;
  const file = "pages/about.md";
  change(file, /^## .*\{#data\}/m, "## Left out {#files}");
  change(
    file,
    "## Who we are {#who-we-are}",
    (heading) => `## {?phone}Never {#hero}\n\nNever.\n\n${heading}\n\nWe are few.`,
  );
  change("brand.yaml", "\nphone:", '\nphoen: "031"\nadress: ""\nphone:');
  const text = read(file);
  const line = text.slice(0, text.indexOf("{#files}")).split("\n").length;
  const warnings = [
    new RegExp(`pages/about\\.md:${line}: \\{#files\\} is none of \\{#hero\\}, .*; it is left out`),
    /brand\.yaml:\d+: phoen: is not a key of this file/,
    /brand\.yaml:\d+: adress: is not a key of this file/,
    /pages\/about\.md: \{#data\} is missing; the built-in section is served/,
  ];
  const env = { RUBRICON_CONTENT_DIR: content.own, RUBRICON_BRAND_NAME: "Our House" };
  return { ...content, warnings, server: await startServer(wholeFile, { env }) };
});

test("a missing section, an unknown section and an unknown key are warnings", async () => {
  const { check, server, warnings } = await oddSections();
  const { err } = await succeeded(check());
  for (const warning of warnings) {
    assert.match(err, warning);
    assert.match(server.log(), warning);
  }
});

test("a section for which a value is not stated is not called missing", async (t) => {
  const { folder, own, change } = await exportContent(t, { articles: false });
  change("pages/figures.md", /$/, "\nOurs.\n");
  const env = { RUBRICON_CONTENT_DIR: own, RUBRICON_BRAND_NAME: "Desk" };
  const { err } = await succeeded(runCommand(folder, ["config", "check"], env));
  assert.doesNotMatch(err, /is missing/);
});

test("a missing section is the built-in one, and an unknown section is left out", async () => {
  const { server } = await oddSections();
  const about = await (await fetch(`${server.url}/about`)).text();
  assert.match(about, /We are few\./);
  assert.match(about, /What becomes of what you send/);
  assert.equal(about.match(/id="data-title"/g)?.length, 1);
  assert.doesNotMatch(about, /Never|Left out|id="files/);
});

test("a folder that release 1.0.0 exported is served, with a warning for each file to look at", async (t) => {
  const { folder, own, read, put, change } = await exportContent(t);
  const first = `articles/${articleFiles[0]}`;
  put(first, read(first).replaceAll("\n", "\r\n"));
  // 1.0.0 wrote only the legal pages, and the downloads as sources, which blog.yaml did not list.
  for (const page of ["about", "approval", "features", "home", "latest-feature"]) {
    rmSync(path.join(own, `pages/${page}.md`));
  }
  rmSync(path.join(own, "downloads"), { recursive: true });
  const sources = ["agreement-between-markers.yaml", "marking-policy.md", "supplier-clauses.md"];
  for (const file of sources) put(`downloads/${file}`, "---\ntitle: A\n---\n");
  change("blog.yaml", /^downloads:[\s\S]*/m, "");
  change("blog.yaml", /^shelves:[\s\S]*/m, "");
  change(
    "brand.yaml",
    /^(demoCall|replyHours|rubricReplyHours|audience|place|nameMeaning):.*\n/gm,
    "",
  );
  change("brand.yaml", /^phone: ""/m, 'phone: "031 555 0100"');
  const env = { RUBRICON_CONTENT_DIR: own, RUBRICON_BRAND_NAME: "Our House" };
  const server = await startServer(t, { folder, env });
  const log = server.log();
  for (const file of sources)
    assert.ok(log.includes(`downloads/${file}: is not used by the site`), log);
  assert.equal(log.match(/is a built-in article, unedited/g)?.length, articleFiles.length);
  const sitemap = await (await fetch(`${server.url}/sitemap.xml`)).text();
  const paths = [...sitemap.matchAll(/<loc>http:\/\/[^/]+([^<]*)<\/loc>/g)].map(([, one]) => one!);
  assert.equal(paths.length, listedPaths().length + articleFiles.length);
  // The articles, which come last, are as they were.
  for (const page of paths.slice(0, listedPaths().length + 1)) {
    assert.equal((await sendRequest(server.url, page)).status, 200, page);
  }
});

test("content export writes pages and brand, and articles only when asked", async (t) => {
  const folder = newFolder(t);
  const exported = await runCommand(folder, ["content", "export", "pages"]);
  assert.doesNotMatch(exported.out, /articles|downloads|blog\.yaml/);
  assert.match(exported.err, /into another folder, --articles writes them too/);
  assert.deepEqual(readdirSync(path.join(folder, "pages")).sort(), ["brand.yaml", "pages"]);
  const all = await runCommand(folder, ["content", "export", "all", "--articles"]);
  const shipped = ["articles", "downloads", "pages"].flatMap((name) =>
    readdirSync(path.join(root, "content", name)).map((file) => `all/${name}/${file}`),
  );
  assert.deepEqual(
    all.out.trim().split("\n").sort(),
    [...shipped, "all/blog.yaml", "all/brand.yaml"].sort(),
  );
});

test("content export overwrites nothing", async (t) => {
  const folder = newFolder(t);
  mkdirSync(path.join(folder, "own"));
  writeFileSync(path.join(folder, "own/brand.yaml"), "ours");
  assert.equal((await runCommand(folder, ["content", "export", "own"])).code, 1);
  assert.equal(readFileSync(path.join(folder, "own/brand.yaml"), "utf8"), "ours");
  assert.deepEqual(readdirSync(path.join(folder, "own")), ["brand.yaml"]);
});

test("under the built-in brand a content folder without articles/ has the built-in articles", async (t) => {
  const { folder, own } = await exportContent(t, { articles: false });
  const { out } = await runCommand(folder, ["doctor"], { RUBRICON_CONTENT_DIR: own });
  assert.equal(/(\d+) articles/.exec(out)?.[1], String(articleFiles.length));
});

test("invalid front matter and malicious YAML and Markdown are rejected, each with its reason", async (t) => {
  const { own, change, check } = await exportContent(t);
  const names = readdirSync(path.join(own, "articles"));
  const reserved = "test-forms healthz readyz metrics api assets blog contact".split(" ");
  const invalid: [field: RegExp, invalid: string, message: string][] = [
    ...reserved.map((slug): [RegExp, string, string] => [
      /^slug: .*/m,
      `slug: "${slug}"`,
      `\\d+: slug: ${slug} is reserved; choose another slug`,
    ]),
    [/^date: .*/m, "date: 2021-02-30", "\\d+: date: must be a date such as"],
    [/^title: .*/m, "title: *bold*", "3: begins with \\*, which is an alias in YAML"],
    [/^author: .*/m, `author: &a [x, x]\nb: [${"*a, ".repeat(200)}*a]`, "\\d+: begins with \\*"],
    [/$/, `${"> ".repeat(5_000)}deep\n`, " is nested too deeply"],
    [/^(?=title: )/m, "keyword: x\n", "3: keyword: is not a key of this file\n"],
    [/^category: .*/m, String.raw`category: "A\u0001B"`, "\\d+: has the character U\\+0001"],
    [/^category: .*/m, String.raw`category: "A\ud800B"`, "\\d+: has the character U\\+D800"],
  ];
  for (const [index, [from, to]] of invalid.entries()) change(`articles/${names[index]}`, from, to);
  const { code, err } = await check();
  assert.equal(code, 78);
  for (const [index, [, , message]] of invalid.entries())
    assert.match(err, new RegExp(`articles/${names[index]}:${message}`));
});
