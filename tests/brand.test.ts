import assert from "node:assert/strict";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { once } from "../app/server/system/once.ts";
import { wholeFile } from "./support/at-end.ts";
import { claims, claimsOfPages, claimsOfService } from "./support/claims.ts";
import { exportContent } from "./support/content.ts";
import { succeeded } from "./support/output-of.ts";
import { newFolder, runCommand, sharedServer, startServer } from "./support/server.ts";

const institution = path.join(import.meta.dirname, "support/institution");

async function crawl(
  url: string,
  further: string[] = [],
): Promise<(readonly [address: string, html: string])[]> {
  const sitemap = await (await fetch(`${url}/sitemap.xml`)).text();
  const listed = [...sitemap.matchAll(/<loc>http:\/\/[^/]+([^<]*)<\/loc>/g)].map(([, one]) => one!);
  return Promise.all(
    [...listed, ...further].map(async (address) => {
      // Compressing the pages would cost the server processor time, and nothing here is about it.
      const headers = { "Accept-Encoding": "identity" };
      const response = await fetch(url + address, { headers });
      assert.equal(response.status, address === "/nowhere" ? 404 : 200, address);
      return [address, await response.text()] as const;
    }),
  );
}

/** Articles, and the list of them, quote claims in order to discuss them. */
const isOfBlog = (html: string) => /class="page article-page"|<h1>Blog</.test(html);

/** The text of an article, or "". */
const proseOf = (html: string) =>
  /<div class="prose">(.*?)<\/div>/s.exec(html.replaceAll("<!-- -->", ""))?.[1] ?? "";

const otherBrand = { RUBRICON_BRAND_NAME: "Mark & Móderate" };

/** A server under another brand that states nothing else. */
const unstatedServer = once(() => startServer(wholeFile, { env: otherBrand }));

test("under another brand no page has a claim or the name of the built-in one", async () => {
  const { url } = await unstatedServer();
  const others = [
    "/test-forms",
    "/feed.xml",
    "/feed.json",
    "/rss.xml",
    "/blog?q=accuracy",
    "/?results=sample",
    "/marking?help",
  ];
  const files = ["/.well-known/security.txt", "/api/openapi.json", "/nowhere", "/robots.txt"];
  const pages = await crawl(url, [...others, ...files]);
  for (const address of ["/figures", "/accessibility"]) {
    assert.ok(
      pages.some(([listed]) => listed === address),
      address,
    );
  }
  assert.equal(pages.length, 13 + others.length + files.length);
  assert.ok(pages[0]![1].includes("Mark &amp; Móderate"), pages[0]![0]);
  assert.ok(pages.some(([, html]) => html.includes("We’re Mark &amp; Móderate")));
  const [, help] = pages.find(([address]) => address === "/marking?help")!;
  assert.match(help, /For markers.*For the lead.*For educators/s);
  assert.match(help, /<meta name="robots" content="noindex/);
  for (const [address, html] of pages) {
    assert.doesNotMatch(html, /rubricon/i, address);
    assert.doesNotMatch(html, /\{product\}|\{\w+\}(?!["}])/, address);
    for (const claim of claims) assert.equal(claim.exec(html)?.[0], undefined, address);
    for (const claim of claimsOfService) assert.equal(claim.exec(html)?.[0], undefined, address);
    if (!/^\/(terms|test-forms)/.test(address)) assert.doesNotMatch(html, /workspace/i, address);
    assert.doesNotMatch(html, /<(section|details|ul|ol|dl|li|dd|p)( [^>]*)?>\s*<\/\1>/, address);
    // The sample offers files for Moodle and others, which is no claim to work inside them.
    if (address === "/?results=sample") continue;
    const text = html
      .replace(/\b(school|forms)\.example\b/g, "")
      .replaceAll("a file that Moodle, Canvas, Brightspace or Blackboard imports", "");
    for (const claim of claimsOfPages) assert.equal(claim.exec(text)?.[0], undefined, address);
  }
});

test("under another brand the blog has the built-in articles only if the content folder has them", async (t) => {
  const none = await unstatedServer();
  for (const address of ["/fairness-in-assessments", "/downloads/marking-policy.docx"]) {
    assert.equal((await fetch(none.url + address)).status, 404, address);
  }
  const home = await (await fetch(none.url)).text();
  assert.doesNotMatch(home, /href="\/blog"/);
  const blog = await (await fetch(`${none.url}/blog`)).text();
  assert.match(blog, /There are no articles yet/);
  assert.doesNotMatch(blog, /type="search"/);

  const content = await exportContent(t);
  const own = await startServer(t, { env: { ...otherBrand, RUBRICON_CONTENT_DIR: content.own } });
  assert.match(await (await fetch(own.url)).text(), /href="\/blog"/);
  const slug = "eliminate-grading-stress-with-mark-moderate";
  assert.match(await (await fetch(`${own.url}/blog`)).text(), new RegExp(`href="/${slug}"`));
  assert.equal((await fetch(`${own.url}/${slug}`)).status, 200);
  const file = content.read("articles/revolutionise-exam-grading-with-product.md");
  const headings = file.match(/^## /gm)!;
  const article = await fetch(`${own.url}/revolutionise-exam-grading-with-mark-moderate`);
  const prose = proseOf(await article.text());
  assert.equal(prose.match(/<h2/g)!.length, headings.length, "nothing is cut out");
});

/** Words that say that a model proposes marks. */
const proposing = /\bpropos|\bAI\b|\bmodel (pro|may|can|runs)|the model\b/i;

test("without a model no page speaks of proposals", async () => {
  const { url } = await unstatedServer();
  for (const [address, html] of await crawl(url, [
    "/?results=sample",
    "/?results=sample&slips=1",
  ])) {
    // Drawings and classes are not words.
    const text = html
      .replace(/<(script|style|svg)\b.*?<\/\1>/gs, " ")
      .replace(/<!--.*?-->|<[^>]*>/gs, " ")
      .replace(/Proposed: /g, "");
    assert.equal(proposing.exec(text)?.[0], undefined, address);
    assert.doesNotMatch(text, /decided by the educator/, address);
  }
  const privacy = await (await fetch(`${url}/privacy-policy`)).text();
  assert.match(privacy, /People decide each mark\.\s+You receive an email with a private link/);
});

test("without a model no page promises a reason with each mark, and no second marker sees the first mark", async () => {
  for (const { url } of [await unstatedServer(), await sharedServer()]) {
    const features = await (await fetch(`${url}/features`)).text();
    assert.match(features, /For some learners or all, without sight of the first mark\./);
    assert.doesNotMatch(features, /who sees marks or/);
  }
  const home = await (await fetch((await unstatedServer()).url)).text();
  assert.match(home, /see who gave each mark/);
  assert.doesNotMatch(home, /each mark with its reason|each mark and why/);
});

test("the built-in brand says that AI marks, and who may receive the files", async () => {
  const builtIn = await sharedServer();
  const home = await (await fetch(builtIn.url)).text();
  assert.match(home, /AI-powered grading,/);
  assert.match(home, /They may be received by our team and by the provider of our server\./);
});

test("a school that marks its own learners’ work has no supplier’s clauses", async (t) => {
  const own = newFolder(t);
  writeFileSync(path.join(own, "brand.yaml"), 'company: "Example High School"\nmarksFor: "own"\n');
  const env = { RUBRICON_CONTENT_DIR: own, RUBRICON_BRAND_NAME: "Marking" };
  const { url } = await startServer(t, { env });
  const supplier =
    /as its operator|we are its operator|quotation|invoice|reconnect|entice|2% per month|our terms rule out/i;
  for (const [address, html] of await crawl(url)) {
    assert.equal(supplier.exec(html.replace(/<[^>]*>/g, " "))?.[0], undefined, address);
    assert.doesNotMatch(html, /officer: our information officer/, address);
  }
  const terms = await (await fetch(`${url}/terms-conditions`)).text();
  assert.equal(terms.match(/<h2 id="\d+-/g)?.length, 23);
});

test("pages show only what an institution states", async (t) => {
  const env = { RUBRICON_CONTENT_DIR: institution, RUBRICON_BRAND_NAME: "Example Marking" };
  const { url } = await startServer(t, { env });
  const get = async (address: string) =>
    (await (await fetch(url + address)).text()).replaceAll("<!-- -->", "");
  const figures = await get("/figures");
  assert.match(figures, /97,5% accuracy of proposed marks/);
  assert.match(
    figures,
    /<td>Marks that the teacher left unchanged\. 1 240 answers in Grade 10 History\. March 2026\.<\/td><td>We<\/td>/,
  );
  assert.doesNotMatch(figures, /id="(agreement|timeSaved|speed|languages)"/);

  const features = await get("/features");
  assert.match(features, /By the script, in rand\./);
  assert.match(features, /<li>First step of the pilot\.<\/li>/);
  assert.doesNotMatch(
    features,
    /What is a workspace|What happens after the demo|LMS compatibility/,
  );
  assert.doesNotMatch(features, /id="languages-title"/);

  for (const page of ["/", "/latest-feature"]) {
    const notice = /<p class="hint">[^<]* keeps these files .*?<\/p>/s.exec(await get(page))![0];
    assert.match(notice, /^<p class="hint">Marking Company \(Pty\) Ltd keeps/);
    for (const recipient of [
      /server in South Africa/,
      /a language model of Example AI in Ireland/,
    ]) {
      assert.match(notice, recipient, page);
    }
  }
  const privacy = await get("/privacy-policy");
  assert.match(privacy, /checked first, by teachers of the subject, registered with SACE/);
  assert.doesNotMatch(privacy, /not published/);
  const manual = await get("/paia-manual");
  for (const value of ["Thandi Dube", "2020/123456/07", "031 555 0100", "Ireland"]) {
    assert.ok(manual.includes(value), value);
  }
  assert.match(await get("/about"), /<a href="https:\/\/social\.test\/marking"/);
});

test("only the policies of privacy and security say what is not published", async () => {
  const { url } = await unstatedServer();
  const get = async (address: string) => (await fetch(url + address)).text();
  assert.match(await get("/privacy-policy"), /We have not published where our server stands/);
  for (const [address, html] of await crawl(url)) {
    if (/^\/(privacy|security)-policy$/.test(address)) continue;
    assert.doesNotMatch(html, /ha(ve|s) not published|haven’t published|ask us before/i, address);
  }
});

test("without an address for email, pages refer to the contact page", async () => {
  const { url } = await unstatedServer();
  for (const [address, html] of await crawl(url)) {
    assert.doesNotMatch(html, /same email|in the subject/, address);
  }
  const get = async (address: string) => (await fetch(url + address)).text();
  const privacy = await get("/privacy-policy");
  assert.match(privacy, /Write to <a href="\/contact">our contact page<\/a>\. Give the reference/);
  assert.doesNotMatch(privacy, /mailto:(?!\w+@inforegulator)/);
  assert.doesNotMatch(await get("/.well-known/security.txt"), /mailto:/);
});

test("config check and doctor name every placeholder that is still published", async (t) => {
  const folder = newFolder(t);
  const check = async (env: Record<string, string>) => {
    const { out } = await succeeded(runCommand(folder, ["config", "check", "--json"], env));
    return (JSON.parse(out) as { warnings: string[] }).warnings;
  };
  const builtIn = await check({});
  assert.match(builtIn.join("\n"), /^brand\.yaml: the built-in brand/);
  assert.match(builtIn.join("\n"), /email: hello@rubricon\.example cannot receive email/);
  const unstated = await check({ RUBRICON_BRAND_NAME: "Unstated" });
  assert.deepEqual(
    unstated.map((line) => line.split(":")[0]),
    ["email", "registration, address, phone", "dataCountry", "marksFor"],
  );
  const { out } = await runCommand(folder, ["doctor"], { RUBRICON_BRAND_NAME: "Unstated" });
  assert.match(out, /^warn {2}brand .*registration, .*: empty.*What to do: /m);

  // In tests/doctor.test.ts the doctor finds this brand complete.
  assert.deepEqual(await check({ RUBRICON_CONTENT_DIR: institution }), []);
});

test("a wrong type or address in brand.yaml is rejected with its line", async (t) => {
  const folder = newFolder(t);
  cpSync(institution, path.join(folder, "own"), { recursive: true });
  const file = path.join(folder, "own/brand.yaml");
  const wrong = readFileSync(file, "utf8")
    .replace("https://social.test/marking", "javascript:alert(1)")
    .replace(/^pilot:[\s\S]*?^(?=\w)/m, 'pilot: "One step."\n');
  writeFileSync(file, wrong);
  const lineOf = (text: string) => wrong.slice(0, wrong.indexOf(text)).split("\n").length;
  const { code, err } = await runCommand(folder, ["config", "check"], {
    RUBRICON_CONTENT_DIR: "own",
  });
  assert.equal(code, 78);
  for (const message of [
    `brand.yaml:${lineOf("javascript:")}: social.0.url: must begin with https:// or http://`,
    `brand.yaml:${lineOf("pilot:")}: pilot: must be a list\n`,
  ]) {
    assert.ok(err.includes(message), err);
  }
});

test("the built-in brand makes each claim, so that the tests of other brands can fail", async () => {
  const { url } = await sharedServer();
  const pages = await crawl(url);
  const textOf = (found: typeof pages) => found.map(([, html]) => html).join();
  const text = textOf(pages);
  for (const claim of [...claims, ...claimsOfService]) assert.match(text, claim);
  const withoutBlog = textOf(pages.filter(([, html]) => !isOfBlog(html)));
  for (const claim of [...claimsOfPages, ...claimsOfService]) {
    // This one is in an article only.
    if (claim.source !== "We make marking software") assert.match(withoutBlog, claim);
  }
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

test("each figure on a page is followed by a link to its basis", async () => {
  const { url } = await sharedServer();
  const basis = await (await fetch(`${url}/figures`)).text();
  const figures = [...claims, /there within minutes|24\/7|Assessment volume|eleven official/];
  const linked = new Set<string>();
  for (const [address, html] of await crawl(url)) {
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
  for (const name of ["accuracy", "timeSaved", "hoursSaved", "speed", "volume", "languages"]) {
    assert.ok(linked.has(name), name);
  }
});

test("each figure in an article is followed by a link to its basis", async () => {
  const { url } = await sharedServer();
  const basis = await (await fetch(`${url}/figures`)).text();
  const linked = new Set<string>();
  for (const [address, html] of await crawl(url)) {
    if (address === "/figures") continue;
    for (const part of blocksOf(proseOf(html))) {
      const isClaim = claims.some((one) => one.test(part.text));
      if (!isClaim || part.isHeading || /Moodle|ISO 27001/.test(part.text)) continue;
      linked.add(figureNamedIn(part, basis));
    }
  }
  assert.deepEqual([...linked].sort(), [
    "accuracy",
    "agreement",
    "gradingTime",
    "hoursSaved",
    "languages",
    "timeSaved",
  ]);
});
