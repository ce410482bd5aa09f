/** Pages from the cache: encodings, ETags, and which URLs are one page. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { markingPath, pages } from "../app/site.ts";
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
  const others: HttpResponse[] = [];
  for (const address of ["/nowhere.txt", "/__manifest", "/index.html"]) {
    others.push(await sendRequest(url, address));
  }
  const response = await sendRequest(url, "/nowhere");
  assert.equal(response.status, 404);
  for (const { status, bytes } of others) {
    assert.equal(status, 404);
    assert.ok(bytes.equals(response.bytes));
  }
  assert.equal(response.headers["content-type"], "text/html; charset=utf-8");
  assert.match(response.bytes.toString(), /<h1>404 Page Not Found<\/h1>/);
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
      assert.equal(response.status, 304, known);
      assert.equal(response.bytes.length, 0);
      assert.equal(response.headers.etag, tag);
      assert.equal(response.headers.vary, "Accept-Encoding");
      assert.equal((await conditional(known, "HEAD")).status, 304);
    }
    const identity = (await sendRequest(url, address)).headers.etag!;
    for (const known of ['"other"', identity, tag.slice(1, -1), tag.replace("-br", "-gzip")]) {
      assert.equal((await conditional(known)).status, 200, known);
    }
  }
  const missing = await sendRequest(url, "/nowhere", { headers: { "If-None-Match": "*" } });
  assert.equal(missing.status, 404);
});

test("URLs that show the same page have the same ETag", async () => {
  const { url } = await sharedServer();
  const tagOf = async (address: string) => (await sendRequest(url, address)).headers.etag;
  const blog = await tagOf("/blog");
  assert.equal(await tagOf("/blog?utm_source=mailing&utm_medium=x"), blog);
  const pageOf = async (address: string) => (await sendRequest(url, address)).bytes.toString();
  const [, article] = /<h3><a href="(\/[^"]+)"/.exec(await pageOf("/blog"))!;
  const [, category] = /\/blog\?category=([^"]+)"/.exec(await pageOf(article!))!;
  const own = await tagOf(`/blog?category=${category}`);
  assert.ok(own);
  assert.notEqual(own, blog);
  assert.equal(await tagOf(`/blog?utm_source=mailing&category=${category}`), own);
  assert.equal(
    await tagOf("/nowhere"),
    await tagOf("/elsewhere"),
    "one response for all unknown paths",
  );
});

test("pages for one visitor are never cached", async () => {
  const { url } = await sharedServer();
  const stored = await postForm(url, "/contact", contactTyped);
  const receipt = stored.headers.get("Location")!;
  for (const [status, address, options = {}] of [
    [200, "/blog?q=memo"],
    [200, "/blog?q=memo"],
    [200, "/blog?utm=a&q=memo"],
    [200, receipt],
    [200, receipt],
    [200, "/test-forms"],
    [422, "/contact", postOf("name=&email=x")],
  ] as [number, string, Parameters<typeof sendRequest>[2]?][]) {
    const response = await sendRequest(url, address, options);
    assert.equal(response.status, status, address);
    assert.equal(response.headers["cache-control"], "no-store", address);
    assert.equal(response.headers.etag, undefined, address);
    const policy = response.headers["content-security-policy"] as string;
    assert.match(policy, /script-src 'self';/, address);
    assert.deepEqual(inlineScripts(response), [], address);
  }
});

test("a parameter that a page does not read is ignored", async () => {
  const { url } = await sharedServer();
  const about = await sendRequest(url, "/about");
  assert.equal(about.status, 200);
  for (const address of [
    ...["/about?utm_source=x", "/about?fbclid=1&gclid=2", "/about?", "/about?page=2"],
    ...["/about?page=2&utm_source=x", "/about?utm_source=x&page"],
    ...["/about?category=Marking&results=x&__proto__=y", "/about?q=memo&q=rubric&received=x"],
  ]) {
    const { status, headers } = await sendRequest(url, address);
    assert.equal(status, 200, address);
    assert.equal(headers.etag, about.headers.etag, address);
    assert.equal(headers["cache-control"], "no-cache", address);
  }
});

test("a page is not cached if a parameter that it reads is given", async () => {
  const { url } = await sharedServer();
  for (const [parameter, reads, ignores] of [
    ["q=memo", "/blog", "/"],
    ["category=x", "/blog", "/contact"],
    ["received=ABCD-EFGH-JKMN", "/latest-feature", "/terms-conditions"],
    ["results=x", "/", "/blog"],
  ] as const) {
    const read = await sendRequest(url, `${reads}?${parameter}`);
    assert.equal(read.headers["cache-control"], "no-store", `${reads}?${parameter}`);
    const ignored = await sendRequest(url, `${ignores}?${parameter}`);
    const plain = await sendRequest(url, ignores);
    assert.equal(ignored.headers.etag, plain.headers.etag, `${ignores}?${parameter}`);
    assert.ok(ignored.bytes.equals(plain.bytes));
  }
});

test("app/site.ts lists every parameter that a page reads", () => {
  const source = (file: string) =>
    readFileSync(path.join(import.meta.dirname, "../app", file), "utf8");
  const namesIn = (text: string) =>
    [...text.matchAll(/(?:(?:searchParams|query)\.(?:get|has)|parameter)\("([^"]+)"\)/g)].map(
      ([, name]) => name!,
    );
  const shared = namesIn(source("routes/form-route.ts"));
  assert.deepEqual(shared, ["received"]);
  const ofResults = namesIn(source("ui/results/results-urls.ts"));
  const ofMarking = namesIn(source("ui/marking/desk-urls.ts"));
  for (const { path: address, module, parameters = {} } of pages) {
    const text = source(module);
    const read = new Set([
      ...namesIn(text),
      ...(/(loadFormPage|formLoader)\(/.test(text) ? shared : []),
      ...(text.includes("viewOf(") ? ofResults : []),
      ...(address === markingPath ? ofMarking : []),
      ...(text.includes("./results-action.ts") ? namesIn(source("routes/results-action.ts")) : []),
    ]);
    assert.deepEqual(Object.keys(parameters).sort(), [...read].sort(), address);
  }
});
