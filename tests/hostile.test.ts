import assert from "node:assert/strict";
import { test } from "node:test";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { once } from "../app/server/system/once.ts";
import { atEnd, wholeFile } from "./support/at-end.ts";
import { contactTyped } from "./support/forms.ts";
import { open } from "./support/raw-client.ts";
import { sendRaw } from "./support/raw-http.ts";
import { sendRequest } from "./support/send-request.ts";
import { sharedServer, startServer, until } from "./support/server.ts";

/**
 * A request and the statuses that it may get; 0 means that the connection is closed without a
 * response.
 */
type Hostile = [name: string, sent: string | Buffer | (string | Buffer)[], ...statuses: number[]];

const host = "Host: site.example\r\n";
const upload = "/api/demo-request-with-files";
const urlEncoded = "Content-Type: application/x-www-form-urlencoded\r\n";
const jsonType = "Content-Type: application/json\r\n";
const formData = "Content-Type: multipart/form-data; boundary=x\r\n";
const plain = "Content-Type: text/plain\r\n";
const inUtf7 = urlEncoded.replace("\r", "; charset=utf-7\r");
const inBrotli = "Content-Encoding: br\r\n";
const otherOrigin = "Origin: https://evil.example\r\n";
const contact = new URLSearchParams(contactTyped).toString();
const json = JSON.stringify(contactTyped);

const get = (address: string, headers = "") =>
  `GET ${address} HTTP/1.1\r\n${host}${headers}Connection: close\r\n\r\n`;

const post = (address: string, headers: string, body: string | Buffer = "") => {
  const bytes = Buffer.from(body as string, "latin1");
  const head = `POST ${address} HTTP/1.1\r\n${host}${headers}Content-Length: ${bytes.length}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head, "latin1"), bytes]);
};
const form = (headers: string, body: string | Buffer = contact) =>
  post("/contact", urlEncoded + headers, body);
const apiPost = (body: string | Buffer, headers = jsonType) => post("/api/contact", headers, body);
const apiTyped = (change: Partial<typeof contactTyped>) =>
  apiPost(Buffer.from(JSON.stringify({ ...contactTyped, ...change })));
/** A post with the given headers and a body that would be stored if they were accepted. */
const framed = (headers: string, body = contact) =>
  `POST /contact HTTP/1.1\r\n${host}${urlEncoded}${headers}\r\n${body}`;
const te = (value: string, body = chunked) => framed(`Transfer-Encoding: ${value}\r\n`, body);
const multipart = (body: string | Buffer, type = "form-data; boundary=x") =>
  post(upload, `Content-Type: multipart/${type}\r\n`, body);
/** Files of an upload, with this type. */
const filesAs = (type: string) => multipart(`${files}--x--`, type);
/** Parts of an upload with their end. */
const parts = (...all: string[]) => multipart(`${all.join("")}--x--`);
const part = (disposition: string, content: string) =>
  `--x\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${content}\r\n`;
const file = (name: string, content = "a", field = "questionsFile") =>
  part(`name="${field}"; filename="${name}"`, content);
/** A text field of this length. */
const text = (name: string, length: number) => part(`name="${name}"`, "a".repeat(length));
const texts = Object.entries(contactTyped)
  .map(([name, value]) => part(`name="${name}"`, value))
  .join("");
const files = ["questionsFile", "rubricFile", "submissionFiles"]
  .map((field) => file("a.txt", "1. Define a balance sheet.", field))
  .join("");
const length = `Content-Length: ${contact.length}\r\n`;
const chunked = `${contact.length.toString(16)}\r\n${contact}\r\n0\r\n\r\n`;
const smuggled = `GET /healthz HTTP/1.1\r\n${host}\r\n`;

const hostile: Hostile[] = [
  // Message framing.
  ["CL and TE", framed(`${length}Transfer-Encoding: chunked\r\n`, `0\r\n\r\n${smuggled}`), 400],
  ["chunked", te("chunked"), 411],
  ["chunked twice", te("chunked, chunked"), 400, 411],
  ["TE with a space before the colon", framed("Transfer-Encoding : chunked\r\n", chunked), 400],
  ["20 kB of chunk extensions", te("chunked", `1;${"a".repeat(20_000)}\r\n`), 411, 413],
  ["no length at all", framed("", ""), 411],
  ["two lengths that differ", framed(`${length}Content-Length: 5\r\n`), 400],
  ["a length that overflows", framed(`Content-Length: ${"9".repeat(30)}\r\n`), 400],
  ["a length of a terabyte", framed("Content-Length: 1000000000000\r\n", "a"), 413],
  ["GET with a body", `${get("/about").slice(0, -2)}Content-Length: 5\r\n\r\nhello`, 400],
  ["GET with chunks", get("/about", "Transfer-Encoding: chunked\r\n"), 400],
  ["line ends without carriage return", "GET /about HTTP/1.1\nHost: site.example\n\n", 400],

  // The request line.
  ["CONNECT", `CONNECT evil.example:443 HTTP/1.1\r\n${host}\r\n`, 0],
  ["TRACE", `TRACE / HTTP/1.1\r\n${host}\r\n`, 405],
  ["OPTIONS *", `OPTIONS * HTTP/1.1\r\n${host}\r\n`, 405],
  ["PUT", `PUT /contact HTTP/1.1\r\n${host}${length}\r\n${contact}`, 405],
  ["GET of an endpoint", get(upload), 405],
  ["headers that never end", `GET / HTTP/1.1\r\n${host}X-Slow: `, 408],
  ["an unknown method", `FROBNICATE / HTTP/1.1\r\n${host}\r\n`, 400],
  ["PUT by another header", form("X-HTTP-Method-Override: PUT\r\nOrigin: null\r\n"), 403],
  ["another site's absolute address", get("http://evil.example/"), 400],
  ["our own absolute address", get("http://site.example/about"), 400],
  ["an address without a slash", get("about"), 400],
  ["HTTP/1.0 without a host", "GET /about HTTP/1.0\r\n\r\n", 400],
  ["TLS's first words", Buffer.from("160301020001000001fc0303", "hex"), 400],
  ["random bytes", Buffer.from(Array.from({ length: 300 }, (_, i) => (i * 167 + 13) % 256)), 400],

  // The host.
  ["no host", "GET / HTTP/1.1\r\n\r\n", 400],
  ["two hosts", `GET / HTTP/1.1\r\n${host}Host: evil.example\r\n\r\n`, 400],
  ["another host", "GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n", 421],
  ["another host, posted to", form("").toString().replace("site.example", "evil.example"), 421],
  ["a host with a user", "GET / HTTP/1.1\r\nHost: a@site.example\r\n\r\n", 400],
  ["a host with brackets", "GET / HTTP/1.1\r\nHost: [::1\r\n\r\n", 400],
  ["our host behind a dot", "GET / HTTP/1.1\r\nHost: site.example.evil.example\r\n\r\n", 421],

  // Other headers.
  ["a folded header", `GET / HTTP/1.1\r\n${host}X: a\r\n b\r\n\r\n`, 400],
  ["NUL in a header", get("/", "X: a\0b\r\n"), 400],
  ["one header of 20 kB", get("/", `X: ${"y".repeat(20_000)}\r\n`), 431],
  ["a second host behind 2,500 headers", get("/", `${"a:b\r\n".repeat(2500)}Host: evil\r\n`), 400],
  [
    "an upgrade to a websocket",
    form("Upgrade: websocket\r\nConnection: Upgrade\r\nOrigin: null\r\n"),
    403,
  ],

  // Addresses.
  ["2,049 bytes of address", get(`/${"a".repeat(2048)}`), 414],
  ["an address of 15 kB", get(`/${"a".repeat(15_000)}`), 414],
  ["NUL, encoded", get("/about%00"), 400],
  ["NUL, encoded, from a browser", get("/%00", "Accept: text/html,*/*\r\n"), 404],
  ["% and half a character, from a browser", get("/%c3", "Accept: text/html\r\n"), 404],
  ["CR and LF, encoded", get("/about%0d%0aSet-Cookie:%20a=b"), 400],
  ["% and half a character", get("/%c3"), 400],
  ["an overlong encoding of a slash", get("/%c0%af"), 400],
  ["dots", get("/../../etc/passwd"), 400],
  ["dots and slashes, encoded", get("/%2e%2e%2fetc%2fpasswd"), 400],
  ["dots, encoded twice", get("/%252e%252e%252fetc%252fpasswd"), 404],
  ["dots among the files, encoded", get("/assets/%2e%2e/server/writer.cjs"), 400],
  ["backslashes, encoded", get("/assets/..%5c..%5cserver"), 400],
  ["two backslashes and another host", get("/\\\\evil.example/"), 400],
  ["a folder of files", get("/assets"), 404],
  ["the database's name", get("/data/rubricon.db"), 404],
  [".env", get("/.env"), 404],
  [".git", get("/.git/config"), 404],
  ["a page's bare data", get("/blog.data"), 404],
  ["a page's bare data, encoded", get("/blog%2Edata?q=1"), 404],
  ["a page's bare data, posted to", post("/contact.data", urlEncoded, contact), 404],
  ["the home page's bare data, posted to", post("/_root.data?index", urlEncoded, contact), 404],
  ["_data in the query", post("/contact?_data=routes/contact", urlEncoded, "name="), 422],
  ["_routes in the query", post("/?index&form=contact&_routes=root", urlEncoded, "name="), 422],
  ["the router's manifest", get("/__manifest?p=/contact"), 404],
  ["a post to nowhere", post("/nowhere", urlEncoded, contact), 404],
  ["a post to a page without a form", post("/about", urlEncoded, contact), 405],
  ["a post to a file", post("/robots.txt", urlEncoded, contact), 405],
  ["a post to /healthz", post("/healthz", urlEncoded, contact), 404],
  ["an API path in capitals", post("/API/contact", jsonType, json), 404],

  // From other sites.
  ["another origin", form(otherOrigin), 403],
  ["an origin of null", form("Origin: null\r\n"), 403],
  ["our origin under http", form("Origin: http://site.example\r\n"), 403],
  ["our origin at another port", form("Origin: https://site.example:444\r\n"), 403],
  ["our name as a user", form("Origin: https://site.example@evil.example\r\n"), 403],
  ["only a referer of another site", form("Referer: https://evil.example/\r\n", "name="), 422],
  ["an API post from another origin", apiPost("{}", jsonType + otherOrigin), 403],
  ["an API post as a form of another site can send it", apiPost(json, plain), 415],
  ["an upload from another origin", post(upload, formData + otherOrigin, texts + files), 403],

  // Bodies.
  ["a form in gzip", form("Content-Encoding: gzip\r\n", gzipSync(contact)), 415],
  ["an API post in brotli", apiPost(brotliCompressSync("{}"), `${jsonType}${inBrotli}`), 415],
  ["two types", form("Content-Type: application/json\r\n"), 400],
  ["no type", post("/contact", "", contact), 415],
  ["a form as XML", post("/contact", "Content-Type: text/xml\r\n", "<!DOCTYPE a>"), 415],
  ["a form in another encoding", post("/contact", inUtf7, contact), 415],
  ["a form that is too long", form("", `message=${"a".repeat(1_100_000)}`), 413],
  ["a form of 5,000 fields", form("", "a=b&".repeat(5000)), 413],
  ["a form with undecodable %", form("", "name=%ff%fe&email=%zz"), 422],
  ["a form with bytes that are not UTF-8", form("", contact.replace("Thandi", "Th\xe4ndi")), 422],
  ["half a surrogate pair in JSON", apiTyped({ name: "Thandi \ud800" }), 422],
  ["a name of invisible characters", apiTyped({ name: "\u3164\u2800\u180e\ufff9" }), 422],
  ["an address with a label of 64", apiTyped({ email: `a@${"b".repeat(64)}.example` }), 422],
  ["a form of __proto__", form("", "__proto__=a&constructor=b&__proto__[email]=c"), 422],
  ["an API post of __proto__", apiPost('{"__proto__": "a", "constructor": "b"}'), 422],
  ["an API post of an object in __proto__", apiPost('{"__proto__": {"email": "a@b.za"}}'), 400],
  ["JSON 60,000 deep", apiPost("[".repeat(60_000) + "]".repeat(60_000)), 400],
  ["JSON that is cut short", apiPost('{"name": "a'), 400],
  ["JSON that is not UTF-8", apiPost('{"name": "\xff\xfe"}'), 400],
  ["JSON in UTF-16", apiPost(Buffer.from("\ufeff{}", "utf16le")), 400],
  ["JSON that is a list", apiPost("[]"), 400],
  ["a number as a text", apiPost('{"name": 7}'), 400],
  ["an operator as a text", apiPost('{"name": {"$ne": ""}}'), 400],
  ["JSON said to be UTF-16", apiPost(json, jsonType.replace("\r", "; charset=utf-16\r")), 415],
  ["JSON that is too long", apiPost(`{"message": "${"a".repeat(1_100_000)}"}`), 413],
  ["a type with tricks", filesAs("form-data; boundary=x; boundary=y"), 400],
  ["multipart/mixed", filesAs("mixed; boundary=x"), 415],
  ["no boundary", filesAs("form-data"), 400],
  ["a boundary of 71 characters", multipart("", `form-data; boundary=${"x".repeat(71)}`), 400],
  ["another boundary than declared", filesAs("form-data; boundary=y"), 400],
  ["parts that never end", multipart(files), 400],
  ["a text that is not UTF-8", parts(part('name="name"', "\xff")), 400],
  ["a text where a file belongs", parts(text("questionsFile", 1), text("replace-1", 1)), 422],
  ["a part without a name", parts(part('filename="a.txt"', "a")), 400],
  ["a part in a part", parts(file("a.txt", "--y\r\n\r\n--y--")), 422],
  ["an unknown field", parts(texts, file("a.txt", "a", "grade")), 400],
  ["files in __proto__", parts(file("a.txt", "a", "__proto__")), 400],
  ["a name by filename*", parts(part("name=\"questionsFile\"; filename*=UTF-8''a.txt", "a")), 400],
  ["a part's header of 20 kB", multipart(`--x\r\nX: ${"a".repeat(20_000)}\r\n\r\na\r\n--x--`), 413],
  ["10,000 parts", parts(text("name", 1).repeat(10_000)), 413],
  ["a file in a form without files", post("/contact", formData, `${files}--x--`), 400],
  ["an upload as urlencoded", post(upload, urlEncoded, contact), 415],
  ["a file name with a path and invalid content", parts(file("../../etc/passwd")), 422],
  ["a file name that is not UTF-8", parts(texts, file("\xff.txt")), 400],
  ["a file name without a stem", parts(texts, files, file(".txt", "a", "submissionFiles")), 422],
  ["a replacement without a token", parts(texts, files, file("b.txt", "a", "replace-1")), 422],
  ["an invented token", parts(texts, part('name="draft"', "' OR 1=1 --")), 422],
];

const keepAlive = `GET /about HTTP/1.1\r\n${host}\r\n`;

const aroundLimits: Hostile[] = [
  // Several requests on one connection.
  ["an empty line before the request", `\r\n${get("/about")}`, 200],
  ["garbage behind a request", `${keepAlive}garbage\r\n\r\n`, 200],
  ["a POST without a length behind a GET", keepAlive + keepAlive.replace("GET", "POST"), 200],
  ["a form hidden behind Connection: close", get("/blog?q=a") + form(""), 200, 400],
  ["a form hidden behind a rejected one", form("Origin: null\r\n", "name=") + get("/about"), 403],
  ["forty requests at once", keepAlive.repeat(40), 0, 200],
  ["a thousand searches at once", `GET /blog?q=1 HTTP/1.1\r\n${host}\r\n`.repeat(1000), 0, 200],

  // Bodies at the limits.
  ["a form of one byte too many", form("", `name=${"a".repeat(131_068)}`), 413],
  ["a form of just as many", form("", `name=${"a".repeat(131_067)}`), 422],
  ["JSON of one byte too many", apiPost(`{"name":"${"a".repeat(131_062)}"}`), 413],
  ["JSON of just as many", apiPost(`{"name":"${"a".repeat(131_061)}"}`), 422],
  ["a multipart form too large", post("/contact", formData, text("name", 131_072)), 413],
  ["a field's name of 100 kB", form("", `${"a".repeat(100_000)}=b`), 422],
  ["120,000 <", form("", `message=${"<".repeat(120_000)}`), 422],
  ["20,000 NULs in JSON", apiPost(`{"message":"${"\\u0000".repeat(20_000)}"}`), 422],
  ["10,000 unknown keys", apiPost(`{${Array.from(Array(10_000), (_, i) => `"k${i}":""`)}}`), 422],
  ["unknown texts of 180 kB", parts(text("other", 60_000).repeat(3)), 413],
  ["a type of 10 kB", post("/contact", `Content-Type: ${"a".repeat(10_000)}\r\n`, contact), 415],
  ["a test of an unknown form", post("/test-forms", urlEncoded, "form=admin"), 404],
  ["a test that is no form", post("/test-forms", plain, "form=contact"), 404],
  ["a test of 5 kB", post("/test-forms", urlEncoded, `form=${"a".repeat(5000)}`), 404],

  // Addresses, and parameters that are read or ignored.
  ["2,048 bytes of address", get(`/${"a".repeat(2047)}`), 404],
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
  ["an upload's progress under another path", get("/api/contact?upload=0123456789abcdef"), 405],

  // Headers that claim to come from a proxy, and others.
  ["1,800 addresses", get("/blog?q=a", `X-Forwarded-For: ${"1.2.3.4,".repeat(1800)}\r\n`), 200],
  ["a forwarded address", get("/blog?q=a", 'Forwarded: for="[::1]:0";proto=x\r\n'), 200],
  ["another path by a proxy", get("/about", "X-Original-URL: /metrics\r\n"), 200],
  ["no encoding at all", get("/blog?q=a", "Accept-Encoding: *;q=0, identity;q=0\r\n"), 200],
  ["an upgrade to HTTP/2", get("/about", "Upgrade: h2c\r\nHTTP2-Settings: AAAA\r\n"), 200],
];

const tables = ["contact_requests", "rubric_requests", "subscriptions", "outbox"].concat([
  "uploaded_files",
  "uploaded_file_bytes",
  "upload_drafts",
]);

const siteServer = once(() =>
  startServer(wholeFile, { env: { RUBRICON_PUBLIC_URL: "https://site.example" } }),
);

for (const [what, requests] of [
  ["hostile requests", hostile],
  ["hostile requests around the limits", aroundLimits],
] as const) {
  test(`${requests.length} ${what} each get the right status, store nothing and stop no page`, async () => {
    const { url, log, query } = await siteServer();
    const wrong: string[] = [];
    for (const [name, sent, ...statuses] of requests) {
      const { status, body } = await sendRaw(url, sent, { idleMs: 30 });
      if (!statuses.includes(status)) wrong.push(`${name}: ${status} instead of ${statuses}`);
      assert.ok(body.length < 800_000, `${name}: ${body.length} bytes`);
      const page = await sendRequest(url, "/about", { headers: { Host: "site.example" } });
      assert.equal(page.status, 200, `the page after: ${name}`);
    }
    assert.deepEqual(wrong, []);
    for (const table of tables) assert.deepEqual(await query(`SELECT 1 FROM ${table}`), [], table);
    assert.doesNotMatch(log(), / error | 500 in /);
  });
}

test("the bodies of hostile requests are accepted when they are sent correctly", async () => {
  const { url } = await siteServer();
  const own = "Origin: https://site.example\r\nSec-Fetch-Site: same-origin\r\n";
  assert.equal((await sendRaw(url, form(own))).status, 303);
  assert.equal((await sendRaw(url, apiTyped({ message: "x" }))).status, 201);
  assert.equal((await sendRaw(url, parts(texts, files))).status, 201);
});

test("a second message hidden behind a rejected one is never answered", async (t) => {
  const { url } = await sharedServer();
  const here = `Host: ${new URL(url).host}\r\n`;
  for (const headers of [
    "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n",
    "Content-Length: 3\r\nContent-Length: 0\r\n",
    "Content-Length : 0\r\n",
  ]) {
    const { socket, received, isClosed } = open(t, url);
    const second = `GET /healthz HTTP/1.1\r\n${here}\r\n`;
    socket.write(`POST /contact HTTP/1.1\r\n${here}${headers}\r\n${second}`);
    await until(isClosed);
    assert.match(received(), /^HTTP\/1\.1 400 /, headers);
    assert.equal(received().split("HTTP/1.1").length, 2, headers);
  }
});

test("a client whose slow body is rejected gets the response at once", async (t) => {
  const { url } = await sharedServer();
  const beginSlowly = async (status: number, line: string, headers: string) => {
    const { socket, received, isClosed } = open(t, url);
    socket.write(`${line} HTTP/1.1\r\nHost: ${new URL(url).host}\r\n${headers}\r\n`);
    const drip = setInterval(() => socket.write("a"), 100);
    atEnd(t, () => clearInterval(drip));
    // A body that is read first would be cut off after half a minute.
    await until(() => received().startsWith(`HTTP/1.1 ${status} `), 15_000);
    await until(isClosed);
  };
  const body = "Content-Length: 100000\r\n";
  await Promise.all([
    beginSlowly(403, "POST /contact", `Origin: null\r\n${body}`),
    beginSlowly(413, "POST /contact", "Content-Length: 600000000\r\n"),
    beginSlowly(404, "POST /nowhere", body),
    beginSlowly(308, "POST /contact/", body),
    beginSlowly(400, "GET /about", body),
    beginSlowly(400, "POST http://[", body),
    beginSlowly(417, "POST /contact", `Expect: 200-maybe\r\n${body}`),
  ]);
});
