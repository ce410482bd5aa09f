/** One client, several addresses: what it may take from the others. Heavier: tests/long/abuse.test.ts. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { maxTextBytes } from "../app/server/intake/form-body.ts";
import { contactTyped, postForm } from "./support/forms.ts";
import { type Client, open } from "./support/raw-client.ts";
import { sendRaw } from "./support/raw-http.ts";
import { emptyServer, query, until } from "./support/server.ts";

const get = (address: string, headers = "") =>
  `GET ${address} HTTP/1.1\r\nHost: site\r\n${headers}\r\n`;
const urlEncoded = "Content-Type: application/x-www-form-urlencoded\r\n";
const contact = new URLSearchParams(contactTyped).toString();
const postOf = (body: string) =>
  `POST /contact HTTP/1.1\r\nHost: site\r\n${urlEncoded}Content-Length: ${body.length}\r\n\r\n${body}`;
const count = (text: string, what: string) => text.split(what).length - 1;

test("pipelined requests are answered in order, a form among them", async (t) => {
  const { url, databaseFile } = await emptyServer();
  const addresses = ["/blog?q=memo", "/about", "/blog?q=rubric", "/contact", "/nowhere"];
  const client = open(t, url);
  client.socket.write(addresses.map((address) => get(address)).join("") + postOf(contact));
  await until(() => count(client.received(), "HTTP/1.1 ") === 6);
  const statuses = [...client.received().matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, one]) => one);
  assert.deepEqual(statuses, ["200", "200", "200", "200", "404", "303"]);
  const ownTexts = [
    'value="memo"',
    'rel="canonical" href="http://localhost:0/about"',
    'value="rubric"',
    'rel="canonical" href="http://localhost:0/contact"',
    "<h1>404",
  ];
  const positions = ownTexts.map((text) => client.received().indexOf(text));
  assert.ok(!positions.includes(-1), String(positions));
  assert.deepEqual(
    positions,
    positions.toSorted((a, b) => a - b),
  );
  assert.equal(query(databaseFile, "SELECT * FROM contact_requests").length, 1);
});

test("a client that pipelines 2,000 requests is disconnected after at most nine responses", async (t) => {
  const { url } = await emptyServer();
  for (const address of ["/blog?q=1", "/about"]) {
    const many = open(t, url);
    many.socket.write(get(address).repeat(2000));
    await until(many.isClosed);
    // One is in flight, and eight may wait behind it.
    const answered = count(many.received(), "HTTP/1.1 ");
    assert.ok(answered <= 9, `${address}: ${answered} responses`);
  }
});

test("60 renders for one address do not keep another address waiting", async (t) => {
  const { url } = await emptyServer();
  const crowd = Array.from({ length: 60 }, () => open(t, url, "127.0.0.2"));
  await Promise.all(crowd.map(({ socket }) => once(socket, "connect")));
  const other = open(t, url);
  // Connections are accepted in their order: the server has all of them once it responds on this one.
  other.socket.write(get("/about"));
  await until(() => other.received().endsWith("</html>"));
  for (const { socket } of [...crowd, other]) socket.write(get("/blog?q=memo"));
  await once(other.socket, "data");
  const isServed = ({ received }: Client) => received() !== "";
  const served = crowd.filter(isServed).length;
  assert.ok(served < 30, `${served} of the crowd were served first`);
  await until(() => crowd.every(isServed));
  for (const { received } of crowd) assert.match(received(), /^HTTP\/1\.1 200 /);
});

test("a rejected form comes back with at most twice the text that its fields accept", async () => {
  const { url } = await emptyServer();
  const empty = (await (await postForm(url, "/contact", {})).text()).length;
  const back = await postForm(url, "/contact", {
    name: "N".repeat(30_000),
    message: `start${"<".repeat(9_990)}cut off`,
    other: "unknown field",
    elapsed: "7".repeat(50_000),
  });
  assert.equal(back.status, 422);
  const html = await back.text();
  // The text is in the form and in the props that its script reads.
  assert.equal(count(html, "N".repeat(200)), 2);
  assert.ok(!html.includes("N".repeat(201)));
  assert.ok(html.includes(`start${"&lt;".repeat(9_990)}cut o`));
  for (const text of ["cut of", "unknown field"]) assert.ok(!html.includes(text), text);
  // Escaped, a `<` has four characters in the form and six in the props.
  assert.ok(html.length - empty < 110_000, `${html.length - empty} bytes more than the empty form`);
});

test("a text body that is too long is rejected with advice, without its text", async () => {
  const { url } = await emptyServer();
  const tooLong = await sendRaw(url, postOf(`name=${"x".repeat(maxTextBytes)}`));
  assert.equal(tooLong.status, 413);
  assert.match(tooLong.body, /shorten it/);
  assert.ok(!tooLong.body.includes("xxx"));
});
