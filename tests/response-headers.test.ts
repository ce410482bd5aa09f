import assert from "node:assert/strict";
import { test } from "node:test";
import { assetNamed } from "./support/built-assets.ts";
import { contactTyped } from "./support/forms.ts";
import { sendRaw } from "./support/raw-http.ts";
import { formType, postOf, sendRequest } from "./support/send-request.ts";
import { sharedServer, startServer } from "./support/server.ts";

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
  `content-security-policy: default-src 'none'; script-src ${scripts}; style-src 'self'; img-src 'self'; font-src 'self'; media-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'`;
const html = "content-type: text/html; charset=utf-8";
const json = "content-type: application/json; charset=utf-8";
const uncachedPage = ["cache-control: no-store", html, pageWith("'self'"), "x-request-id: ID"];
const cacheable = ["cache-control: no-cache", "etag: TAG", "vary: Accept-Encoding"];
const cachedPage = [...cacheable, "content-length: N", html];
const scriptPage = [...cachedPage, pageWith("'self'")];
const plainPage = [...cachedPage, pageWith("'none'")];
/** A form that comes back with errors. */
const returnedForm = [...uncachedPage, "content-length: N", "x-robots-tag: noindex"];
const toReceipt = [
  "content-length: N",
  "location: /contact?received=REFERENCE",
  "x-request-id: ID",
  pageWith("'self'"),
];
const noStore = ["cache-control: no-store", "content-length: N", strict];
const rejection = [...noStore, json];
const apiResponse = [...rejection, "x-request-id: ID"];
const inlineStyles = "style-src 'unsafe-inline'";
const svg = "content-type: image/svg+xml; charset=utf-8";
const text = "content-type: text/plain; charset=utf-8";
const asset = [
  "accept-ranges: bytes",
  "cache-control: public, max-age=31536000, immutable",
  "etag: TAG",
  "vary: Accept-Encoding",
];
const stylesheet = [...asset, "content-type: text/css; charset=utf-8", strict];

const jsonType = { "Content-Type": "application/json" };
const knowing = (tag: string) => ({ headers: { "If-None-Match": tag } });
const brotli = { headers: { "Accept-Encoding": "br" } };
const goodForm = new URLSearchParams(contactTyped).toString();

type Case = [
  status: number,
  address: string,
  options: Parameters<typeof sendRequest>[2],
  headers: string[],
];

/** Sends each request, and compares its status and all headers, which are `common` and those of the case. */
async function checkAll(url: string, cases: Case[]) {
  for (const [status, address, options, expected] of cases) {
    const response = await sendRequest(url, address, options);
    const label = `${options?.method ?? "GET"} ${address.slice(0, 60)}`;
    assert.equal(response.status, status, label);
    assert.deepEqual(shapeOf(response), [...common, ...expected].sort(), `${status} ${label}`);
  }
}

test("pages, redirects and rejections have exactly the expected headers", async () => {
  const { url } = await sharedServer();
  const tag = (await sendRequest(url, "/contact")).headers.etag!;
  await checkAll(url, [
    [200, "/contact", {}, scriptPage],
    [200, "/about", {}, plainPage],
    [200, "/contact", brotli, [...scriptPage, "content-encoding: br"]],
    [304, "/contact", knowing(tag), [...cacheable, html, pageWith("'self'")]],
    [404, "/nowhere", {}, plainPage],
    [404, "/contact?received=ABCD-EFGH-JKMN", {}, [...uncachedPage, "x-robots-tag: noindex"]],
    [200, "/blog?q=memo", {}, uncachedPage],
    [200, "/blog?q=memo", brotli, [...uncachedPage, "content-encoding: br"]],
    [405, "/", { method: "DELETE" }, [...rejection, "allow: GET, HEAD, POST"]],
    [414, `/${"a".repeat(2048)}`, {}, rejection],
    [400, "/%ff", {}, rejection],
    [404, "/contact.data", {}, rejection],
    [308, "/contact/?a=b", {}, [...noStore, "location: /contact?a=b"]],
  ]);
});

test("posts and the API have exactly the expected headers", async () => {
  const { url } = await sharedServer();
  await checkAll(url, [
    [422, "/contact", postOf("name="), returnedForm],
    [415, "/contact", postOf("a=b", jsonType), returnedForm],
    [422, "/contact", postOf("name=", { ...formType, ...brotli.headers }), returnedForm],
    [303, "/contact", postOf(goodForm), toReceipt],
    [405, "/", postOf("a=b"), [...uncachedPage, "content-length: N", "allow: GET, HEAD"]],
    [201, "/api/contact", postOf(JSON.stringify(contactTyped), jsonType), apiResponse],
    [422, "/api/contact", postOf("{}", jsonType), apiResponse],
    [422, "/api/contact", postOf("{}", formType), apiResponse],
    [415, "/api/contact", postOf("{}", { "Content-Type": "text/plain" }), apiResponse],
    [405, "/api/contact", {}, [...rejection, "allow: POST"]],
    [404, "/api/nothing", {}, rejection],
    [404, "/api/nothing", postOf("{}", jsonType), rejection],
    [405, "/about", postOf("a=b"), [...rejection, "allow: GET, HEAD"]],
    [403, "/contact", postOf("a=b", { Origin: "https://evil.example" }), rejection],
    [411, "/contact", { method: "POST", headers: { "Transfer-Encoding": "chunked" } }, rejection],
    [415, "/contact", postOf("a=b", { "Content-Encoding": "gzip" }), rejection],
  ]);
});

test("files and health checks have exactly the expected headers", async () => {
  const { url } = await sharedServer();
  const style = `/assets/${assetNamed(/\.css$/)}`;
  const picture = `/assets/${assetNamed(/\.svg$/)}`;
  const styleTag = (await sendRequest(url, style)).headers.etag!;
  await checkAll(url, [
    [200, "/robots.txt", {}, [...cacheable, "content-length: N", text, strict]],
    [200, style, {}, [...stylesheet, "content-length: N"]],
    [304, style, knowing(styleTag), stylesheet],
    [200, picture, {}, [...asset, "content-length: N", svg, `${strict}; ${inlineStyles}`]],
    [200, "/healthz", {}, [...noStore, text]],
    [200, "/readyz", {}, rejection],
  ]);
});

test("what is not HTTP, or has too long a head, gets the headers of a rejection", async () => {
  const { url } = await sharedServer();
  for (const [status, bytes] of [
    [400, "nonsense\r\n\r\n"],
    [400, "GET / HTTP/1.1\r\nHost: a\r\nX : y\r\n\r\n"],
    [431, `GET / HTTP/1.1\r\nHost: a\r\nX: ${"y".repeat(20_000)}\r\n\r\n`],
  ] as const) {
    const { status: got, headers } = await sendRaw(url, bytes);
    assert.equal(got, status, bytes.slice(0, 40));
    const shape = shapeOf({ rawHeaders: headers.flat() });
    assert.deepEqual(shape, [...common, ...noStore].sort(), bytes.slice(0, 40));
  }
});

test("forms and receipts that fail with the database have exactly the expected headers", async (t) => {
  const { url, change } = await startServer(t);
  // Receipts read this view, and forms write to this table.
  await change("DROP VIEW inbox; ALTER TABLE outbox RENAME TO gone");
  const anotherPost = postOf(JSON.stringify({ ...contactTyped, message: "another" }), jsonType);
  await checkAll(url, [
    [500, "/contact?received=ABCD-EFGH-JKMN", {}, uncachedPage],
    [500, "/contact", postOf(`${goodForm}x`), returnedForm],
    [500, "/api/contact", anotherPost, apiResponse],
  ]);
});

test("HEAD is GET without the body", async () => {
  const { url } = await sharedServer();
  for (const address of ["/about", `/assets/${assetNamed(/\.woff2$/)}`, "/nowhere", "/healthz"]) {
    const got = await sendRequest(url, address);
    const head = await sendRequest(url, address, { method: "HEAD" });
    assert.equal(head.status, got.status, address);
    assert.equal(head.bytes.length, 0, address);
    assert.deepEqual(shapeOf(head), shapeOf(got), address);
    assert.equal(head.headers["content-length"], String(got.bytes.length), address);
  }
  const search = await sendRequest(url, "/blog?q=memo", { method: "HEAD" });
  assert.equal(search.status, 200);
  assert.equal(search.bytes.length, 0);
});

test("Strict-Transport-Security is sent with every response only if the public URL is https", async (t) => {
  const http = await startServer(t, { env: { RUBRICON_PUBLIC_URL: "http://site.example" } });
  const https = await startServer(t, { env: { RUBRICON_PUBLIC_URL: "https://site.example" } });
  const headers = { Host: "site.example" };
  for (const address of ["/", "/nowhere", "/blog?q=a", "/%ff", "/healthz", "/contact/"]) {
    const policyOf = async ({ url }: { url: string }) =>
      (await sendRequest(url, address, { headers })).headers["strict-transport-security"];
    assert.equal(await policyOf(https), "max-age=63072000", address);
    assert.equal(await policyOf(http), undefined, address);
  }
});
