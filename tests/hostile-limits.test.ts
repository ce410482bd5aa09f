/** Hostile requests around the limits of the front door; tests/hostile.test.ts has the others. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { contactTyped } from "./support/forms.ts";
import { sendRaw } from "./support/raw-http.ts";
import { sendRequest } from "./support/send-request.ts";
import { query, startServer } from "./support/server.ts";

type Hostile = [name: string, sent: string, ...statuses: number[]];

const site = "Host: site.example\r\n";
const urlEncoded = "application/x-www-form-urlencoded";
const get = (address: string, headers = "", host = site) =>
  `GET ${address} HTTP/1.1\r\n${host}${headers}Connection: close\r\n\r\n`;
const on = (address: string, host: string) => get(address, "", `Host: ${host}\r\n`);
const post = (address: string, type: string, body: string, headers = "") =>
  `POST ${address} HTTP/1.1\r\n${site}Content-Type: ${type}\r\n${headers}Content-Length: ${body.length}\r\n\r\n${body}`;
const form = (body: string, headers = "") => post("/contact", urlEncoded, body, headers);
const json = (body: string) => post("/api/contact", "application/json", body);
const part = (name: string, text: string) =>
  `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`;
const multipart = (address: string, parts: string) =>
  post(address, "multipart/form-data; boundary=x", `${parts}--x--`);
const upload = "/api/demo-request-with-files";
const contact = new URLSearchParams(contactTyped).toString();
const keepAlive = `GET /about HTTP/1.1\r\n${site}\r\n`;

const hostile: Hostile[] = [
  // Several requests on one connection.
  ["an empty line before the request", `\r\n${get("/about")}`, 200],
  ["garbage behind a request", `${keepAlive}garbage\r\n\r\n`, 200],
  [
    "a POST without a length behind a GET",
    `${keepAlive}POST /contact HTTP/1.1\r\n${site}\r\n`,
    200,
  ],
  ["a form hidden behind Connection: close", get("/blog?q=a") + form(contact), 200, 400],
  ["a form hidden behind a rejected one", form("name=", "Origin: null\r\n") + get("/about"), 403],
  ["forty requests at once", keepAlive.repeat(40), 0, 200],
  ["a thousand searches at once", `GET /blog?q=1 HTTP/1.1\r\n${site}\r\n`.repeat(1000), 0, 200],

  // Bodies at the limits.
  ["a form of one byte too many", form(`name=${"a".repeat(131_068)}`), 413],
  ["a form of just as many", form(`name=${"a".repeat(131_067)}`), 422],
  ["JSON of one byte too many", json(`{"name":"${"a".repeat(131_062)}"}`), 413],
  ["JSON of just as many", json(`{"name":"${"a".repeat(131_061)}"}`), 422],
  ["a form as multipart, too large", multipart("/contact", part("name", "a".repeat(131_072))), 413],
  ["a form of 40 fields", form(Array.from({ length: 40 }, (_, i) => `f${i}=a`).join("&")), 422],
  ["a form of 41 fields", form(Array.from({ length: 41 }, (_, i) => `f${i}=a`).join("&")), 413],
  ["a field's name of 100 kB", form(`${"a".repeat(100_000)}=b`), 422],
  ["120,000 <", form(`message=${"<".repeat(120_000)}`), 422],
  ["40,000 escaped quotes", form(`message=${"%22%27".repeat(20_000)}`), 422],
  ["20,000 NULs in JSON", json(`{"message":"${"\\u0000".repeat(20_000)}"}`), 422],
  ["10,000 unknown keys", json(`{${Array.from({ length: 10_000 }, (_, i) => `"k${i}":""`)}}`), 422],
  ["one key 10,000 times", json(`{${Array(10_000).fill('"name":"a"')}}`), 422],
  [
    "texts of 180 kB in an upload",
    multipart(upload, part("message", "a".repeat(60_000)).repeat(3)),
    413,
  ],
  ["unknown texts of 180 kB", multipart(upload, part("other", "a".repeat(60_000)).repeat(3)), 413],
  ["a type of 10 kB", post("/contact", "a".repeat(10_000), contact), 415],
  ["a type of 10 kB for an upload", post(upload, `multipart/${"a".repeat(10_000)}`, "a"), 415],
  ["a test of an unknown form", post("/test-forms", urlEncoded, "form=admin"), 404],
  ["a test that is no form", post("/test-forms", "text/plain", "form=contact"), 404],
  ["a test of 5 kB", post("/test-forms", urlEncoded, `form=${"a".repeat(5000)}`), 404],

  // Parameters, read and ignored.
  ["1,900 characters of query", get(`/about?${"a".repeat(1900)}`), 200],
  ["a hundred parameters", get(`/about?${"q=a&".repeat(100)}`), 200],
  ["parameters without names", get("/about?=&==&&;=%"), 200],
  ["__proto__ as a parameter", get("/blog?__proto__=a&constructor=b&hasOwnProperty=c"), 200],
  ["__proto__ as a value", get("/blog?category=__proto__"), 200],
  ["SQL as a token", get("/?results=%27%20OR%201=1--"), 404],
  ["two tokens", get("/?results=sample&results=x"), 200],
  ["a token in an array", get("/?results[]=sample&RESULTS=sample"), 200],
  ["a script as a reference", get("/contact?received=%3Cscript%3E"), 404],
  ["an empty reference", get("/contact?received"), 404],
  ["a reference where none is read", get("/about?received=ABCD-EFGH-JKMN"), 200],
  ["NUL in a search", get("/blog?q=%00"), 200],
  ["no UTF-8 in a search", get("/blog?q=%ff%fe%zz"), 200],
  ["a search of 500 words", get(`/blog?q=${"a+".repeat(500)}`), 200],
  ["a fragment", get("/about#q"), 404],
  ["a path parameter", get("/about;q=1"), 404],
  ["an encoded question mark", get("/about%3Fq=1"), 404],
  ["an upload's progress under another path", get("/api/contact?upload=0123456789abcdef"), 405],

  // Headers that claim to come from a proxy, and others.
  ["another host by a proxy", get("/blog?q=a", "X-Forwarded-Host: evil.example:99999\r\n"), 200],
  ["another protocol by a proxy", get("/blog?q=a", "X-Forwarded-Proto: a b\r\n"), 200],
  ["1,800 addresses", get("/blog?q=a", `X-Forwarded-For: ${"1.2.3.4,".repeat(1800)}\r\n`), 200],
  ["no address", get("/blog?q=a", "X-Forwarded-For: ,,\r\n"), 200],
  ["a forwarded address", get("/blog?q=a", 'Forwarded: for="[::1]:0";proto=x\r\n'), 200],
  ["another path by a proxy", get("/about", "X-Original-URL: /metrics\r\n"), 200],
  ["a long Accept-Encoding", get("/blog?q=a", `Accept-Encoding: ${"br,".repeat(3000)}\r\n`), 200],
  ["no encoding at all", get("/blog?q=a", "Accept-Encoding: *;q=0, identity;q=0\r\n"), 200],
  ["a range of a search", get("/blog?q=a", "Range: bytes=0-0,1-1\r\n"), 200],
  ["an upgrade to HTTP/2", get("/about", "Upgrade: h2c\r\nHTTP2-Settings: AAAA\r\n"), 200],

  // Names for the operator's paths.
  ["another name for /healthz", on("/healthz", "evil.example"), 421],
  ["another name for /readyz", on("/readyz", "127.0.0.1.evil.example"), 421],
  ["another name for /metrics", on("/metrics", "localhost.evil.example:3000"), 421],
  ["another name with a query", on("/readyz?a", "evil.example"), 421],
  ["an address for a page", on("/about", "127.0.0.1"), 421],
  ["an address for what is almost /healthz", on("/healthz/", "127.0.0.1"), 421],
  ["an address that is none", on("/healthz", "1.2.3.4.5"), 400],
  ["an address for /metrics, which is off", on("/metrics", "127.0.0.1"), 404],
];

test(`${hostile.length} hostile requests around the limits each get the right status and store nothing`, async (t) => {
  const server = await startServer(t, { env: { RUBRICON_PUBLIC_URL: "https://site.example" } });
  const { url, databaseFile } = server;
  const wrong: string[] = [];
  for (const [name, sent, ...statuses] of hostile) {
    const { status, body } = await sendRaw(url, sent, { idleMs: 30 });
    if (!statuses.includes(status)) wrong.push(`${name}: ${status} instead of ${statuses}`);
    assert.ok(body.length < 800_000, `${name}: ${body.length} bytes`);
    const page = await sendRequest(url, "/about", { headers: { Host: "site.example" } });
    assert.equal(page.status, 200, `the page after: ${name}`);
  }
  assert.deepEqual(wrong, []);
  for (const table of ["contact_requests", "uploaded_files", "outbox"]) {
    assert.deepEqual(query(databaseFile, `SELECT * FROM ${table}`), [], table);
  }
  assert.doesNotMatch(server.log(), / error | 500 in /);
});
