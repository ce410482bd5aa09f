/** Limits of connections, with small numbers. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { type TestContext, test } from "node:test";
import { Connections } from "../app/server/http/connections.ts";
import { atEnd } from "./support/at-end.ts";
import { until } from "./support/server.ts";

/** Starts a server that responds to a GET and leaves a POST without a response. */
async function listen(t: TestContext, max: number, proxy = "none") {
  let revoked = 0;
  const connections = new Connections({
    max,
    writeTimeoutMs: 60_000,
    isTrustedProxy: (address) => address === proxy,
    clientOf: (request) => String(request.headers["x-forwarded-for"]),
    onRevoke: () => {
      revoked += 1;
    },
  });
  const server = createServer(
    connections.inOrder((request, response) => {
      if (request.method === "GET") response.end("a page");
    }),
  );
  connections.watch(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  atEnd(t, () => server.close());
  const { port } = server.address() as AddressInfo;
  const open = (localAddress: string) => {
    const socket = connect({ host: "127.0.0.1", port, localAddress });
    let received = "";
    socket.on("data", (chunk) => {
      received += chunk;
    });
    socket.on("error", () => {});
    atEnd(t, () => socket.destroy());
    return { socket, received: () => received, isClosed: () => socket.closed };
  };
  return { open, revoked: () => revoked };
}

const get = "GET / HTTP/1.1\r\nHost: site\r\n\r\n";

test("when all connections are taken, the address with the most loses one for each new one", async (t) => {
  const { open, revoked } = await listen(t, 20);
  const crowd = Array.from({ length: 20 }, () => open("127.0.0.2"));
  // The first is in use, so that the second is closed before it.
  crowd[0]!.socket.write("POST / HTTP/1.1\r\nHost: site\r\nContent-Length: 9\r\n\r\n");
  await Promise.all(crowd.map(({ socket }) => once(socket, "connect")));
  const first = open("127.0.0.1");
  first.socket.write(get);
  await until(() => first.received().startsWith("HTTP/1.1 200"));
  await until(() => crowd.filter(({ isClosed }) => isClosed()).length === 1);
  assert.ok(!crowd[0]!.isClosed());
  const others = Array.from({ length: 8 }, () => open("127.0.0.3"));
  for (const { socket } of others) socket.write(get);
  await until(() => others.every(({ received }) => received().startsWith("HTTP/1.1 200")));
  assert.ok(others.every(({ isClosed }) => !isClosed()));
  // An address that has the most makes room for itself.
  const last = open("127.0.0.2");
  last.socket.write(get);
  await until(() => last.received().startsWith("HTTP/1.1 200"));
  assert.equal(revoked(), 10);
});

test("a trusted proxy's connections do not count, its clients' requests do", async (t) => {
  const { open } = await listen(t, 10, "127.0.0.2");
  const idle = Array.from({ length: 30 }, () => open("127.0.0.2"));
  for (const { socket, received } of idle) {
    socket.write(get);
    await until(() => received().startsWith("HTTP/1.1 200"));
  }
  assert.ok(idle.every(({ isClosed }) => !isClosed()));
  const postFor = (address: string) =>
    `POST / HTTP/1.1\r\nHost: site\r\nX-Forwarded-For: ${address}\r\nContent-Length: 9\r\n\r\n`;
  const slow = idle.slice(0, 10);
  for (const { socket } of slow) socket.write(postFor("192.0.2.1"));
  await new Promise((resolve) => setTimeout(resolve, 200));
  const other = idle[10]!;
  other.socket.write(postFor("192.0.2.2"));
  await until(() => slow.some(({ isClosed }) => isClosed()));
  assert.ok(!other.isClosed());
  assert.equal(idle.filter(({ isClosed }) => isClosed()).length, 1);
});
