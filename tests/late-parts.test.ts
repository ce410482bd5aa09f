import assert from "node:assert/strict";
import { test } from "node:test";
import { RouterContextProvider } from "react-router";
import { wholePageHeader } from "../app/domain/late.ts";
import { cacheable, inTime, rendering } from "../app/rendering.ts";

test("a page that a script fetches waits for its list, which no script would insert", async () => {
  const context = new RouterContextProvider();
  context.set(rendering, { ...cacheable, streaming: { nonce: "", allowScripts() {} } });
  const list = Promise.withResolvers<string>();
  const find = (headers: Record<string, string>) =>
    inTime(list.promise, { request: new Request("http://localhost/blog", { headers }), context });
  const fetched = find({ [wholePageHeader]: "1" });
  assert.ok("late" in (await find({})));
  list.resolve("the list");
  assert.deepEqual(await fetched.then((part) => "ready" in part && part.ready), "the list");
});
