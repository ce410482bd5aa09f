/** The built-in pages and articles, and what readers and search engines find around an article. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { type CardText, cardName, siteTitle } from "../app/server/content/card-name.ts";
import { once } from "../app/server/system/once.ts";
import { wholeFile } from "./support/at-end.ts";
import { assetFolder, assetNamed } from "./support/built-assets.ts";
import { claimOfArticles, claims, claimsOfPages, claimsOfService } from "./support/claims.ts";
import { column } from "./support/columns.ts";
import { exportContent } from "./support/content.ts";
import { cardOf, crawl, proseOf } from "./support/crawl.ts";
import { sendRequest } from "./support/send-request.ts";
import { sharedServer, startServer } from "./support/server.ts";
import { articleTitles } from "./support/specified.ts";

/** The pages that search engines may list, without the articles. */
const builtIn = [
  ...["/", "/about", "/features", "/latest-feature", "/demo", "/blog", "/contact", "/figures"],
  ...["/accessibility", "/security-policy", "/terms-conditions", "/privacy-policy", "/paia-manual"],
];

const origin = "http://localhost:0";
const maxCardBytes = 25_000;
const sinceThenDay = "2026-11-22";

/** Every page of the sitemap, by address; fetched once, because each takes the server 100 ms of processor time. */
const pages = once(async () => new Map(await crawl((await sharedServer()).url)));

const pageAt = async (address: string) => (await pages()).get(address)!;

async function articlePages() {
  const articles = [...(await pages())].filter(([, html]) => html.includes("article-page"));
  assert.equal(articles.length, 35);
  return articles;
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

/** Slug and category as in the specification; "" if it gives no category. */
const listed: [slug: string, category: string][] = [
  ["fairness-in-assessments", "AI in Education"],
  ["training-programs-with-ai-powered-assessments", "AI in Education"],
  ["the-future-of-automated-grading", "AI Technology"],
  ["the-future-of-ai-in-education", ""],
  ["assessment-accuracy-and-fairness", "AI Technology"],
  ["what-are-the-benefits-of-ai-in-education", "AI Benefits"],
  ["automated-exam-marking-ai-exam-grading", "Product Benefits"],
  ["integrate-ai-for-a-more-efficient-assessment", "Implementation"],
  ["exam-grading-accuracy-comparison", "Research & Analysis"],
  ["ai-exam-grading-challenges-and-effective-solutions", "Implementation"],
  ["rubricon-software-streamline-your-workflow", "Product Overview"],
  ["revolutionise-exam-grading-with-rubricon", "Product Features"],
  ["impact-of-ai-in-education", "AI Analysis"],
  ["accuracy-and-fairness-in-grading-are-nonnegotiable", "Assessment Standards"],
  ["10-best-ai-tool-websites-for-education", "AI Tools"],
  ["eliminate-grading-stress-with-rubricon", "User Benefits"],
  ["advantages-of-ai-in-education-and-learning", "AI Benefits"],
  ["trends-in-assessment-technology", "Industry Trends"],
  ["beginners-guide-to-ai-in-education-top-examples", "Getting Started"],
  ["from-grading-to-guidance", "Learning Enhancement"],
  ["transforming-south-african-schools", "AI in Education"],
  ["revolutionise-student-feedback-with-rubricon", "Product Features"],
  ["ai-tools-to-enhance-education-in-south-africa", "AI Tools"],
  ["improve-remote-learning-with-rubricon", "Remote Learning"],
  ["ideal-practices-for-ai-in-south-africa", "Implementation"],
  ["customizing-automated-exam-grading-software", "Product Features"],
  ["how-ai-can-bridge-the-education-gap", "Educational Equity"],
  ["ai-exam-marking-for-all-educational-levels", "Product Features"],
  ["automated-exam-grading-software-pros-and-cons", "Analysis"],
  ["how-ai-will-shape-the-future-of-education", "Future Trends"],
  ["how-rubricon-is-transforming-ai-in-stem-education", "STEM Education"],
  ["advancing-educational-equity-with-ai", "Educational Equity"],
  ["machine-learning-the-future-of-education", "Machine Learning"],
  ["rubricon-enhancing-education-adaptive-ai-learning", "Adaptive Learning"],
  ["empowering-teacher-support-with-ai", "Teacher Support"],
];

test("the blog lists the 35 articles, each served under its slug with its category", async () => {
  const list = await pageAt("/blog");
  assert.equal(new Map(listed).size, (await articlePages()).length);
  for (const title of articleTitles) assert.ok(list.includes(title), title);
  for (const [slug, category] of listed) {
    assert.ok(list.includes(`<h3><a href="/${slug}">`), slug);
    const html = await pageAt(`/${slug}`);
    if (category) assert.ok(html.includes(`>${category.replace("&", "&amp;")}</span></a>`), slug);
  }
});

test("an article has its date, author, reading time and picture, and leads to the blog and the demo", async () => {
  for (const [slug, html] of await articlePages()) {
    for (const each of [
      /<a [^>]*href="\/blog">Back to Blog<\/a>/,
      /<time dateTime="2021-07-31">31 July 2021<\/time>/,
      /<span>The Rubricon team<\/span><span>\d+ min read<\/span>/,
      /<svg class="article-picture drawn" [^>]*role="img" aria-label="Drawing of /,
      /<a class="button" href="\/demo">Try Rubricon Demo<\/a>/,
    ]) {
      assert.match(html, each, slug);
    }
  }
});

test("the sitemap lists every page but those under private links, and every article", async () => {
  const addresses = [...builtIn, ...listed.map(([slug]) => `/${slug}`)];
  assert.deepEqual([...(await pages()).keys()].sort(), addresses.sort());
});

test("sources are listed with their year, as https links without referrer", async () => {
  let [count, linkedCount] = [0, 0];
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
      if (work.includes("<cite><a ")) linkedCount += 1;
    }
  }
  assert.ok(linkedCount > 100 && count > linkedCount, `${linkedCount} of ${count} have a link`);
});

/** What an article says of its age below its title. */
const standingOf = (html: string) =>
  /<p class="standing hint">(.*?)<\/p>/.exec(html)![1]!.replace(/<!-- -->/g, "");

test("an article says when it was written, and that its people are invented", async () => {
  for (const [slug, html] of await articlePages()) {
    assert.match(
      standingOf(html),
      /^Written in July 2021.*The people and schools in our examples are invented\.$/s,
      slug,
    );
    assert.equal(jsonOf(html, "BlogPosting").datePublished, "2021-07-31", slug);
  }
});

test("an article that was changed says on which day, and where its changes are", async () => {
  let changed = 0;
  for (const [slug, html] of await articlePages()) {
    const standing = standingOf(html);
    const hasSection = html.includes('<h2 id="since-then">Since then</h2>');
    const hasNotes = html.includes('<p class="dated-note">');
    assert.equal(standing.includes('<a href="#since-then">'), hasSection, slug);
    assert.equal(standing.includes("in notes with a date"), hasNotes && !hasSection, slug);
    const { dateModified } = jsonOf(html, "BlogPosting");
    if (hasSection || hasNotes) assert.equal(dateModified, sinceThenDay, slug);
    const hasDay = standing.includes(`<time dateTime="${sinceThenDay}">`);
    assert.equal(hasDay, dateModified === sinceThenDay, slug);
    if (hasSection || hasNotes) changed += 1;
  }
  assert.ok(changed >= 10, `${changed} articles were changed`);
});

test("structured data describes an article", async () => {
  const html = await pageAt("/from-grading-to-guidance");
  const { description, mainEntityOfPage, url } = jsonOf(html, "BlogPosting");
  assert.ok(html.includes(`<meta name="description" content="${description}"`));
  const address = `${origin}/from-grading-to-guidance`;
  assert.deepEqual([mainEntityOfPage, url], [address, address]);
});

test("the pictures that structured data names are PNG files of the site", async () => {
  const { url } = await sharedServer();
  const { image, publisher } = jsonOf(await pageAt("/from-grading-to-guidance"), "BlogPosting");
  const { logo } = jsonOf(await pageAt("/"), "Organization");
  for (const address of [image, publisher.logo, logo]) {
    const { headers } = await fetch(url + new URL(address).pathname);
    assert.equal(headers.get("content-type"), "image/png", address);
  }
});

test("structured data describes the service, which costs nothing", async () => {
  const { name, offers } = jsonOf(await pageAt("/features"), "Service");
  assert.deepEqual([name, offers.price], ["Rubricon", "0"]);
});

test("structured data lists the articles, unless they are filtered", async () => {
  const items = jsonOf(await pageAt("/blog"), "ItemList").itemListElement;
  assert.equal(items.length, 35);
  assert.deepEqual(items[0], {
    "@type": "ListItem",
    position: 1,
    url: `${origin}/fairness-in-assessments`,
  });
  const filtered = await sendRequest((await sharedServer()).url, "/blog?category=AI+Tools");
  assert.equal(filtered.status, 200);
  assert.equal(jsonOf(filtered.bytes.toString(), "ItemList"), undefined);
});

test("the blog opens with one article and its drawing unless it is filtered", async () => {
  const lead = part(await pageAt("/blog"), /<article class="lead-article/, "</article>");
  assert.match(lead, /<h2><a href="\/fairness-in-assessments">/);
  assert.match(lead, /<svg class="article-picture drawn"/);
  const filtered = await sendRequest((await sharedServer()).url, "/blog?q=memo");
  assert.equal(filtered.status, 200);
  assert.doesNotMatch(filtered.bytes.toString(), /class="lead-article/);
});

test("a query is cut to the 100 characters of its field", async () => {
  const server = await sharedServer();
  const found = await (await fetch(`${server.url}/blog?q=${"a+".repeat(900)}`)).text();
  assert.equal(/ name="q" [^>]*value="([^"]*)"/.exec(found)![1], "a ".repeat(50));
});

test("the blog is filtered by five sections and five kinds of reader", async () => {
  const server = await sharedServer();
  const filters = part(await pageAt("/blog"), /<nav class="filters flush"/, "<search");
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
  const blog = await pageAt("/blog");
  const sections = [...blog.matchAll(/<section class="shelf".*?<\/section>/gs)].map(([html]) => ({
    name: />Section (?:<!-- -->)?([A-Z])</.exec(html)![1]!,
    start: Number(/<ol class="article-list" start="(\d+)"/.exec(html)?.[1]),
    numbers: [...html.matchAll(/<span class="number[^>]*>(\d+)</g)].map(([, one]) => Number(one)),
  }));
  assert.deepEqual(column(sections, "name"), ["A", "B", "C", "D", "E"]);
  assert.deepEqual(
    sections.flatMap(({ numbers }) => numbers),
    Array.from({ length: 35 }, (_, index) => index + 1),
  );
  for (const { name, start, numbers } of sections) assert.equal(start, numbers[0], name);
});

test("the blog has a drawing, the date and the author of each article", async () => {
  const blog = await pageAt("/blog");
  for (const each of [
    /<svg class="article-picture drawn" viewBox="0 0 400 180" aria-hidden="true"><use /g,
    /<time dateTime="2021-07-31">31 July 2021<\/time><span>The Rubricon team<\/span>/g,
  ]) {
    assert.equal([...blog.matchAll(each)].length, 35, String(each));
  }
});

const cardFile = (text: Omit<CardText, "name">) =>
  assetNamed(new RegExp(`^${cardName({ name: "Rubricon", ...text })}-.*\\.png$`));

test("each article has a card of its own, and other pages share the site’s", async () => {
  const files = new Set<string>();
  for (const [address, html] of await pages()) {
    const posting = jsonOf(html, "BlogPosting");
    const file = posting
      ? cardFile({ title: posting.headline, category: posting.articleSection })
      : cardFile({ title: siteTitle });
    files.add(file);
    const { image, alt } = cardOf(html);
    assert.equal(image, `${origin}/assets/${file}`, address);
    assert.ok(alt.length > 40, alt);
  }
  assert.equal(files.size, 36);
});

test("a card is a PNG file of 1200 by 630 pixels and at most 25 kB", async () => {
  const cards = [...(await pages()).values()].map((html) => path.basename(cardOf(html).image));
  for (const file of new Set(cards)) {
    const bytes = readFileSync(path.join(assetFolder, file));
    assert.equal(bytes.toString("latin1", 12, 16), "IHDR", file);
    assert.deepEqual([bytes.readUInt32BE(16), bytes.readUInt32BE(20)], [1200, 630], file);
    assert.ok(bytes.length <= maxCardBytes, `${file}: ${bytes.length} bytes`);
  }
});

/** Articles, and the list of them, quote claims in order to discuss them. */
const isOfBlog = (html: string) => /class="page article-page"|<h1>Blog</.test(html);

for (const [promise, address, said] of [
  ["says that AI marks", "/", "AI-powered grading,"],
  ["says who may receive files", "/", "received by our team and by the provider of our server."],
  ["says that second markers are blind", "/features", "without sight of the first mark."],
] as const) {
  test(`the built-in brand ${promise}`, async () => {
    assert.ok((await pageAt(address)).includes(said), said);
  });
}

test("the built-in brand makes each claim, so that the tests of other brands can fail", async () => {
  const all = [...(await pages())];
  const textOf = (found: typeof all) => found.map(([, html]) => html).join();
  const notIn = (text: string, made: RegExp[]) => made.filter((claim) => !claim.test(text));
  assert.deepEqual(notIn(textOf(all), [...claims, ...claimsOfService, claimOfArticles]), []);
  const withoutBlog = textOf(all.filter(([, html]) => !isOfBlog(html)));
  assert.deepEqual(notIn(withoutBlog, [...claimsOfPages, ...claimsOfService]), []);
});

/** The text blocks of a page, each as HTML and as plain text. */
const blocksOf = (html: string) =>
  html.split(/<\/(?:p|li|dd|dt|h\d|td|th|figcaption)>/).map((block) => ({
    block,
    text: block.replace(/<[^>]*>/g, ""),
    isHeading: /<h\d[^<]*$/.test(block),
  }));

/** Asserts that a block with a figure links to its basis on /figures. Returns the figure's name there. */
function figureNamedIn({ block, text }: { block: string; text: string }, basis: string): string {
  const name = /href="\/figures#(\w+)"/.exec(block)?.[1];
  assert.ok(name, `no link to the basis of: ${text.slice(-120)}`);
  assert.ok(basis.includes(`id="${name}"`), name);
  return name;
}

test("each figure on a page outside the blog is followed by a link to its basis", async () => {
  const basis = await pageAt("/figures");
  const figures = [...claims, /there within minutes|24\/7|Assessment volume|eleven official/];
  const linked = new Set<string>();
  for (const [address, html] of await pages()) {
    if (isOfBlog(html) || address === "/figures") continue;
    const body = html
      .replace(/^.*<body>/s, "")
      .replace(/<script.*?<\/script>/gs, "")
      .replaceAll("<!-- -->", "");
    for (const part of blocksOf(body)) {
      const isClaim = figures.some((one) => one.test(part.text));
      // A sentence about hosting and the head of a table are no figures.
      if (!isClaim || /We use .* ISO 27001|^Claim/.test(part.text)) continue;
      linked.add(figureNamedIn(part, basis));
    }
  }
  const all = "accuracy availability hoursSaved languages speed timeSaved volume";
  assert.equal([...linked].sort().join(" "), all);
});

test("each figure in an article is followed by a link to its basis", async () => {
  const basis = await pageAt("/figures");
  const linked = new Set<string>();
  for (const [address, html] of await pages()) {
    if (address === "/figures") continue;
    for (const part of blocksOf(proseOf(html))) {
      const isClaim = claims.some((one) => one.test(part.text));
      // A heading has no link, and sentences about Moodle or ISO 27001 have no figure.
      if (!isClaim || part.isHeading || /Moodle|ISO 27001/.test(part.text)) continue;
      linked.add(figureNamedIn(part, basis));
    }
  }
  const all = "accuracy agreement gradingTime hoursSaved languages timeSaved";
  assert.equal([...linked].sort().join(" "), all);
});

const sourceAt = (url: string) =>
  `sources:\n  - title: "A work"\n    year: 2012\n    url: "${url}"`;
const notHttps = "13: sources.0.url: must be an address that begins with https://";
const wrongDoi = "13: sources.0.url: must have the form https://doi.org/10.1000/182";

/** Lines in the front matter of an article, and their error, if any. */
const wrongFields: [lines: string, error?: string][] = [
  [`description: "${"long ".repeat(40)}"`, "10: description: must be at most 155 characters"],
  [`seoTitle: "${"long ".repeat(20)}"`, "10: seoTitle: must be at most 60 characters"],
  [sourceAt("http://example.org/work"), notHttps],
  [sourceAt("https://dx.doi.org/10.1000/182"), wrongDoi],
  [sourceAt("https://doi.org/182"), wrongDoi],
  ['readNext: ["no-such-article"]', "10: readNext: no-such-article is not an article"],
  ["sources:\n  - titel: x", "11: sources.0.titel: "],
  ['description: "The same."'],
  ['description: "The same."', "10: description: already used by articles/"],
];

test("errors in front matter are reported with file and line", async (t) => {
  const { own, change, check } = await exportContent(t);
  const files = readdirSync(path.join(own, "articles")).map((name) => `articles/${name}`);
  for (const [index, [lines]] of wrongFields.entries()) {
    // The required fields stay, on lines 2 to 9.
    change(files[index]!, /^---\n[\s\S]*?\n---\n/, (whole) => {
      const required = /^(id|title|excerpt|author|date|category|image|slug): /;
      const kept = whole.split("\n").filter((line) => required.test(line));
      return ["---", ...kept, lines, "---", ""].join("\n");
    });
  }
  const { code, err } = await check();
  assert.equal(code, 78, err);
  for (const [index, [, error]] of wrongFields.entries())
    if (error) assert.ok(err.includes(`${files[index]}:${error}`), `${error}\n${err}`);
});

test("errors in reading paths and shelves are reported with their line", async (t) => {
  const { read, change, check } = await exportContent(t);
  change("blog.yaml", /"the-future-of-automated-grading"/g, '"gone"');
  change("blog.yaml", /"advancing-educational-equity-with-ai"/, '"fairness-in-assessments"');
  const lines = read("blog.yaml").split("\n");
  const gone = lines.flatMap((line, index) => (line.includes('"gone"') ? index + 1 : []));
  const { code, err } = await check();
  assert.equal(code, 78, err);
  assert.deepEqual(err.trim().split("\n"), [
    `rubricon: blog.yaml:${gone[0]}: readingPaths.4.articles.0: is not an article`,
    `rubricon: blog.yaml:${gone[1]}: shelves.0.articles.7: is not an article`,
    `rubricon: blog.yaml:${lines.indexOf("shelves:") + 1}: shelves: an article is on two shelves`,
  ]);
});

/** A server with three articles of an institution, whose numbers are their days in March. */
const ownArticles = once(async () => {
  const { folder, own, put } = await exportContent(wholeFile);
  rmSync(path.join(own, "articles"), { recursive: true });
  rmSync(path.join(own, "blog.yaml"));
  rmSync(path.join(own, "downloads"), { recursive: true });
  const write = (id: number, fields: string, category = "News") =>
    put(
      `articles/${id}.md`,
      `---\nid: ${id}\ntitle: "Article ${id}"\nexcerpt: "About ${id}."\nauthor: "Us"\ndate: 2026-03-0${id}\ncategory: "${category}"\nimage: memo\nslug: "article-${id}"\n${fields}---\n\nText.\n`,
    );
  write(1, "");
  // A description may be the text of a slug.
  write(2, 'description: "article-2"\nreadNext: ["article-3"]\n');
  write(3, "updated: 2026-04-05\n", "Events");
  const { url } = await startServer(wholeFile, { folder, env: { RUBRICON_CONTENT_DIR: own } });
  return async (address: string) => (await sendRequest(url, address)).bytes.toString();
});

test("an institution's own article has only what its fields state", async () => {
  const plain = await (await ownArticles())("/article-1");
  assert.match(plain, /<meta name="description" content="About 1\."/);
  assert.match(plain, /<title>Article 1: Rubricon<\/title>/);
  assert.match(
    standingOf(plain),
    /Written in March 2026\. Facts, products and laws are as they were then\./,
  );
  assert.doesNotMatch(plain, /invented|sources-title/);
});

test("an institution's own article leads to those that its fields name, or to its category", async () => {
  const get = await ownArticles();
  const next = async (address: string) => hrefsIn(part(await get(address), /Read next/, "</nav>"));
  assert.deepEqual(await next("/article-1"), ["article-2"]);
  assert.deepEqual(await next("/article-2"), ["article-3"]);
});

test("an institution's own article says when it was updated", async () => {
  assert.match(
    standingOf(await (await ownArticles())("/article-3")),
    /Written in March 2026 and updated on <time dateTime="2026-04-05">5 April 2026<\/time>\./,
  );
});

test("a blog without reading paths cannot be filtered by reader", async () => {
  assert.match(await pageAt("/blog"), /href="\/blog\?reader=/);
  assert.doesNotMatch(await (await ownArticles())("/blog"), /\?reader=/);
});

test("an institution’s own article has the site’s card", async () => {
  const { image } = cardOf(await (await ownArticles())("/article-1"));
  assert.equal(path.basename(image), path.basename(cardOf(await pageAt("/")).image));
});
