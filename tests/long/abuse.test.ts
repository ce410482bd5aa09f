/**
 * Floods from one address and from five, with the unit's environment and MemoryMax, directly and
 * behind each proxy of the guides: other visitors are served, and the memory stays bounded.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { unitEnvironment } from "../../scripts/bench/unit.ts";
import { assetNamed } from "../support/built-assets.ts";
import { type FloodPlan, startFlood } from "../support/flood.ts";
import { limitMemory } from "../support/memory-limit.ts";
import { isInstalled, type ProxyName, startProxy } from "../support/proxies.ts";
import { startServer } from "../support/server.ts";
import { memoryOf, visit } from "../support/visitors.ts";

const seconds = 8;
/** How long the server takes to accept the connections of a flood and to read what they send. */
const floodGrowsMs = 2000;
const addresses = ["127.0.0.2", "127.0.0.3", "127.0.0.4", "127.0.0.5", "127.0.0.6"];
const visitor = "127.0.0.9";

const video = `/assets/${assetNamed(/^demo-landscape-.*\.mp4$/)}`;
const get = (address: string) =>
  `GET ${address} HTTP/1.1\r\nHost: HOST\r\nAccept-Encoding: br\r\n\r\n`;
const post = (address: string, type: string, length: number) =>
  `POST ${address} HTTP/1.1\r\nHost: HOST\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\n\r\n`;
const form = "application/x-www-form-urlencoded";

const floods: Record<string, Omit<FloodPlan, "addresses">> = {
  "2,000 pipelined pages, unread": { connections: 5, head: get("/blog?q=1"), repeat: 2000 },
  "6 pipelined pages on each connection, unread": {
    connections: 1500,
    head: get("/blog?q=1"),
    repeat: 6,
  },
  "1,000 pipelined pages on one connection": { connections: 1, head: get("/about"), repeat: 1000 },
  "pages that are never read": { connections: 300, head: get("/blog?q=1"), repeat: 6 },
  "new connections without end": { connections: 300, head: get("/about"), reopens: true },
  "searches without a pause": { connections: 400, head: get("/blog?q=1"), reads: true },
  "pages without a pause": { connections: 400, head: get("/about"), reads: true },
  "receipts without a pause": {
    connections: 400,
    head: get("/contact?received=ABCD-EFGH-JKMN"),
    reads: true,
  },
  "slow texts": {
    connections: 1500,
    head: post("/api/contact", "application/json", 131_072),
    filler: 130_000,
    dripMs: 5000,
  },
  "slow texts of a megabyte": {
    connections: 1100,
    head: post("/api/contact", "application/json", 1_048_576),
    filler: 1_048_000,
    dripMs: 5000,
  },
  "slow uploads": {
    connections: 40,
    head: `${post("/api/demo-request-with-files", "multipart/form-data; boundary=x", 2_000_000)}--x\r\nContent-Disposition: form-data; name="submissionFiles"; filename="a.pdf"\r\n\r\n%PDF-1.7`,
    filler: 20_000,
    dripMs: 1000,
  },
  "rejected forms, unread": {
    connections: 300,
    head: `${post("/contact", form, 120_008)}message=`,
    filler: 120_000,
  },
  "rejected forms, read": {
    connections: 100,
    head: `${post("/contact", form, 120_008)}message=`,
    filler: 120_000,
    reads: true,
  },
  "forms of 130 kB of +": {
    connections: 400,
    head: `${post("/contact", form, 130_002)}x=`,
    filler: 130_000,
    fill: "+",
    reads: true,
  },
  "videos, unread": { connections: 2000, head: get(video), repeat: 6 },
  "headers that never end": {
    connections: 2000,
    head: "GET / HTTP/1.1\r\nHost: HOST\r\nX-Slow: ",
    dripMs: 2000,
  },
};

/** How long visitors may wait, at the 95th percentile. docs/limits.md has the reason for the exception. */
const maxMs = (proxy: ProxyName | undefined, name: string) =>
  proxy === "caddy" && name === "rejected forms, read" ? 400 : 200;

for (const proxy of [undefined, "nginx", "caddy"] as (ProxyName | undefined)[]) {
  for (const [name, plan] of Object.entries(floods)) {
    for (const sources of [addresses.slice(0, 1), addresses]) {
      const from = `${name} from ${sources.length === 1 ? "one address" : "five addresses"}`;
      test(`${from}${proxy ? `, behind ${proxy}` : ""}: others are served, under 400 MB`, async (t) => {
        if (proxy && !isInstalled(proxy)) {
          t.skip(`${proxy} is not installed (apt-get install nginx-light caddy)`);
          return;
        }
        const server = await startServer(t, {
          env: {
            ...unitEnvironment(),
            RUBRICON_TRUSTED_PROXIES: proxy ? "127.0.0.1" : "",
            // The visitor uploads once a second.
            RUBRICON_UPLOADS_PER_10_MINUTES: "1000",
            RUBRICON_POSTS_PER_10_MINUTES: "60",
          },
        });
        const pid = server.process.pid!;
        const url = proxy
          ? await startProxy(t, proxy, server.url)
          : server.url.replace("localhost", "127.0.0.1");
        const kills = limitMemory(t, pid, 2 ** 30);
        const before = memoryOf(pid);
        const calm = await visit({ url, address: visitor, seconds: 3, pid });
        const stopFlood = await startFlood(url, { ...plan, addresses: sources });
        await new Promise((resolve) => setTimeout(resolve, floodGrowsMs));
        const seen = await visit({ url, address: visitor, seconds, pid });
        const {
          statuses,
          uploads,
          messages,
          cachedMs,
          uncachedMs,
          slowestMs,
          residentMb,
          anonymousMb,
        } = seen;
        await stopFlood();
        t.diagnostic(
          `${before} to ${residentMb} MB, ${anonymousMb} of it anonymous; at the 95th percentile ${cachedMs} ms cached, ${uncachedMs} ms uncached, unattacked ${calm.cachedMs} and ${calm.uncachedMs}; the slowest ${slowestMs}, unattacked ${calm.slowestMs}; ${calm.processorWait.toFixed(1)} ms of waiting for a processor in each of running; ${JSON.stringify(statuses)}, uploads ${[...new Set(uploads)]}, messages ${[...new Set(messages)]}${kills ? "" : "; without MemoryMax"}`,
        );
        assert.equal(server.process.exitCode, null, "the server runs");
        assert.equal(kills?.() ?? 0, 0, "the kernel ends no process");
        // The file pages of the executable are not counted: the kernel drops them before it ends a process.
        assert.ok(anonymousMb < 400, `the server takes ${anonymousMb} MB`);
        if (calm.processorWait > 1) {
          t.skip("other work on this machine leaves the server too little of its processors");
          return;
        }
        assert.deepEqual(Object.keys(statuses), ["200"]);
        assert.deepEqual([...new Set(uploads)], [201]);
        assert.deepEqual([...new Set(messages)], [201]);
        // A machine that does some other work too is slow without an attack.
        const goal = maxMs(proxy, name);
        assert.ok(cachedMs < Math.max(goal, 3 * calm.cachedMs), `${cachedMs} ms cached`);
        assert.ok(uncachedMs < Math.max(goal, 3 * calm.uncachedMs), `${uncachedMs} ms uncached`);
        await server.stop("SIGKILL");
      });
    }
  }
}
