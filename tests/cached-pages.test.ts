/** Pages from the cache: encodings, ETags, and which URLs are one page. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { once } from "../app/server/system/once.ts";
import { pages } from "../app/site.ts";
import { assetNamed } from "./support/built-assets.ts";
import { contactTyped, postForm } from "./support/forms.ts";
import { type HttpResponse, postOf, sendRequest } from "./support/send-request.ts";
import { sharedServer } from "./support/server.ts";

const decoders: Record<string, (bytes: Buffer) => Buffer> = {
  br: brotliDecompressSync,
  gzip: gunzipSync,
};

const inlineScripts = ({ bytes }: HttpResponse) =>
  [
    ...bytes.toString().matchAll(/<script(?![^>]*(\+|\/)json")(?![^>]* src="\/assets\/)[^>]*>/g),
  ].map(([tag]) => tag);

// The first test, because it is about a server that has rendered no page yet.
test("unknown addresses get the same 404 page, or JSON at .data, whichever is requested first", async () => {
  const { url } = await sharedServer();
  for (const address of ["/x.data", "/_root.data"]) {
    const { status, bytes } = await sendRequest(url, address);
    assert.deepEqual([status, JSON.parse(bytes.toString()).code], [404, "not_found"], address);
  }
  const pages = new Map<string, string>();
  for (const address of ["/nowhere.txt", "/__manifest", "/index.html", "/nowhere"]) {
    const { status, headers, bytes } = await sendRequest(url, address);
    assert.deepEqual([status, headers["content-type"]], [404, "text/html; charset=utf-8"], address);
    pages.set(address, bytes.toString());
  }
  const page = pages.get("/nowhere")!;
  assert.match(page, /<h1>404 Page Not Found<\/h1>/);
  for (const [address, html] of pages) assert.ok(html === page, address);
});

test("a cached page has the same bytes in every encoding, each with its own strong ETag", async () => {
  const { url } = await sharedServer();
  for (const address of ["/", "/about", "/blog", "/contact", "/feed.xml", "/sitemap.xml"]) {
    const plain = await sendRequest(url, address);
    assert.equal(plain.status, 200, address);
    const tags = new Set([plain.headers.etag]);
    for (const [encoding, decode] of Object.entries(decoders)) {
      const encoded = await sendRequest(url, address, { headers: { "Accept-Encoding": encoding } });
      assert.equal(encoded.headers["content-encoding"], encoding, address);
      assert.equal(encoded.headers["content-length"], String(encoded.bytes.length), address);
      assert.ok(encoded.bytes.length < plain.bytes.length, address);
      assert.ok(decode(encoded.bytes).equals(plain.bytes), `${address} as ${encoding}`);
      tags.add(encoded.headers.etag);
    }
    assert.equal(tags.size, 3, address);
    for (const tag of tags) assert.match(tag!, /^"[\w-]+"$/, `${address}: strong`);
    assert.equal(plain.headers.vary, "Accept-Encoding", address);
    assert.equal(plain.headers["cache-control"], "no-cache", address);
  }
});

test("the best encoding is chosen by weight, and none if none is accepted", async () => {
  const { url } = await sharedServer();
  for (const [accept, encoding] of [
    ["gzip, deflate, br, zstd", "br"],
    ["gzip;q=1.0, br;q=0.5", "gzip"],
    ["br;q=0, gzip", "gzip"],
    ["*", "br"],
    ["*;q=0", undefined],
    ["identity", undefined],
    ["deflate", undefined],
    ["zstd", undefined],
    ["", undefined],
    ["BR", "br"],
  ] as const) {
    const response = await sendRequest(url, "/about", { headers: { "Accept-Encoding": accept } });
    assert.equal(response.headers["content-encoding"], encoding, accept);
  }
});

test("304 if If-None-Match has the ETag: alone, in a list, weak, or as *", async () => {
  const { url } = await sharedServer();
  const accept = { "Accept-Encoding": "br" };
  for (const address of ["/about", `/assets/${assetNamed(/\.css$/)}`]) {
    const tag = (await sendRequest(url, address, { headers: accept })).headers.etag!;
    const conditional = (known: string, method = "GET") =>
      sendRequest(url, address, { method, headers: { ...accept, "If-None-Match": known } });
    for (const known of [tag, `W/${tag}`, `"other", ${tag}`, `"a",W/"b" , W/${tag},"c"`, "*"]) {
      const response = await conditional(known);
      const { etag, vary } = response.headers;
      assert.deepEqual([response.status, response.bytes.length], [304, 0], known);
      assert.deepEqual([etag, vary], [tag, "Accept-Encoding"], known);
      assert.equal((await conditional(known, "HEAD")).status, 304, known);
    }
    const identity = (await sendRequest(url, address)).headers.etag!;
    for (const known of ['"other"', identity, tag.slice(1, -1), tag.replace("-br", "-gzip")]) {
      assert.equal((await conditional(known)).status, 200, known);
    }
  }
});

test("an unknown address is a 404 even under If-None-Match: *", async () => {
  const { url } = await sharedServer();
  const missing = await sendRequest(url, "/nowhere", { headers: { "If-None-Match": "*" } });
  assert.equal(missing.status, 404);
});

test("the blog of a category is cached under its own ETag, whatever else is in its query", async () => {
  const { url } = await sharedServer();
  const tagOf = async (address: string) => (await sendRequest(url, address)).headers.etag;
  const pageOf = async (address: string) => (await sendRequest(url, address)).bytes.toString();
  const [, article] = /<h3><a href="(\/[^"]+)"/.exec(await pageOf("/blog"))!;
  const [, category] = /\/blog\?category=([^"]+)"/.exec(await pageOf(article!))!;
  const own = await tagOf(`/blog?category=${category}`);
  assert.ok(own);
  assert.notEqual(own, await tagOf("/blog"));
  assert.equal(await tagOf(`/blog?utm_source=mailing&category=${category}`), own);
});

/** Pages that are made for one request, with their addresses: a search, a receipt, the test page and a returned form. */
const madeForOne = once(async () => {
  const { url } = await sharedServer();
  const receipt = (await postForm(url, "/contact", contactTyped)).headers.get("Location")!;
  const made: (HttpResponse & { address: string })[] = [];
  // The second of two equal responses would come from the cache.
  const gets = [
    "/blog?q=memo",
    "/blog?q=memo",
    "/blog?utm=a&q=memo",
    receipt,
    receipt,
    "/test-forms",
  ];
  for (const address of gets) made.push({ address, ...(await sendRequest(url, address)) });
  for (const { status, address } of made) assert.equal(status, 200, address);
  const returned = await sendRequest(url, "/contact", postOf("name=&email=x"));
  assert.equal(returned.status, 422);
  return [...made, { address: "/contact", ...returned }];
});

test("a search, a receipt, the test page and a returned form are never cached", async () => {
  for (const { address, headers } of await madeForOne()) {
    assert.equal(headers["cache-control"], "no-store", address);
    assert.equal(headers.etag, undefined, address);
  }
});

test("a page that is not cached has no inline script, which its policy would block", async () => {
  for (const response of await madeForOne()) {
    const policy = String(response.headers["content-security-policy"]);
    assert.match(policy, /script-src 'self';/, response.address);
    assert.deepEqual(inlineScripts(response), [], response.address);
  }
});

test("a parameter that a page does not read is ignored", async () => {
  const { url } = await sharedServer();
  for (const address of [
    "/about?utm_source=x",
    "/about?fbclid=1&gclid=2",
    "/about?",
    "/about?page=2",
    "/about?page=2&utm_source=x",
    "/about?utm_source=x&page",
    "/about?category=Marking&results=x&__proto__=y",
    "/about?q=memo&q=rubric&received=x",
    "/?q=memo",
    "/contact?category=x",
    "/terms-conditions?received=ABCD-EFGH-JKMN",
    "/blog?results=x",
    "/blog?utm_source=mailing&utm_medium=x",
  ]) {
    const plain = await sendRequest(url, address.replace(/\?.*/, ""));
    const { status, headers, bytes } = await sendRequest(url, address);
    assert.equal(status, 200, address);
    assert.equal(headers.etag, plain.headers.etag, address);
    assert.equal(headers["cache-control"], "no-cache", address);
    assert.ok(bytes.equals(plain.bytes), address);
  }
});

test("a page is not cached if a parameter that it reads is given, other than a category of the blog", async () => {
  const { url } = await sharedServer();
  const received = "received=ABCD-EFGH-JKMN";
  for (const address of [
    "/blog?q=memo",
    "/blog?category=x",
    `/latest-feature?${received}`,
    "/?results=x",
  ]) {
    const { headers } = await sendRequest(url, address);
    assert.equal(headers["cache-control"], "no-store", address);
  }
});

test("app/site.ts lists every parameter that a cached page reads", () => {
  const source = (file: string) =>
    readFileSync(path.join(import.meta.dirname, "../app", file), "utf8");
  const namesIn = (text: string) =>
    [...text.matchAll(/(?:(?:searchParams|query)\.(?:get|has)|parameter)\("([^"]+)"\)/g)].map(
      ([, name]) => name!,
    );
  const shared = namesIn(source("routes/form-route.ts"));
  assert.deepEqual(shared, ["received"]);
  const ofResults = namesIn(source("ui/results/results-urls.ts"));
  for (const { path: address, module, parameters = {}, isUnlisted } of pages) {
    if (isUnlisted) continue;
    const text = source(module);
    const read = new Set([
      ...namesIn(text),
      ...(/(loadFormPage|formLoader)\(/.test(text) ? shared : []),
      ...(text.includes("viewOf(") ? ofResults : []),
    ]);
    assert.deepEqual(Object.keys(parameters).sort(), [...read].sort(), address);
  }
});
