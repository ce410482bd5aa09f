/** What the front door does with a request before any page or endpoint sees it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { open } from "./support/raw-client.ts";
import { sendRaw } from "./support/raw-http.ts";
import { formType, postOf, sendRequest } from "./support/send-request.ts";
import { emptyServer, sharedSettings, startServer, until } from "./support/server.ts";

sharedSettings.RUBRICON_TRUSTED_PROXIES = "127.0.0.0/8,::1";

test("forwarded hosts and protocols change nothing, even from a trusted proxy", async () => {
  const { url } = await emptyServer();
  const plain = await sendRequest(url, "/blog?q=memo");
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
    assert.equal(page.bytes.toString(), plain.bytes.toString(), label);
    const post = await sendRequest(url, "/contact", postOf("name=", { ...formType, ...forwarded }));
    assert.equal(post.status, 422, label);
  }
});

test("with a public URL other hosts are rejected, except health checks by address or a name without a dot", async (t) => {
  const { url } = await startServer(t, { env: { RUBRICON_PUBLIC_URL: "https://site.example" } });
  const status = async (address: string, Host: string, options = {}) =>
    (await sendRequest(url, address, { ...options, headers: { Host } })).status;
  for (const host of ["other.example", "site.example.evil.example", "site.example:8443"]) {
    assert.equal(await status("/", host), 421, host);
    assert.equal(await status("/contact", host, { method: "POST" }), 421, host);
    // By DNS rebinding a page of that host could read these in an operator's browser.
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
});

test("without a public URL a form is accepted from its own host, with or without a proxy that speaks https", async () => {
  const { url } = await emptyServer();
  const { host } = new URL(url);
  for (const [Origin, expected] of [
    [`http://${host}`, 422],
    [`https://${host}`, 422],
    ["https://localhost", 403],
    [`http://${host}.evil.example`, 403],
  ] as const) {
    const response = await sendRequest(url, "/contact", postOf("name=", { ...formType, Origin }));
    assert.equal(response.status, expected, Origin);
  }
});

test("an address has one spelling on the site, to which others are redirected", async () => {
  const { url } = await emptyServer();
  for (const [address, location] of [
    ["/contact/", "/contact"],
    ["/contact//?a=b/", "/contact?a=b/"],
    ["//contact", "/contact"],
    ["//evil.example/", "/evil.example"],
    ["//evil.example", "/evil.example"],
    ["///evil.example/%2e%61", "/evil.example/%2e%61"],
    ["//", "/"],
    ["/api//contact", "/api/contact"],
    ["/?/", undefined],
  ] as const) {
    for (const method of ["GET", "POST"] as const) {
      const response = await sendRequest(url, address, {
        method,
        ...(method === "POST" ? { headers: { "Content-Length": "0" } } : {}),
      });
      assert.equal(response.status === 308, location !== undefined, `${method} ${address}`);
      assert.equal(response.headers.location, location, `${method} ${address}`);
    }
  }
});

test("an unexpected error is a 500 page with the id under which the log has its cause", async () => {
  const server = await emptyServer();
  const { url } = server;
  await server.change("ALTER TABLE subscription_receipts RENAME TO gone");
  const failed = await fetch(`${url}/blog?received=ABCD-EFGH-JKMN`);
  assert.equal(failed.status, 500);
  const page = await failed.text();
  assert.match(page, /<h1>Something went wrong on our side<\/h1>/);
  const id = failed.headers.get("X-Request-Id")!;
  assert.ok(page.includes(`<code>${id}</code>`));
  assert.doesNotMatch(page, /SqliteError|no such table|at /);
  assert.match(server.log(), new RegExp(`error request ${id}: a page failed: .*no such table`));
  await until(() => new RegExp(`GET /blog 500 in \\d+ ms, request ${id}\n`).test(server.log()));
  await server.change("ALTER TABLE gone RENAME TO subscription_receipts");
});

test("pages stay up while the database fails another one, which then recovers", async () => {
  const { url, change } = await emptyServer();
  const statusOf = async (address: string) => (await sendRequest(url, address)).status;
  const receipt = "/blog?received=ABCD-EFGH-JKMN";
  await change("ALTER TABLE subscription_receipts RENAME TO gone");
  assert.equal(await statusOf(receipt), 500);
  assert.deepEqual([await statusOf("/about"), await statusOf("/healthz")], [200, 200]);
  await change("ALTER TABLE gone RENAME TO subscription_receipts");
  assert.equal(await statusOf(receipt), 404);
});

/** The reasons of rejections that a server has logged. */
const loggedBy = ({ log }: { log: () => string }) =>
  [...log().matchAll(/ info rejected at the front door: (.*)\n/g)].map(([, reason]) => reason);

test("rejections at the front door are logged once and then counted, without the client's text", async (t) => {
  const server = await startServer(t);
  const foreign = postOf("a=b", { ...formType, Origin: "https://evil.example" });
  for (let count = 0; count < 4; count += 1) {
    assert.equal((await sendRequest(server.url, "/contact", foreign)).status, 403);
  }
  for (const _ of ["first", "again"])
    assert.equal((await sendRequest(server.url, "/wp-login.php", postOf("a=b"))).status, 404);
  assert.equal((await sendRaw(server.url, "nonsense\r\n\r\n")).status, 400);
  const first = ["403 other_site", "404 not_found", "malformed HTTP"];
  await until(() => loggedBy(server).length === first.length);
  await server.stop();
  const again = ["403 other_site, 3 more times", "404 not_found, 1 more time"];
  assert.deepEqual(loggedBy(server), [...first, ...again]);
  assert.doesNotMatch(server.log(), /evil|wp-login|nonsense/);
});

test("clients that leave while they wait for their turn are not counted as rejected", async (t) => {
  const server = await startServer(t);
  // Of the posts under a link, 2 are read at a time, and 19 wait.
  const clients = Array.from({ length: 22 }, () => open(t, server.url));
  const headers = `Host: a\r\nContent-Type: ${formType["Content-Type"]}\r\nContent-Length: 9`;
  for (const { socket } of clients) {
    socket.write(`POST /marking?link=${"A".repeat(22)} HTTP/1.1\r\n${headers}\r\n\r\n`);
  }
  await until(() => clients.some(({ received }) => received().startsWith("HTTP/1.1 503 ")));
  for (const { socket } of clients) socket.destroy();
  await server.stop();
  assert.deepEqual(loggedBy(server), ["503 busy"]);
});
