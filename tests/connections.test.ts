/** Limits of connections, with small numbers. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { connect } from "node:net";
import { type TestContext, test } from "node:test";
import { inOrder, limitConnections } from "../app/server/http/connections.ts";
import { atEnd } from "./support/at-end.ts";
import { listen } from "./support/free-port.ts";
import { open as openClient } from "./support/raw-client.ts";
import { until } from "./support/server.ts";

/** Starts a server that responds to every request. */
async function start(
  t: TestContext,
  limits: { maxPerClient: number; maxNewPerClient?: number },
  proxy = "none",
) {
  let rejected = 0;
  const server = createServer((_request, response) => response.end("a page"));
  limitConnections(server, {
    ...limits,
    isTrustedProxy: (address) => address === proxy,
    onReject: () => {
      rejected += 1;
    },
  });
  const url = `http://127.0.0.1:${await listen(t, server)}`;
  const open = (localAddress: string) => openClient(t, url, localAddress);
  return { open, rejected: () => rejected };
}

const get = "GET / HTTP/1.1\r\nHost: site\r\n\r\n";

test("the connections of one address are limited without affecting others", async (t) => {
  const { open, rejected } = await start(t, { maxPerClient: 20 });
  const crowd = Array.from({ length: 20 }, () => open("127.0.0.2"));
  await Promise.all(crowd.map(({ socket }) => once(socket, "connect")));
  const more = Array.from({ length: 5 }, () => open("127.0.0.2"));
  await until(() => more.every(({ isClosed }) => isClosed()));
  assert.equal(rejected(), 5);
  assert.ok(crowd.every(({ isClosed }) => !isClosed()));
  const other = open("127.0.0.3");
  other.socket.write(get);
  await until(() => other.received().startsWith("HTTP/1.1 200"));
});

test("a connection that ends makes room for one more of its address", async (t) => {
  const { open, rejected } = await start(t, { maxPerClient: 1 });
  const first = open("127.0.0.2");
  await once(first.socket, "connect");
  first.socket.destroy();
  await until(async () => {
    const next = open("127.0.0.2");
    next.socket.write(get);
    await until(() => next.received() !== "" || next.isClosed());
    return next.received().startsWith("HTTP/1.1 200");
  });
  const before = rejected();
  open("127.0.0.2");
  await until(() => rejected() > before);
});

test("connections of an address beyond the limit on new ones are closed unread", async (t) => {
  const { open, rejected } = await start(t, { maxPerClient: 20, maxNewPerClient: 5 });
  const first = Array.from({ length: 5 }, () => open("127.0.0.2"));
  for (const { socket } of first) socket.write(get);
  await until(() => first.every(({ received }) => received().startsWith("HTTP/1.1 200")));
  const next = open("127.0.0.2");
  next.socket.write(get);
  await until(() => next.isClosed());
  assert.equal(next.received(), "");
  assert.equal(rejected(), 1);
  const other = open("127.0.0.3");
  other.socket.write(get);
  await until(() => other.received().startsWith("HTTP/1.1 200"));
});

test("a trusted proxy's connections are not counted", async (t) => {
  const { open } = await start(t, { maxPerClient: 10 }, "127.0.0.2");
  const many = Array.from({ length: 30 }, () => open("127.0.0.2"));
  for (const { socket } of many) socket.write(get);
  await until(() => many.every(({ received }) => received().startsWith("HTTP/1.1 200")));
});

test("a connection stays open if one request always waits behind the one in flight", async (t) => {
  let parsed = 0;
  const begun: ServerResponse[] = [];
  const listener = inOrder((_request, response) => begun.push(response));
  const server = createServer((request, response) => {
    parsed += 1;
    listener(request, response);
  });
  const socket = connect({ host: "127.0.0.1", port: await listen(t, server) });
  atEnd(t, () => socket.destroy());
  socket.resume().write(get);
  for (let count = 1; count <= 20; count += 1) {
    socket.write(get);
    await until(() => parsed === count + 1 && begun.length === count);
    begun.at(-1)!.end("a page");
  }
  assert.ok(!socket.closed);
});

test("a connection on which more than eight requests wait is closed", async (t) => {
  let parsed = 0;
  let isOpen = true;
  const listener = inOrder(() => {});
  const server = createServer((request, response) => {
    listener(request, response);
    parsed += 1;
    isOpen = !request.socket.destroyed;
  });
  const socket = connect({ host: "127.0.0.1", port: await listen(t, server) });
  atEnd(t, () => socket.destroy());
  socket.on("error", () => {});
  socket.resume().write(get.repeat(9));
  await until(() => parsed === 9);
  assert.ok(isOpen);
  socket.write(get);
  await until(() => !isOpen);
});
