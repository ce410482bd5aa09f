import assert from "node:assert/strict";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import express from "express";
import { dayMs } from "../app/domain/duration.ts";
import { PageCache } from "../app/server/http/page-cache.ts";
import type { Log } from "../app/server/log.ts";

test("a page of more than half of the cache's size replaces itself when it is too old", async (t) => {
  let rendered = 0;
  const render = async () => {
    rendered += 1;
    return new Response(Buffer.alloc(33 * 1_048_576));
  };
  const rules = { paths: new Map([["/", {}]]), isUncacheable: () => false };
  const cache = new PageCache({ rules, headers: {}, render, log: {} as Log });
  const server = express().use(cache.pages).listen(0, "127.0.0.1");
  t.after(() => server.close());
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const get = () => fetch(url, { method: "HEAD" });
  await get();
  t.mock.timers.enable({ apis: ["Date"], now: Date.now() + dayMs });
  await get();
  await get();
  assert.equal(rendered, 2);
});
