import assert from "node:assert/strict";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { cardName, titleForOthers } from "../app/server/content/card-name.ts";
import { once } from "../app/server/system/once.ts";
import { wholeFile } from "./support/at-end.ts";
import { assetNamed } from "./support/built-assets.ts";
import { claimOfArticles, claims, claimsOfPages, claimsOfService } from "./support/claims.ts";
import { exportContent } from "./support/content.ts";
import { cardOf, crawl, proseOf } from "./support/crawl.ts";
import { succeeded } from "./support/output-of.ts";
import { newFolder, runCommand, startServer } from "./support/server.ts";

const institution = path.join(import.meta.dirname, "support/institution");

const otherBrand = { RUBRICON_BRAND_NAME: "Mark & Móderate" };

/** A server under another brand that states nothing else. */
const unstatedServer = once(() => startServer(wholeFile, { env: otherBrand }));

/** Pages and files under another brand, by address: those of the sitemap, then others. */
const unstatedPages = once(async () => {
  const others = [
    "/test-forms",
    "/feed.xml",
    "/feed.json",
    "/rss.xml",
    "/blog?q=accuracy",
    "/?results=sample",
    "/?results=sample&slips=1",
    "/marking?help",
    "/.well-known/security.txt",
    "/api/openapi.json",
    "/nowhere",
    "/robots.txt",
  ];
  const pages = new Map(await crawl((await unstatedServer()).url, others));
  for (const listed of ["/figures", "/accessibility"]) assert.ok(pages.has(listed), listed);
  assert.equal(pages.size, 13 + others.length);
  return pages;
});

const unstatedPage = async (address: string) => (await unstatedPages()).get(address)!;

test("under another brand no page has the name of the built-in one", async () => {
  assert.ok((await unstatedPage("/")).includes("Mark &amp; Móderate"));
  assert.ok((await unstatedPage("/about")).includes("We’re Mark &amp; Móderate"));
  for (const [address, html] of await unstatedPages()) {
    assert.doesNotMatch(html, /rubricon/i, address);
  }
});

test("under another brand no page has a claim of the built-in one", async () => {
  for (const [address, html] of await unstatedPages()) {
    for (const claim of [...claims, ...claimsOfService, claimOfArticles])
      assert.equal(claim.exec(html)?.[0], undefined, address);
    // The sample offers files for Moodle and others, which is no claim to work inside them.
    if (address.startsWith("/?results=sample")) continue;
    const text = html
      .replace(/\b(school|forms)\.example\b/g, "")
      .replaceAll("a file that Moodle, Canvas, Brightspace or Blackboard imports", "");
    for (const claim of claimsOfPages) assert.equal(claim.exec(text)?.[0], undefined, address);
  }
});

test("a brand that states nothing leaves no empty part and no placeholder on a page", async () => {
  for (const [address, html] of await unstatedPages()) {
    assert.doesNotMatch(html, /<(section|details|ul|ol|dl|li|dd|p)( [^>]*)?>\s*<\/\1>/, address);
    assert.doesNotMatch(html, /\{\w+\}(?!["}])/, address);
  }
});

test("the help of the desk is for markers, leads and educators, and not indexed", async () => {
  const help = await unstatedPage("/marking?help");
  assert.match(help, /For markers.*For the lead.*For educators/s);
  assert.match(help, /<meta name="robots" content="noindex/);
});

test("under another brand the blog has no built-in articles", async () => {
  const { url } = await unstatedServer();
  for (const address of ["/fairness-in-assessments", "/downloads/marking-policy.docx"]) {
    assert.equal((await fetch(url + address)).status, 404, address);
  }
  assert.doesNotMatch(await (await fetch(url)).text(), /href="\/blog"/);
  const blog = await (await fetch(`${url}/blog`)).text();
  assert.match(blog, /There are no articles yet/);
  assert.doesNotMatch(blog, /type="search"/);
});

/** Pages of a server under another brand whose content folder has the built-in articles. */
const withArticles = once(async () => {
  const content = await exportContent(wholeFile);
  const env = { ...otherBrand, RUBRICON_CONTENT_DIR: content.own };
  const { url } = await startServer(wholeFile, { env });
  const pageAt = async (address: string) => {
    const response = await fetch(url + address);
    assert.equal(response.status, 200, address);
    return response.text();
  };
  return { content, pageAt };
});

const renamedArticle = "/revolutionise-exam-grading-with-mark-moderate";

test("under another brand the blog has the built-in articles of the content folder, uncut", async () => {
  const { content, pageAt } = await withArticles();
  assert.match(await pageAt("/"), /href="\/blog"/);
  assert.ok((await pageAt("/blog")).includes(`href="${renamedArticle}"`));
  const file = content.read("articles/revolutionise-exam-grading-with-product.md");
  const headings = file.match(/^## /gm)!;
  const prose = proseOf(await pageAt(renamedArticle));
  assert.equal(prose.match(/<h2/g)!.length, headings.length);
});

test("articles of another brand have the card that names no brand", async () => {
  const { pageAt } = await withArticles();
  const name = cardName({ name: undefined, title: titleForOthers });
  const card = assetNamed(new RegExp(`^${name}-.*\\.png$`));
  for (const address of ["/", renamedArticle]) {
    assert.equal(path.basename(cardOf(await pageAt(address)).image), card, address);
  }
});

/** Words that say that a model proposes marks. */
const proposing = /\bpropos|\bAI\b|\bmodel (pro|may|can|runs)|the model\b/i;

test("without a model no page speaks of proposals", async () => {
  for (const [address, html] of await unstatedPages()) {
    // The tests of forms, and the help, which is for every installation, are not about this one.
    if (!html.startsWith("<!DOCTYPE html>") || /^\/(test-forms|marking)/.test(address)) continue;
    // Drawings and classes are not words.
    const text = html
      .replace(/<(script|style|svg)\b.*?<\/\1>/gs, " ")
      .replace(/<!--.*?-->|<[^>]*>/gs, " ")
      .replace(/Proposed: /g, "");
    assert.equal(proposing.exec(text)?.[0], undefined, address);
  }
});

test("a school that marks its own learners’ work has no supplier’s clauses", async (t) => {
  const own = newFolder(t);
  const brand =
    'company: "Example High School"\nmarksFor: "own"\nintegrations: [{ name: "Moodle", text: "By a file." }]\n';
  writeFileSync(path.join(own, "brand.yaml"), brand);
  const env = { RUBRICON_CONTENT_DIR: own, RUBRICON_BRAND_NAME: "Marking" };
  const { url } = await startServer(t, { env });
  const supplier =
    /as its operator|we are its operator|quotation|invoice|reconnect|entice|2% per month|our terms rule out|workspace|flexible API/i;
  for (const [address, html] of await crawl(url)) {
    assert.equal(supplier.exec(html.replace(/<[^>]*>/g, " "))?.[0], undefined, address);
    assert.doesNotMatch(html, /officer: our information officer/, address);
  }
  const terms = await (await fetch(`${url}/terms-conditions`)).text();
  assert.equal(terms.match(/<h2 id="\d+-/g)?.length, 23);
});

/** Gets pages of an institution that states some things of itself. */
const stated = once(async () => {
  const env = { RUBRICON_CONTENT_DIR: institution, RUBRICON_BRAND_NAME: "Example Marking" };
  const { url } = await startServer(wholeFile, { env });
  return async (address: string) =>
    (await (await fetch(url + address)).text()).replaceAll("<!-- -->", "");
});

test("the figures of an institution are those that it states", async () => {
  const figures = await (await stated())("/figures");
  const rows = [...figures.matchAll(/<tr id="\w+">(.*?)<\/tr>/g)].map(([, row]) => row!);
  const counted =
    "Marks that the teacher left unchanged. 1 240 answers in Grade 10 History. March 2026.";
  assert.deepEqual(
    rows.map((row) => [...row.matchAll(/>([^<]+)</g)].map(([, cell]) => cell)),
    [
      ["97,5% accuracy of proposed marks", counted, "We"],
      ["12 hours saved for a teacher in a month", "What was counted is not published.", "We"],
    ],
  );
});

test("the features of an institution are those that it states", async () => {
  const features = await (await stated())("/features");
  assert.match(features, /By the script, in rand\./);
  assert.match(features, /<li>First step of the pilot\.<\/li>\s*<li>Second step of the pilot\.</);
  assert.doesNotMatch(
    features,
    /What is a workspace|What happens after the demo|LMS compatibility|id="languages-title"/,
  );
});

test("beside a form with files an institution says who keeps and who may receive them", async () => {
  const get = await stated();
  for (const page of ["/", "/latest-feature"]) {
    const notice = /<p class="hint">[^<]* keeps these files .*?<\/p>/s.exec(await get(page))![0];
    assert.match(
      notice,
      /^<p class="hint">Marking Company \(Pty\) Ltd keeps .* received by our team, by the provider of our server in South Africa, and by a language model of Example AI in Ireland\./,
      page,
    );
  }
});

test("the documents of an institution name its people, numbers and profiles", async () => {
  const get = await stated();
  const privacy = await get("/privacy-policy");
  assert.match(privacy, /checked first, by teachers of the subject, registered with SACE/);
  assert.doesNotMatch(privacy, /not published/);
  const manual = await get("/paia-manual");
  for (const value of ["Thandi Dube", "2020/123456/07", "031 555 0100", "Ireland"])
    assert.ok(manual.includes(value), value);
  assert.match(await get("/about"), /<a href="https:\/\/social\.test\/marking"/);
});

test("a brand that states nothing says what is not published only in its privacy and security policies", async () => {
  const said = /We have not published where our server stands|what of this we have not published\./;
  for (const [address, html] of await unstatedPages()) {
    if (/^\/(privacy|security)-policy$/.test(address)) assert.match(html, said, address);
    else assert.doesNotMatch(html, /ha(ve|s) not published/i, address);
  }
});

test("without an address for email, pages refer to the contact page", async () => {
  const privacy = await unstatedPage("/privacy-policy");
  assert.match(privacy, /Write to <a href="\/contact">our contact page<\/a>\. Give the reference/);
  for (const [address, html] of await unstatedPages())
    assert.doesNotMatch(html, /mailto:(?!\w+@inforegulator)/i, address);
});

test("config check names every placeholder that is still published", async (t) => {
  const folder = newFolder(t);
  const warningsWith = async (env: Record<string, string>) => {
    const { out } = await succeeded(runCommand(folder, ["config", "check", "--json"], env));
    return (JSON.parse(out) as { warnings: string[] }).warnings;
  };
  const builtIn = (await warningsWith({})).join("\n");
  assert.match(builtIn, /^brand\.yaml: the built-in brand/);
  assert.match(builtIn, /email: hello@rubricon\.example cannot receive email/);
  const unstated = await warningsWith({ RUBRICON_BRAND_NAME: "Unstated" });
  assert.deepEqual(
    unstated.map((line) => line.split(":")[0]),
    ["email", "registration, address, phone", "dataCountry", "marksFor"],
  );
  assert.deepEqual(await warningsWith({ RUBRICON_CONTENT_DIR: institution }), []);
});

// In tests/doctor.test.ts the doctor finds an institution's brand complete.
test("doctor warns of placeholders that are still published", async (t) => {
  const { out } = await runCommand(newFolder(t), ["doctor"], { RUBRICON_BRAND_NAME: "Unstated" });
  assert.match(out, /^warn {2}brand .*registration, .*: empty.*What to do: /m);
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

test("without a stated model pages say that people decide the marks, not that people mark", async () => {
  for (const [address, said] of [
    ["/privacy-policy", "People decide each mark.\nYou receive an email with a private link"],
    ["/security-policy", "We have named none. People decide every mark."],
    ["/features", "A model is not: people decide every mark."],
    ["/", "People decide every answer on screen"],
    ["/", "see who gave each mark"],
  ] as const) {
    const html = await unstatedPage(address);
    assert.ok(html.includes(said), address);
    assert.doesNotMatch(html, /people mark/i, address);
  }
});
