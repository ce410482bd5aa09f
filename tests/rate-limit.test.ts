import assert from "node:assert/strict";
import { test } from "node:test";
import express, { type Request } from "express";
import {
  clientNetwork,
  isClientUnknown,
  trustedProxyTest,
} from "../app/server/http/client-address.ts";
import { linkTokenIn } from "../app/server/http/private-links.ts";
import { newPostCounter, openRateLimit } from "../app/server/http/rate-limit.ts";
import { once } from "../app/server/system/once.ts";
import { wholeFile } from "./support/at-end.ts";
import {
  contactTyped,
  postForm,
  postJson,
  postMultipart,
  rubricForm,
  rubricTyped,
} from "./support/forms.ts";
import { sendRaw } from "./support/raw-http.ts";
import { startServer } from "./support/server.ts";

const minute = 60_000;

test("a client may send as many posts as the limit says in ten minutes after its first", () => {
  let time = 0;
  const count = newPostCounter(2, () => time);
  for (const [at, client, secondsToWait] of [
    [0, "a", undefined],
    [1 * minute, "a", undefined],
    [2 * minute, "a", 480],
    [2 * minute, "b", undefined],
    [10 * minute - 1, "a", 1],
    [10 * minute, "a", undefined],
    [11 * minute, "b", undefined],
    [12 * minute, "b", undefined],
    [13 * minute, "b", undefined],
    [14 * minute, "b", 480],
  ] as const) {
    time = at;
    assert.equal(count(client), secondsToWait, `${client} at ${at / minute} minutes`);
  }
});

test("a link's token is one client, however the path encodes it", () => {
  for (const path of ["/api/team/token_1/scan", "/api/team/%74oken%5f1/scan"]) {
    assert.equal(linkTokenIn({ path, url: path } as Request), "token_1", path);
  }
});

test("the first of too many clients are forgotten first", () => {
  // 100,000 clients are counted.
  const count = newPostCounter(1, () => 0);
  count("first");
  for (let client = 0; client < 99_990; client += 1) count(`${client}`);
  assert.equal(count("first"), 600);
  for (let client = 0; client < 20; client += 1) count(`new ${client}`);
  assert.equal(count("first"), undefined);
  assert.equal(count("99989"), 600);
});

test("the client's address is the last forwarded one that is not a trusted proxy", () => {
  const proxies = ["10.0.0.0/8", "::1"];
  const listenAddress = { host: "127.0.0.1", port: 3000 };
  const app = express();
  app.set("trust proxy", trustedProxyTest({ trustedProxies: proxies, listenAddress }));
  for (const [peer, headers, address] of [
    ["192.0.2.1", {}, "192.0.2.1"],
    ["10.0.0.1", {}, "10.0.0.1"],
    ["10.0.0.1", { "x-forwarded-for": "192.0.2.1" }, "192.0.2.1"],
    ["::ffff:10.0.0.1", { "x-forwarded-for": "192.0.2.1" }, "192.0.2.1"],
    ["::1", { "x-forwarded-for": "198.51.100.7, 192.0.2.1 , 10.0.0.2" }, "192.0.2.1"],
    ["::1", { "x-forwarded-for": "10.0.0.3, 10.0.0.2" }, "10.0.0.3"],
    ["::1", { "x-forwarded-for": "2001:db8::1" }, "2001:db8::1"],
    ["::1", { "x-forwarded-for": "nonsense, 10.0.0.2" }, "nonsense"],
    ["::1", { "x-forwarded-for": "192.0.2.1", forwarded: "for=192.0.2.9" }, "192.0.2.1"],
    ["::1", { forwarded: "for=192.0.2.9" }, undefined],
    ["192.0.2.1", { "x-forwarded-for": "10.0.0.1" }, undefined],
    ["192.0.2.1", { forwarded: "for=10.0.0.1" }, undefined],
    [undefined, { "x-forwarded-for": "10.0.0.1" }, undefined],
  ] as const) {
    const properties = { socket: { value: { remoteAddress: peer } }, headers: { value: headers } };
    const request = Object.create(app.request, properties) as Request;
    const known = isClientUnknown(request) ? undefined : request.ip;
    assert.equal(known, address, `${peer} ${JSON.stringify(headers)}`);
  }
});

test("a client is one IPv4 address or an IPv6 /64, however they are written", () => {
  for (const [address, network] of [
    ["192.0.2.1", "192.0.2.1"],
    ["::ffff:192.0.2.1", "192.0.2.1"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"],
    ["2001:DB8:1:2::9", "2001:db8:1:2::"],
    ["fe80::1%eth0", "fe80::"],
    ["::1", "::"],
    ["nonsense", undefined],
    ["", undefined],
  ] as const) {
    assert.equal(clientNetwork(address), network, address);
  }
});

/** A server that one address may send three posts and two uploads, behind a proxy. */
const limitedServer = once(() =>
  startServer(wholeFile, {
    env: {
      RUBRICON_POSTS_PER_10_MINUTES: "3",
      RUBRICON_UPLOADS_PER_10_MINUTES: "2",
      RUBRICON_TRUSTED_PROXIES: "127.0.0.1, ::1",
    },
  }),
);

const contactFrom = (url: string, address: string, phone: string) =>
  postJson(url, "/api/contact", { ...contactTyped, phone }, { "X-Forwarded-For": address });

test("too many posts from one address are a 429 with Retry-After", async () => {
  const { url } = await limitedServer();
  for (const phone of ["1", "2", "3"])
    assert.equal((await contactFrom(url, "192.0.2.1", phone)).status, 201);
  const rejected = await contactFrom(url, "192.0.2.1", "4");
  assert.equal(rejected.status, 429);
  const wait = Number(rejected.headers.get("Retry-After"));
  assert.ok(wait > 500 && wait <= 600, `Retry-After: ${wait}`);
  assert.equal(((await rejected.json()) as { code: string }).code, "too_often");
  assert.equal((await contactFrom(url, "192.0.2.2", "4")).status, 201);
});

test("the posts of one IPv6 /64 count together", async () => {
  const { url } = await limitedServer();
  for (const [address, status] of [
    ["2001:db8:1:2::1", 201],
    ["2001:db8:1:2::2", 201],
    ["2001:db8:1:2::3", 201],
    ["2001:db8:1:2:ffff::1", 429],
    ["2001:db8:1:3::1", 201],
  ] as const) {
    assert.equal((await contactFrom(url, address, address)).status, status, address);
  }
});

/** A server that has taken as many posts of the contact form as it may. */
const fullServer = once(async () => {
  const { url } = await limitedServer();
  for (const phone of ["7", "8", "9"])
    assert.equal((await postForm(url, "/contact", { ...contactTyped, phone })).status, 303);
  return url;
});

test("after too many posts an uncached page says when and how to send the form again", async () => {
  const page = await postForm(await fullServer(), "/contact", contactTyped);
  assert.equal(page.status, 429);
  assert.match(page.headers.get("Retry-After")!, /^\d+$/);
  assert.equal(Number(page.headers.get("Retry-After")) % 60, 0, "in whole minutes");
  assert.equal(page.headers.get("Cache-Control"), "no-store");
  const html = await page.text();
  assert.match(html, /<h1>Please wait before you send this<\/h1>/);
  assert.match(html, /try again in 10 minutes/);
  assert.match(html, /reload it/);
});

test("a post too many is rejected before its body is read", async () => {
  const unread = await sendRaw(
    await fullServer(),
    "POST /contact HTTP/1.1\r\nHost: a\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 5000\r\n\r\n",
  );
  assert.equal(unread.status, 429);
});

/** The header of a client that no other test has. */
const clientAt = (address: string) => ({ "X-Forwarded-For": address });

test("a multipart form of the desk, which has no files, counts as a form without files", async () => {
  const { url } = await limitedServer();
  const statuses: number[] = [];
  for (const intent of ["1", "2", "3", "4"]) {
    const body = new FormData();
    body.set("intent", intent);
    const headers = clientAt("198.51.100.7");
    const link = `${url}/marking?link=${"B".repeat(22)}`;
    statuses.push((await fetch(link, { method: "POST", body, headers })).status);
  }
  assert.deepEqual(statuses, [400, 400, 400, 429]);
});

test("posts of mail providers that unsubscribe their users do not count against the limit of forms", async () => {
  const { url } = await limitedServer();
  const headers = clientAt("198.51.100.1");
  const statuses: number[] = [];
  for (const token of ["one", "two", "three"]) {
    const body = new URLSearchParams({ "List-Unsubscribe": "One-Click" });
    const post = `${url}/subscription?token=${token}`;
    statuses.push((await fetch(post, { method: "POST", headers, body })).status);
  }
  assert.deepEqual(statuses, [200, 200, 200]);
  for (const [index, status] of [201, 201, 201, 429].entries()) {
    const sent = await postJson(url, "/api/contact", contactTyped, headers);
    assert.equal(sent.status, status, `post ${index + 1}`);
  }
});

/** Signs marks by a link that opens nothing. */
const signWith = (token: string, url: string, headers: Record<string, string>) => {
  const body = new URLSearchParams({ action: "sign" });
  return fetch(`${url}/?index&results=${token}&learner=1`, { method: "POST", headers, body });
};

test("neither a parameter named results nor a link that opens nothing allows further posts", async () => {
  const { url } = await limitedServer();
  const headers = clientAt("198.51.100.2");
  const contact = () => postJson(url, "/api/contact?results", contactTyped, headers);
  const sign = () => signWith("A".repeat(22), url, headers);
  const statuses: number[] = [];
  for (const post of [contact, sign, sign, sign, contact]) statuses.push((await post()).status);
  assert.deepEqual(statuses, [201, 404, 404, 429, 429]);
});

test("a page that opens without its link does not make the link's token a client", async () => {
  const { url } = await limitedServer();
  const headers = clientAt("198.51.100.3");
  const statuses: number[] = [];
  for (const character of ["A", "B", "C", "D"]) {
    const token = character.repeat(22);
    const help = await fetch(`${url}/marking?help&link=${token}`, { headers });
    assert.equal(help.status, 200);
    await help.text();
    statuses.push((await signWith(token, url, headers)).status);
  }
  assert.deepEqual(statuses, [404, 404, 404, 429]);
});

test("uploads have a limit of their own, whose page says that nothing is lost", async () => {
  const { url } = await limitedServer();
  for (const phone of ["1", "2"]) {
    const form = rubricForm(undefined, { ...rubricTyped, phone });
    assert.equal((await postMultipart(url, "/latest-feature", form)).status, 303);
  }
  const upload = await postMultipart(url, "/latest-feature", rubricForm());
  assert.equal(upload.status, 429);
  assert.match(await upload.text(), /What you typed and chose is not lost/);
});

const link = `/subscription?token=${"x".repeat(22)}`;

test("posts of more than 1 kB, or of an unknown length, to a subscription's link are rejected unread", async () => {
  const { url } = await limitedServer();
  const head = (headers: string) =>
    `POST ${link} HTTP/1.1\r\nHost: a\r\nContent-Type: application/x-www-form-urlencoded\r\n${headers}\r\n`;
  const largest = head("Content-Length: 1024\r\n") + "intent=end&x=".padEnd(1024, "x");
  assert.equal((await sendRaw(url, largest)).status, 200, "1 kB is read");
  const large = await sendRaw(url, head("Content-Length: 1025\r\n"));
  assert.equal(large.status, 413);
  assert.match(large.body, /too large/);
  const chunked = `${head("Transfer-Encoding: chunked\r\n")}fff\r\nintent=end&x=${"+".repeat(4000)}`;
  assert.equal((await sendRaw(url, chunked)).status, 411);
});

test("a client may send 600 posts to subscriptions' links, and no more", () => {
  const count = openRateLimit({ maxPosts: 1, maxUploads: 1 });
  const post = () => count("192.0.2.1", "subscription link");
  for (let sent = 0; sent < 600; sent += 1) post();
  assert.throws(post, { status: 429 });
});
