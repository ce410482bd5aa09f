/** Pages of large classes: late, and to clients that do not read them. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { test } from "node:test";
import { atEnd } from "../support/at-end.ts";
import { whileLocked } from "../support/postgres.ts";
import { hundredQuestions, publishClass } from "../support/results.ts";
import { type Server, sharedServer } from "../support/server.ts";

process.env.TEST_ENGINE = "postgres";

/** Publishes a class of 500 learners with 100 questions each. Returns the path of its page. */
const publishLargeClass = (server: Server): Promise<string> =>
  publishClass(server, 500, (names) => hundredQuestions(names, { marksAwarded: 2 }));

test("a page that waited long for a large class has all of it, or says that it has none", async () => {
  const server = await sharedServer();
  const path = await publishLargeClass(server);
  // A page waits for six seconds, and is then rendered for one on a machine with nothing else to do, for more on others.
  for (const heldMs of [4500, 5500]) {
    let response: Response;
    await whileLocked(server.databaseUrl!, "class_jobs", async () => {
      response = await fetch(server.url + path);
      await new Promise((resolve) => setTimeout(resolve, heldMs));
    });
    const html = await response!.text();
    const learners = html.match(/<th scope="row"><a/g)?.length ?? 0;
    assert.ok(
      learners === 500 || (learners === 0 && html.includes("Load the whole page")),
      `held for ${heldMs} ms: ${learners} learners`,
    );
  }
});

test("of a link, at most four pages of a class that clients do not read are in memory", async (t) => {
  const server = await sharedServer();
  const path = (await publishLargeClass(server)).replace("#demo", "&slips=1");
  const open = () => {
    const socket = connect(Number(new URL(server.url).port), "127.0.0.1");
    atEnd(t, () => socket.destroy());
    socket.write(`GET ${path} HTTP/1.1\r\nHost: ${new URL(server.url).host}\r\n\r\n`);
    const begun = once(socket, "readable");
    return { socket, begun };
  };
  const four = [open(), open(), open(), open()];
  await Promise.all(four.map(({ begun }) => begun));
  const fifth = open();
  const soon = new Promise<"waits">((resolve) => setTimeout(resolve, 5000, "waits"));
  assert.equal(await Promise.race([fifth.begun, soon]), "waits");
  four[0]!.socket.destroy();
  await fifth.begun;
});
