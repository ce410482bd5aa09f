import assert from "node:assert/strict";
import { test } from "node:test";
import { pageHandler } from "../app/server/http/pages.ts";

test("a page whose client left while it waited for its turn is not rendered", async () => {
  const response = { closed: false, locals: {}, set: () => assert.fail("It is rendered.") };
  const openTurns = () => ({
    begin: async () => {
      response.closed = true;
    },
  });
  const request = { path: "/", url: "/?results=a", get: () => undefined };
  const args = [{}, {}, openTurns] as unknown as Parameters<typeof pageHandler>;
  const handle = pageHandler(...args) as (...given: unknown[]) => Promise<void>;
  await handle(request, response, assert.fail);
});
