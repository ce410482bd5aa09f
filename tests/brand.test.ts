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
  const addresses = pages.map(([address]) => address);
  for (const listed of ["/figures", "/accessibility"])
    assert.ok(addresses.includes(listed), listed);
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
    for (const claim of [...claimsOfService, claimOfArticles])
      assert.equal(claim.exec(html)?.[0], undefined, address);
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

test("without a model no page promises a reason with each mark", async () => {
  const home = await (await fetch((await unstatedServer()).url)).text();
  assert.match(home, /see who gave each mark/);
  assert.doesNotMatch(home, /each mark with its reason|each mark and why/);
});

test("without a model no second marker sees the first mark", async () => {
  const features = await (await fetch(`${(await unstatedServer()).url}/features`)).text();
  assert.match(features, /For some learners or all, without sight of the first mark\./);
  assert.doesNotMatch(features, /who sees marks or/);
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

test("without a stated model no page denies that one reads the work", async () => {
  const { url } = await unstatedServer();
  const get = async (path: string) => (await fetch(url + path)).text();
  const [security, ...others] = await Promise.all(["/security-policy", "/features", "/"].map(get));
  const denial = /No: people mark it|A model is not: people mark|People mark every answer/;
  assert.equal(denial.exec(security! + others.join())?.[0], undefined);
  assert.ok(security!.includes("We have named none. People decide every mark."));
});
