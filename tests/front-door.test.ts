import assert from "node:assert/strict";
import { once } from "node:events";
import {
  copyFileSync,
  cpSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { connect } from "node:net";
import path from "node:path";
import { test } from "node:test";
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib";
import Sqlite from "better-sqlite3";
import type * as healthModule from "../app/server/http/health.ts";
import { pages } from "../app/site.ts";
import type { Store } from "../db/store.ts";
import { contactTyped, postForm } from "./support/forms.ts";
import { type HttpResponse, sendRequest } from "./support/http-get.ts";
import { sendRaw } from "./support/raw-http.ts";
import { newFolder, startServer, until } from "./support/server.ts";
import { loadSource } from "./support/source.ts";
import { uploadByApi, uploadByPage, uploadForm } from "./support/upload.ts";

const root = path.join(import.meta.dirname, "..");
const assetFolder = path.join(root, "build/client/assets");
const assets = readdirSync(assetFolder);
/** Returns the name of a built file that matches the pattern. */
const assetNamed = (pattern: RegExp) => assets.find((name) => pattern.test(name))!;

const decoders: Record<string, (bytes: Buffer) => Buffer> = {
  br: brotliDecompressSync,
  gzip: gunzipSync,
  zstd: zstdDecompressSync,
};

test("a cached page has the same bytes in every encoding, each with its own strong ETag", async (t) => {
  const { url } = await startServer(t);
  for (const address of ["/", "/about", "/blog", "/contact", "/feed.xml", "/sitemap.xml"]) {
    const plain = await sendRequest(url, address);
    assert.equal(plain.status, 200, address);
    const tags = new Set([plain.headers.etag]);
    for (const [encoding, decode] of Object.entries(decoders)) {
      const encoded = await sendRequest(url, address, { headers: { "Accept-Encoding": encoding } });
      assert.equal(encoded.headers["content-encoding"], encoding);
      assert.equal(encoded.headers["content-length"], String(encoded.bytes.length));
      assert.ok(encoded.bytes.length < plain.bytes.length);
      assert.ok(decode(encoded.bytes).equals(plain.bytes), `${address} as ${encoding}`);
      tags.add(encoded.headers.etag);
    }
    assert.equal(tags.size, 4);
    for (const tag of tags) assert.match(tag!, /^"[\w-]+"$/, "strong");
    assert.equal(plain.headers.vary, "Accept-Encoding");
    assert.equal(plain.headers["cache-control"], "no-cache");
  }
});

test("the best encoding is chosen by weight, and none if none is accepted", async (t) => {
  const { url } = await startServer(t);
  for (const [accept, encoding] of [
    ["gzip, deflate, br, zstd", "br"],
    ["gzip;q=1.0, br;q=0.5", "gzip"],
    ["br;q=0, gzip", "gzip"],
    ["*", "br"],
    ["*;q=0", undefined],
    ["identity", undefined],
    ["deflate", undefined],
    ["", undefined],
    ["BR", "br"],
  ] as const) {
    const response = await sendRequest(url, "/about", { headers: { "Accept-Encoding": accept } });
    assert.equal(response.headers["content-encoding"], encoding, accept);
  }
});

test("304 if If-None-Match has the ETag: alone, in a list, weak, or as *", async (t) => {
  const { url } = await startServer(t);
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

test("HEAD is GET without the body", async (t) => {
  const { url } = await startServer(t);
  for (const address of ["/about", `/assets/${assetNamed(/\.woff2$/)}`, "/nowhere", "/healthz"]) {
    const got = await sendRequest(url, address);
    const head = await sendRequest(url, address, { method: "HEAD" });
    assert.equal(head.status, got.status);
    assert.equal(head.bytes.length, 0);
    assert.deepEqual(shapeOf(head), shapeOf(got), address);
    assert.equal(head.headers["content-length"], String(got.bytes.length));
  }
  const search = await sendRequest(url, "/blog?q=memo", { method: "HEAD" });
  assert.equal(search.status, 200);
  assert.equal(search.bytes.length, 0);
});

test("URLs that show the same page share one cache entry; pages for one visitor are never cached", async (t) => {
  const { url } = await startServer(t);
  const tagOf = async (address: string) => (await sendRequest(url, address)).headers.etag;
  const blog = await tagOf("/blog");
  assert.equal(await tagOf("/blog?utm_source=mailing&utm_medium=x"), blog);
  const [, name] = /<option>([^<]+)/.exec((await sendRequest(url, "/blog")).bytes.toString())!;
  const category = encodeURIComponent(name!);
  const own = await tagOf(`/blog?category=${category}`);
  assert.ok(own);
  assert.notEqual(own, blog);
  assert.equal(await tagOf(`/blog?utm_source=mailing&category=${category}`), own);
  assert.equal(
    await tagOf("/nowhere"),
    await tagOf("/elsewhere"),
    "one response for all unknown paths",
  );

  const stored = await postForm(url, "/contact", contactTyped);
  const receipt = stored.headers.get("Location")!;
  for (const response of [
    await sendRequest(url, "/blog?q=memo"),
    await sendRequest(url, "/blog?q=memo"),
    await sendRequest(url, "/blog?utm=a&q=memo"),
    await sendRequest(url, receipt),
    await sendRequest(url, receipt),
    await sendRequest(url, "/test-forms"),
    await sendRequest(url, "/contact", {
      method: "POST",
      body: "name=&email=x",
      headers: { "Content-Type": "application/x-www-form-urlencoded", "Content-Length": "13" },
    }),
  ]) {
    assert.equal(response.headers["cache-control"], "no-store");
    assert.equal(response.headers.etag, undefined);
    assert.match(response.headers["content-security-policy"] as string, /script-src 'self';/);
    assert.deepEqual(inlineScripts(response), []);
  }
});

test("a parameter counts only on a page that reads it; on every other the cached page is sent", async (t) => {
  const { url } = await startServer(t);
  const about = await sendRequest(url, "/about");
  assert.equal(about.status, 200);
  for (const address of [
    "/about?utm_source=x",
    "/about?fbclid=1&gclid=2",
    "/about?",
    "/about?page=2",
    "/about?page=2&utm_source=x",
    "/about?utm_source=x&page",
    "/about?category=Marking&results=x&__proto__=y",
    "/about?q=memo&q=rubric&received=x",
  ]) {
    const { status, headers } = await sendRequest(url, address);
    assert.equal(status, 200, address);
    assert.equal(headers.etag, about.headers.etag, address);
    assert.equal(headers["cache-control"], "no-cache", address);
  }
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
  const source = (file: string) => readFileSync(path.join(root, "app", file), "utf8");
  const namesIn = (text: string) =>
    [...text.matchAll(/(?:searchParams|query)\.get\("([^"]+)"\)/g)].map(([, name]) => name!);
  const shared = namesIn(source("routes/form-route.ts"));
  assert.deepEqual(shared, ["received"]);
  const ofResults = namesIn(source("ui/results/links.ts"));
  for (const { path: address, module, parameters = {} } of pages) {
    const text = source(module);
    const read = new Set([
      ...namesIn(text),
      ...(/(loadFormPage|formLoader)\(/.test(text) ? shared : []),
      ...(text.includes("viewOf(") ? ofResults : []),
    ]);
    assert.deepEqual(Object.keys(parameters).sort(), [...read].sort(), address);
  }
});

test("forwarded hosts and protocols change nothing, even from a trusted proxy", async (t) => {
  const { url } = await startServer(t, { env: { RUBRICON_TRUSTED_PROXIES: "127.0.0.0/8,::1" } });
  for (const [name, value] of [
    ["X-Forwarded-Host", "a b"],
    ["X-Forwarded-Host", "evil.example:99999"],
    ["X-Forwarded-Host", "["],
    ["X-Forwarded-Proto", "a b"],
  ] as const) {
    const label = `${name}: ${value}`;
    const forwarded = { [name]: value };
    const page = await sendRequest(url, "/blog?q=memo", { headers: forwarded });
    assert.equal(page.status, 200, label);
    assert.doesNotMatch(page.bytes.toString(), /evil/);
    const post = await sendRequest(url, "/contact", postOf("name=", { ...form, ...forwarded }));
    assert.equal(post.status, 422, label);
  }
});

const inlineScripts = ({ bytes }: HttpResponse) =>
  [
    ...bytes.toString().matchAll(/<script(?![^>]*(\+|\/)json")(?![^>]* src="\/assets\/)[^>]*>/g),
  ].map(([tag]) => tag);

test("no page has an inline script; a page allows its own scripts, and one without scripts none", async (t) => {
  const { url } = await startServer(t);
  const policyOf = (response: HttpResponse) =>
    response.headers["content-security-policy"] as string;
  const contact = await sendRequest(url, "/contact");
  assert.match(contact.bytes.toString(), /<script type="module" src="\/assets\/[^"]+"><\/script>/);
  assert.match(policyOf(contact), /script-src 'self';/);
  assert.deepEqual(inlineScripts(contact), []);
  const policy = await sendRequest(url, "/privacy-policy");
  assert.match(policyOf(policy), /script-src 'none';/);
  assert.deepEqual(inlineScripts(policy), []);
  assert.doesNotMatch(policy.bytes.toString(), /<script(?![^>]*ld\+json)/);
});

test("all unknown addresses get the same 404 page, whichever is requested first", async (t) => {
  const { url } = await startServer(t);
  for (const address of ["/x.data", "/_root.data", "/nowhere.txt", "/__manifest", "/index.html"]) {
    assert.equal((await sendRequest(url, address)).status, 404, address);
  }
  const response = await sendRequest(url, "/nowhere");
  assert.equal(response.status, 404);
  assert.equal(response.headers["content-type"], "text/html; charset=utf-8");
  assert.match(response.bytes.toString(), /<h1>404 Page Not Found<\/h1>/);
});

test("static files: the whole file, ranges, suffix ranges, and ranges beyond the end", async (t) => {
  const { url } = await startServer(t);
  const name = assetNamed(/\.woff2$/);
  const address = `/assets/${name}`;
  const bytes = readFileSync(path.join(assetFolder, name));
  const { length } = bytes;
  const whole = await sendRequest(url, address);
  assert.ok(whole.bytes.equals(bytes));
  assert.equal(whole.headers["cache-control"], "public, max-age=31536000, immutable");
  assert.equal(whole.headers["accept-ranges"], "bytes");
  const tag = whole.headers.etag!;
  const part = (Range: string, more: Record<string, string> = {}, method = "GET") =>
    sendRequest(url, address, { method, headers: { Range, ...more } });

  for (const [range, start, end] of [
    ["bytes=0-0", 0, 0],
    ["bytes=10-99", 10, 99],
    ["bytes=100-", 100, length - 1],
    ["bytes=-500", length - 500, length - 1],
    [`bytes=${length - 1}-`, length - 1, length - 1],
    ["bytes=5-99999999", 5, length - 1],
    ["bytes=-99999999", 0, length - 1],
    ["BYTES=1-2", 1, 2],
  ] as const) {
    const response = await part(range);
    assert.equal(response.status, 206, range);
    assert.equal(response.headers["content-range"], `bytes ${start}-${end}/${length}`);
    assert.equal(response.headers["content-length"], String(end - start + 1));
    assert.ok(response.bytes.equals(bytes.subarray(start, end + 1)), range);
    assert.equal(response.headers.etag, tag);
  }
  for (const range of [`bytes=${length}-`, "bytes=99999999-", "bytes=-0"]) {
    const response = await part(range);
    assert.equal(response.status, 416, range);
    assert.equal(response.headers["content-range"], `bytes */${length}`);
    assert.equal(response.headers["cache-control"], "no-store");
    assert.equal(response.bytes.length, 0);
  }
  const isWhole = (response: HttpResponse) =>
    response.status === 200 && response.bytes.equals(bytes);
  for (const range of ["bytes=0-1,5-6", "bytes=5-1", "bytes=-", "bytes=a-b", "lines=0-1", "0-1"]) {
    assert.ok(isWhole(await part(range)), range);
  }
  assert.equal((await part("bytes=0-9", { "If-Range": tag })).status, 206);
  for (const other of ['"other"', `W/${tag}`, "Sat, 21 Nov 2026 00:00:00 GMT"]) {
    assert.ok(isWhole(await part("bytes=0-9", { "If-Range": other })), other);
  }
  assert.equal((await part("bytes=0-9", { "If-None-Match": tag })).status, 304);
  assert.equal((await part("bytes=0-9", {}, "HEAD")).status, 200, "ranges apply to GET only");

  const style = `/assets/${assetNamed(/\.css$/)}`;
  const headers = { "Accept-Encoding": "br", Range: "bytes=0-9" };
  const start = await sendRequest(url, style, { headers });
  assert.equal(start.headers["content-encoding"], undefined, "ranges are of the unencoded bytes");
  assert.ok((await sendRequest(url, style)).bytes.subarray(0, 10).equals(start.bytes));
  assert.equal(
    (await sendRequest(url, `${style}.br`)).status,
    404,
    "compressed variants have no URL of their own",
  );
  assert.equal((await sendRequest(url, style, { method: "POST" })).status, 404);
});

/**
 * Returns the headers sorted, with values that differ between responses replaced by a word for
 * their form.
 */
function shapeOf({ rawHeaders }: { rawHeaders: string[] }): string[] {
  const lines = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const [name, value] = [rawHeaders[index]!.toLowerCase(), rawHeaders[index + 1]!];
    if (["date", "connection", "keep-alive", "transfer-encoding"].includes(name)) continue;
    lines.push(
      `${name}: ${value
        .replace(/^"[\w-]{22}(-br)?"$/, "TAG")
        .replace(/^[\da-f]{12}$/, "ID")
        .replace(/received=[\w-]{14}/, "received=REFERENCE")
        .replace(/^\d+$/, name === "content-length" ? "N" : "$&")}`,
    );
  }
  return lines.sort();
}

const common = [
  "cross-origin-embedder-policy: require-corp",
  "cross-origin-opener-policy: same-origin",
  "cross-origin-resource-policy: same-origin",
  "permissions-policy: camera=(), microphone=(), geolocation=(), payment=(), usb=(), browsing-topics=()",
  "referrer-policy: strict-origin-when-cross-origin",
  "x-content-type-options: nosniff",
  "x-frame-options: DENY",
];
const strict =
  "content-security-policy: default-src 'none'; frame-ancestors 'none'; base-uri 'none'";
const pageWith = (scripts: string) =>
  `content-security-policy: default-src 'none'; script-src ${scripts}; style-src 'self'; img-src 'self'; font-src 'self'; media-src 'self'; connect-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'`;
const html = "content-type: text/html; charset=utf-8";
const json = "content-type: application/json; charset=utf-8";
const uncachedPage = ["cache-control: no-store", html, pageWith("'self'"), "x-request-id: ID"];
const cachedPage = ["cache-control: no-cache", "etag: TAG", "vary: Accept-Encoding"];
const rejection = ["cache-control: no-store", "content-length: N", json, strict];
const apiResponse = [...rejection, "x-request-id: ID"];
const file = ["accept-ranges: bytes", "cache-control: public, max-age=31536000, immutable"];
const form = { "Content-Type": "application/x-www-form-urlencoded" };

const postOf = (
  body: string,
  headers: Record<string, string> = form,
): Parameters<typeof sendRequest>[2] => ({
  method: "POST",
  body,
  headers: { "Content-Length": String(Buffer.byteLength(body)), ...headers },
});

test("every kind of response has exactly the expected headers", async (t) => {
  const { url, databaseFile } = await startServer(t);
  const style = `/assets/${assetNamed(/\.css$/)}`;
  const jsonType = { "Content-Type": "application/json" };
  const brotli = { headers: { "Accept-Encoding": "br" } };
  const tag = (await sendRequest(url, "/contact")).headers.etag!;
  const styleTag = (await sendRequest(url, style)).headers.etag!;
  const good = new URLSearchParams(contactTyped).toString();
  const cases: [number, string, Parameters<typeof sendRequest>[2], string[]][] = [
    [200, "/contact", {}, [...cachedPage, "content-length: N", html, pageWith("'self'")]],
    [200, "/about", {}, [...cachedPage, "content-length: N", html, pageWith("'none'")]],
    [
      200,
      "/contact",
      brotli,
      [...cachedPage, "content-encoding: br", "content-length: N", html, pageWith("'self'")],
    ],
    [
      304,
      "/contact",
      { headers: { "If-None-Match": tag } },
      [...cachedPage, html, pageWith("'self'")],
    ],
    [404, "/nowhere", {}, [...cachedPage, "content-length: N", html, pageWith("'none'")]],
    [
      200,
      "/robots.txt",
      {},
      [...cachedPage, "content-length: N", "content-type: text/plain; charset=utf-8", strict],
    ],
    [200, "/blog?q=memo", {}, uncachedPage],
    [200, "/blog?q=memo", brotli, [...uncachedPage, "content-encoding: br"]],
    [404, "/contact?received=ABCD-EFGH-JKMN", {}, [...uncachedPage, "x-robots-tag: noindex"]],
    [
      422,
      "/contact",
      postOf("name="),
      [...uncachedPage, "content-length: N", "x-robots-tag: noindex"],
    ],
    [
      415,
      "/contact",
      postOf("a=b", jsonType),
      [...uncachedPage, "content-length: N", "x-robots-tag: noindex"],
    ],
    [
      422,
      "/contact",
      postOf("name=", { ...form, ...brotli.headers }),
      [...uncachedPage, "content-length: N", "x-robots-tag: noindex"],
    ],
    [
      303,
      "/contact",
      postOf(good),
      [
        "content-length: N",
        "location: /contact?received=REFERENCE",
        pageWith("'self'"),
        "x-request-id: ID",
      ],
    ],
    [405, "/", postOf("a=b"), [...uncachedPage, "content-length: N", "allow: GET, HEAD"]],
    [201, "/api/contact", postOf(JSON.stringify(contactTyped), jsonType), apiResponse],
    [422, "/api/contact", postOf("{}", jsonType), apiResponse],
    [422, "/api/contact", postOf("{}", form), apiResponse],
    [415, "/api/contact", postOf("{}", { "Content-Type": "text/plain" }), apiResponse],
    [405, "/api/contact", {}, [...rejection, "allow: POST"]],
    [404, "/api/nothing", {}, rejection],
    [404, "/api/nothing", postOf("{}", jsonType), rejection],
    [405, "/about", postOf("a=b"), [...rejection, "allow: GET, HEAD"]],
    [405, "/", { method: "DELETE" }, [...rejection, "allow: GET, HEAD, POST"]],
    [403, "/contact", postOf("a=b", { Origin: "https://evil.example" }), rejection],
    [411, "/contact", { method: "POST", headers: { "Transfer-Encoding": "chunked" } }, rejection],
    [415, "/contact", postOf("a=b", { "Content-Encoding": "gzip" }), rejection],
    [414, `/${"a".repeat(2048)}`, {}, rejection],
    [400, "/%ff", {}, rejection],
    [404, "/contact.data", {}, rejection],
    [417, "/contact", postOf("a=b", { Expect: "200-maybe" }), rejection],
    [
      308,
      "/contact/?a=b",
      {},
      ["cache-control: no-store", "content-length: N", "location: /contact?a=b", strict],
    ],
    [
      200,
      style,
      {},
      [
        ...file,
        "content-length: N",
        "content-type: text/css; charset=utf-8",
        "etag: TAG",
        strict,
        "vary: Accept-Encoding",
      ],
    ],
    [
      304,
      style,
      { headers: { "If-None-Match": styleTag } },
      [
        ...file,
        "content-type: text/css; charset=utf-8",
        "etag: TAG",
        strict,
        "vary: Accept-Encoding",
      ],
    ],
    [
      200,
      `/assets/${assetNamed(/\.svg$/)}`,
      {},
      [
        ...file,
        "content-length: N",
        "content-type: image/svg+xml; charset=utf-8",
        `${strict}; style-src 'unsafe-inline'`,
        "etag: TAG",
        "vary: Accept-Encoding",
      ],
    ],
    [
      200,
      "/healthz",
      {},
      [
        "cache-control: no-store",
        "content-length: N",
        "content-type: text/plain; charset=utf-8",
        strict,
      ],
    ],
    [200, "/readyz", {}, rejection],
  ];
  const check = async ([status, address, options, more]: (typeof cases)[number]) => {
    const response = await sendRequest(url, address, options);
    const label = `${options?.method ?? "GET"} ${address.slice(0, 60)}`;
    assert.equal(response.status, status, label);
    assert.deepEqual(shapeOf(response), [...common, ...more].sort(), `${status} ${label}`);
  };
  for (const testCase of cases) await check(testCase);

  for (const [status, bytes] of [
    [400, "nonsense\r\n\r\n"],
    [400, "GET / HTTP/1.1\r\nHost: a\r\nX : y\r\n\r\n"],
    [431, `GET / HTTP/1.1\r\nHost: a\r\nX: ${"y".repeat(20_000)}\r\n\r\n`],
  ] as const) {
    const { status: got, headers } = await sendRaw(url, bytes);
    assert.equal(got, status, bytes.slice(0, 40));
    const unparsed = ["cache-control: no-store", "content-length: N", strict];
    assert.deepEqual(shapeOf({ rawHeaders: headers.flat() }), [...common, ...unparsed].sort());
  }

  // Break the database, so that forms and receipts fail.
  const db = new Sqlite(databaseFile);
  db.exec("DROP VIEW inbox; ALTER TABLE outbox RENAME TO gone");
  db.close();
  const receipt = "/contact?received=ABCD-EFGH-JKMN";
  const anotherPost = postOf(JSON.stringify({ ...contactTyped, message: "another" }), jsonType);
  await check([500, receipt, {}, uncachedPage]);
  await check([
    500,
    "/contact",
    postOf(`${good}x`),
    [...uncachedPage, "content-length: N", "x-robots-tag: noindex"],
  ]);
  await check([500, "/api/contact", anotherPost, apiResponse]);
});

test("no response names its server, sets a cookie or allows other sites to read it", async (t) => {
  const { url } = await startServer(t);
  const origin = { Origin: "https://evil.example" };
  for (const response of [
    await sendRequest(url, "/", { headers: origin }),
    await sendRequest(url, "/blog?q=a", { headers: origin }),
    await sendRequest(url, `/assets/${assetNamed(/\.css$/)}`, { headers: origin }),
    await sendRequest(url, "/api/contact", { headers: origin }),
    await sendRequest(
      url,
      "/api/contact",
      postOf("{}", { ...origin, "Content-Type": "application/json" }),
    ),
    await sendRequest(url, "/contact", { method: "OPTIONS", headers: origin }),
    await sendRequest(url, "/healthz", { headers: origin }),
  ]) {
    const names = response.rawHeaders.filter((_, index) => index % 2 === 0);
    const forbidden = /^(server|x-powered-by|set-cookie|access-control-.*|strict-transport.*)$/i;
    assert.deepEqual(
      names.filter((name) => forbidden.test(name)),
      [],
    );
  }
});

test("Strict-Transport-Security is sent with every response if the public URL is https, and only then", async (t) => {
  const http = await startServer(t, { env: { RUBRICON_PUBLIC_URL: "http://site.example" } });
  const https = await startServer(t, { env: { RUBRICON_PUBLIC_URL: "https://site.example" } });
  const headers = { Host: "site.example" };
  for (const address of ["/", "/nowhere", "/blog?q=a", "/%ff", "/healthz", "/contact/"]) {
    const of = async ({ url }: { url: string }) =>
      (await sendRequest(url, address, { headers })).headers["strict-transport-security"];
    assert.equal(await of(https), "max-age=63072000", address);
    assert.equal(await of(http), undefined, address);
  }
});

test("with a public URL only its host is served, and only its own origin may post; health checks also accept an address or a name without a dot", async (t) => {
  const { url } = await startServer(t, { env: { RUBRICON_PUBLIC_URL: "https://site.example" } });
  const status = async (address: string, Host: string, options = {}) =>
    (await sendRequest(url, address, { ...options, headers: { Host } })).status;
  for (const host of ["other.example", "site.example.evil.example", "site.example:8443"]) {
    assert.equal(await status("/", host), 421, host);
    assert.equal(await status("/contact", host, { method: "POST" }), 421, host);
    // DNS rebinding: a page of that host could read it in an operator's browser.
    for (const operators of ["/healthz", "/readyz", "/metrics"]) {
      assert.equal(await status(operators, host), 421, operators + host);
    }
  }
  for (const host of ["127.0.0.1:3000", "[::1]:3000", "localhost", "rubricon:3000", "10.1.2.3"]) {
    assert.equal(await status("/healthz", host), 200, host);
    assert.equal(await status("/readyz", host), 200, host);
    assert.equal(await status("/", host), 421, host);
  }
  assert.equal(await status("/", "site.example"), 200);
  assert.equal(await status("/", "SITE.example"), 200);
  for (const [from, expected] of [
    [{ Origin: "https://site.example" }, 422],
    [{ Origin: "http://site.example" }, 403],
    [{ Origin: "https://site.example:8443" }, 403],
    [{ Origin: "null" }, 403],
    [{ Referer: "https://site.example/contact" }, 422],
    [{ Referer: "https://evil.example/contact" }, 403],
    [{}, 422],
  ] as const) {
    const response = await sendRequest(
      url,
      "/contact",
      postOf("name=", { ...form, Host: "site.example", ...from }),
    );
    assert.equal(response.status, expected, JSON.stringify(from));
  }
});

test("without a public URL a form is accepted from its own host, with or without a proxy that speaks https", async (t) => {
  const { url } = await startServer(t);
  const { host } = new URL(url);
  for (const [Origin, expected] of [
    [`http://${host}`, 422],
    [`https://${host}`, 422],
    ["https://localhost", 403],
    [`http://${host}.evil.example`, 403],
  ] as const) {
    const response = await sendRequest(url, "/contact", postOf("name=", { ...form, Origin }));
    assert.equal(response.status, expected, Origin);
  }
});

test("an address has one spelling, and no spelling leads off the site", async (t) => {
  const { url } = await startServer(t);
  for (const [address, location] of [
    ["/contact/", "/contact"],
    ["/contact//?a=b/", "/contact?a=b/"],
    ["//contact", "/contact"],
    ["//evil.example/", "/evil.example"],
    ["//evil.example", "/evil.example"],
    ["///evil.example/%2e%2e", "/evil.example/%2e%2e"],
    ["//", "/"],
    ["/api//contact", "/api/contact"],
    ["/?/", undefined],
  ] as const) {
    for (const method of ["GET", "POST"] as const) {
      const response = await sendRequest(url, address, {
        method,
        ...(method === "POST" ? { headers: { "Content-Length": "0" } } : {}),
      });
      if (location) assert.equal(response.status, 308, address);
      assert.equal(response.headers.location, location, address);
    }
  }
  for (const address of ["/\\evil.example", "/%5cevil.example/", "/\\\\evil.example/"]) {
    assert.equal((await sendRaw(url, `GET ${address} HTTP/1.1\r\nHost: a\r\n\r\n`)).status, 400);
  }
});

test("an unexpected error is a 500 page with the id under which the log has its cause", async (t) => {
  const server = await startServer(t);
  const { url } = server;
  const change = (sql: string) => {
    const db = new Sqlite(server.databaseFile);
    db.exec(sql);
    db.close();
  };
  change("ALTER TABLE subscription_receipts RENAME TO gone");
  const address = "/blog?received=ABCD-EFGH-JKMN";
  const failed = await fetch(url + address);
  assert.equal(failed.status, 500);
  const page = await failed.text();
  assert.match(page, /<h1>Something went wrong on our side<\/h1>/);
  const id = failed.headers.get("X-Request-Id")!;
  assert.ok(page.includes(`<code>${id}</code>`));
  assert.doesNotMatch(page, /SqliteError|no such table|at /);
  assert.match(server.log(), new RegExp(`error request ${id}: a page failed: .*no such table`));
  await until(() => new RegExp(`GET /blog 500 in \\d+ ms, request ${id}\n`).test(server.log()));
  assert.equal((await sendRequest(url, "/about")).status, 200, "pages stay up");
  assert.equal((await sendRequest(url, "/healthz")).status, 200);
  change("ALTER TABLE gone RENAME TO subscription_receipts");
  assert.notEqual((await fetch(url + address)).status, 500, "it recovers by itself");
});

test("rejections at the front door are logged once, then counted, and never quoted", async (t) => {
  const server = await startServer(t);
  const foreign = postOf("a=b", { ...form, Origin: "https://evil.example" });
  for (let count = 0; count < 4; count += 1) {
    assert.equal((await sendRequest(server.url, "/contact", foreign)).status, 403);
  }
  assert.equal((await sendRequest(server.url, "/wp-login.php", postOf("a=b"))).status, 404);
  assert.equal((await sendRaw(server.url, "nonsense\r\n\r\n")).status, 400);
  const reported = () => [...server.log().matchAll(/ info rejected at the front door: (.*)\n/g)];
  const first = ["403 other_site", "404 not_found", "malformed HTTP"];
  await until(() => reported().length === first.length);
  assert.deepEqual(
    reported().map(([, reason]) => reason),
    first,
  );
  await server.stop();
  assert.equal(reported().at(-1)![1], "403 other_site, 3 more times");
  assert.doesNotMatch(server.log(), /evil|wp-login|nonsense/);
});

test("/readyz takes the database's lock once a second, however many ask", async () => {
  const { openHealth } = await loadSource<typeof healthModule>("/app/server/http/health.ts");
  let locks = 0;
  const tryWriting = async () => {
    locks += 1;
  };
  const store = { tryWriting } as unknown as Store;
  const options = { databaseFile: import.meta.filename, diskFloorMb: 0, hasMail: false };
  const health = openHealth(store, options, () => new Date());
  const asked = await Promise.all(Array.from({ length: 100 }, () => health.check()));
  assert.ok(asked.every(({ database }) => database === "ok"));
  assert.equal(locks, 1);
});

test("/readyz is a 503 while the database is locked, and while the server is stopping", async (t) => {
  const server = await startServer(t);
  const { url } = server;
  const checks = async () => {
    const { status, bytes } = await sendRequest(url, "/readyz");
    return { status, ...(JSON.parse(bytes.toString()) as Record<string, string>) };
  };
  const allGood = { serving: "ok", database: "ok", disk: "ok", emails: "ok" };
  assert.deepEqual(await checks(), { status: 200, ...allGood });
  const other = new Sqlite(server.databaseFile);
  other.exec("BEGIN IMMEDIATE");
  // The result is kept for a second.
  await until(async () => (await checks()).status === 503);
  assert.deepEqual(await checks(), { status: 503, ...allGood, database: "database is locked" });
  assert.equal((await sendRequest(url, "/healthz")).status, 200);
  assert.equal((await sendRequest(url, "/about")).status, 200);
  other.exec("ROLLBACK");
  other.close();
  await until(async () => (await checks()).status === 200);
  assert.deepEqual(await checks(), { status: 200, ...allGood });

  // A request that began before SIGTERM still gets a response.
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write(`GET /readyz HTTP/1.1\r\nHost: ${hostname}:${port}\r\nX-Slow: `);
  await new Promise((resolve) => setTimeout(resolve, 300));
  server.process.kill("SIGTERM");
  await until(() => server.log().includes("SIGTERM"));
  socket.write("yes\r\n\r\n");
  const [response] = (await once(socket, "data")) as [Buffer];
  assert.match(response.toString(), /^HTTP\/1\.1 503 /);
  assert.match(response.toString(), /"serving":"stopping"/);
  socket.destroy();
  assert.equal(await server.stop(), 0);
});

test("the log contains no personal data and nothing that a visitor sends, as text and as JSON", async (t) => {
  for (const format of ["text", "json"]) {
    const server = await startServer(t, {
      env: {
        RUBRICON_LOG_FORMAT: format,
        RUBRICON_HOST: "0.0.0.0",
        RUBRICON_TRUSTED_PROXIES: "127.0.0.0/8,::1",
      },
    });
    const { url } = server;
    const forwarded = { "X-Forwarded-For": "203.0.113.77" };
    const secret = "Zanele-4711";
    const typed = {
      ...contactTyped,
      name: `${secret} Nkosi`,
      email: `${secret}@school.example`,
      message: `The memo of ${secret}, please. +27 82 555 0199`,
    };
    const withName = uploadForm(undefined, {
      name: typed.name,
      email: typed.email,
      phone: "+27 82 555 0199",
      message: typed.message,
    });
    withName.append("submissionFiles", new File(["marks"], `${secret}-grade-12.txt`));
    const rejected = uploadForm(undefined, { name: typed.name, email: "wrong" });
    rejected.append("submissionFiles", new File(["\0"], `${secret}.exe`));

    const receipt = (await postForm(url, "/contact", typed)).headers.get("Location")!;
    await sendRequest(url, receipt, { headers: forwarded });
    await uploadByApi(url, withName, forwarded);
    const back = await (await uploadByPage(url, rejected)).text();
    const token = /name="draft" value="([^"]+)"/.exec(back)![1]!;
    await postForm(url, "/contact", { ...typed, email: "wrong" });
    await postForm(url, `/contact?test&note=${secret}`, { ...typed, message: "x" });
    for (const address of [
      `/blog?q=${secret}`,
      `/${secret}`,
      `/${secret}/%2e%2e/x?token=${secret}`,
      `/api/${secret}`,
      `/contact/${secret}@school.example`,
      `/contact?received=${secret}`,
      `/test-forms?${secret}`,
      `/%ff${secret}`,
      `/${secret}.data`,
      `/api/demo-request-with-files?upload=${secret}-0123456789`,
    ]) {
      await sendRequest(url, address, {
        headers: {
          ...forwarded,
          Referer: `https://a.example/${secret}`,
          "User-Agent": secret,
          "Upload-Id": `${secret}-0123456789012345678901`,
        },
      });
    }
    for (const body of [`{"name": "${secret}`, `["${secret}"]`, `{"${secret}": 1}`]) {
      await sendRequest(url, "/api/contact", postOf(body, { "Content-Type": "application/json" }));
    }
    await sendRequest(url, `/api/${secret}`, postOf(secret, { "Content-Type": secret }));
    await sendRaw(url, `${secret} / HTTP/1.1\r\n\r\n`);
    await sendRaw(url, `GET /blog?q=${secret} HTTP/1.1\r\nHost: ${secret}[\r\n\r\n`);

    // Errors are the likeliest leak: remove a table, then the folder.
    const db = new Sqlite(server.databaseFile);
    db.exec("ALTER TABLE outbox RENAME TO gone; ALTER TABLE upload_drafts RENAME TO gone_too");
    db.close();
    assert.equal((await postForm(url, "/contact", { ...typed, message: "y" })).status, 500);
    const returned = uploadForm(undefined, { name: typed.name, email: "wrong", draft: token });
    assert.equal((await uploadByPage(url, returned)).status, 500);
    renameSync(path.join(server.folder, "data"), path.join(server.folder, "moved"));
    // The free space is checked once a second.
    await new Promise((resolve) => setTimeout(resolve, 1100));
    assert.equal((await postForm(url, `/contact?${secret}`, typed)).status, 503);
    await server.stop();

    const log = server.log();
    const lines = log.trimEnd().split("\n");
    assert.ok(lines.length > 15, log);
    assert.match(log, /no such table/, "the causes are logged");
    for (const trace of [
      "Zanele",
      "4711",
      "Nkosi",
      "school.example",
      "555 0199",
      "memo",
      "grade-12",
      ".exe",
      "203.0.113",
      "127.0.0.1",
      "::1",
      "?",
      token,
      receipt.slice(-14),
      contactTyped.phone,
    ]) {
      assert.ok(!log.includes(trace), `${trace} in ${lines.find((line) => line.includes(trace))}`);
    }
    if (format === "json") {
      for (const line of lines) {
        const { time, level, message } = JSON.parse(line) as Record<string, string>;
        assert.ok(!Number.isNaN(Date.parse(time!)) && level && message, line);
      }
    } else {
      for (const line of lines) assert.match(line, /^\d{4}-\S+Z (info|warn|error) \S/);
    }
  }
});

test("run from source, a missing static file is a 503 and is logged, and the server keeps running", async (t) => {
  const folder = newFolder(t);
  cpSync(path.join(root, "build/client"), path.join(folder, "build/client"), { recursive: true });
  cpSync(path.join(root, "build/server"), path.join(folder, "build/server"), { recursive: true });
  copyFileSync(path.join(root, "package.json"), path.join(folder, "package.json"));
  symlinkSync(path.join(root, "node_modules"), path.join(folder, "node_modules"));
  const program = path.join(folder, "build/server/server.js");
  const { url, log } = await startServer(t, { folder, program: process.execPath, args: [program] });
  const style = assetNamed(/^root-.*\.css$/);
  rmSync(path.join(folder, "build/client/assets", style));
  const gone = await sendRequest(url, `/assets/${style}`);
  assert.equal(gone.status, 503);
  assert.equal(gone.headers["retry-after"], "60");
  assert.equal(gone.headers["cache-control"], "no-store");
  assert.match(log(), /a static file could not be read: .*ENOENT/);
  assert.equal((await sendRequest(url, "/about")).status, 200);
});
