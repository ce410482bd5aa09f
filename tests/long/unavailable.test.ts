/** What visitors of a proxied site see while the program does not run, with the guide's configuration. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import path from "node:path";
import { type TestContext, test } from "node:test";
import { listen } from "../support/free-port.ts";
import { isInstalled, type ProxyName, startProxy } from "../support/proxies.ts";

const file = path.join(import.meta.dirname, "../../packaging/unavailable.html");

/** Starts a proxy before a program that responds with the status in the path. */
async function startProxied(t: TestContext, proxy: ProxyName) {
  const server = createServer((request, response) => {
    response.statusCode = request.url === "/healthz" ? 200 : Number(request.url!.slice(1));
    response.end("words of the program");
  });
  const url = `http://127.0.0.1:${await listen(t, server)}`;
  const stop = () => {
    server.close();
    server.closeAllConnections();
  };
  return { stop, address: await startProxy(t, proxy, url) };
}

for (const proxy of ["nginx", "caddy", "compose"] as const) {
  const skip = !isInstalled(proxy) && `there is no ${proxy} here`;

  test(`${proxy} passes on the errors of a program that runs`, { skip }, async (t) => {
    const { address } = await startProxied(t, proxy);
    for (const status of [500, 502, 503, 504]) {
      const response = await fetch(`${address}/${status}`);
      assert.equal(response.status, status);
      assert.equal(await response.text(), "words of the program");
    }
  });

  test(`${proxy} explains that the program does not run`, { skip }, async (t) => {
    const { stop, address } = await startProxied(t, proxy);
    stop();
    const page = readFileSync(file, "utf8");
    for (const [visited, body] of [
      ["/"],
      ["/blog?q=rubric"],
      ["/contact", new URLSearchParams({ name: "Thandi" })],
      ["/", new Blob(["x".repeat(3_000_000)])],
    ] as const) {
      const what = `${body ? "POST" : "GET"} ${visited}`;
      const response = await fetch(`${address}${visited}`, body && { method: "POST", body });
      assert.equal(response.status, 503, what);
      assert.equal(response.headers.get("retry-after"), "120", what);
      assert.match(response.headers.get("content-type")!, /^text\/html/, what);
      assert.equal(await response.text(), page, what);
    }
  });

  test(`${proxy} answers an upload with 502 while the program does not run`, {
    skip,
  }, async (t) => {
    const { stop, address } = await startProxied(t, proxy);
    stop();
    // After a 502 an upload in progress continues by itself; after a 503 it ends.
    const post = { method: "POST", body: "x" };
    assert.equal((await fetch(`${address}/api/demo-request-with-files`, post)).status, 502);
  });
}

test("the page for visitors of a stopped program is one small file that loads nothing and fits every name", () => {
  const page = readFileSync(file, "utf8");
  assert.ok(Buffer.byteLength(page) < 2000, `${Buffer.byteLength(page)} bytes`);
  assert.doesNotMatch(page, /(src|href)=|url\(|@import|<script/i);
  assert.doesNotMatch(page, /rubricon/i, "an upgrade replaces the file");
});
