/** How clients share the front door: connections, memory for texts, and places for renders. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { forms } from "../app/forms/all-forms.ts";
import { hasFiles } from "../app/forms/form.ts";
import { FairShare } from "../app/server/fair-share.ts";
import { RenderQueue } from "../app/server/http/render-queue.ts";
import { maxTextBytes } from "../app/server/intake/form-body.ts";
import { Rejection } from "../app/server/rejection.ts";

/** Returns a share, and a function that takes from it and records what is revoked, by name. */
function shareOf(max: number) {
  const share = new FairShare(max);
  const revoked: string[] = [];
  const take = (name: string, { amount = 1, isIdle = false } = {}) =>
    share.take({
      client: name[0]!,
      amount,
      isIdle: () => isIdle,
      revoke: () => revoked.push(name),
    });
  return { share, take, revoked };
}

test("one client may take all while no other asks, then gives back what others need", () => {
  const { take, revoked } = shareOf(4);
  for (const name of ["a1", "a2", "a3", "a4"]) assert.ok(take(name));
  assert.deepEqual(revoked, []);
  for (const name of ["b1", "b2"]) assert.ok(take(name));
  assert.deepEqual(revoked, ["a1", "a2"]);
  assert.ok(take("c1"), "a and b hold two each");
  assert.equal(revoked.length, 3);
});

test("a client that holds most makes room for itself alone", () => {
  const { take, revoked } = shareOf(4);
  for (const name of ["a1", "a2", "a3", "b1"]) take(name);
  assert.ok(take("a4"));
  assert.ok(take("a5"));
  assert.deepEqual(revoked, ["a1", "a2"]);
});

test("what is idle is revoked first", () => {
  const { take, revoked } = shareOf(3);
  take("a1");
  take("a2", { isIdle: true });
  take("a3");
  take("b1");
  assert.deepEqual(revoked, ["a2"]);
});

test("when each of many clients holds one, a further client gets nothing", () => {
  const { take, revoked } = shareOf(3);
  for (const name of ["a1", "b1", "c1"]) take(name);
  assert.equal(take("d1"), undefined);
  assert.deepEqual(revoked, []);
});

test("amounts count, not holders; what was given back or revoked counts no more", () => {
  const { take, revoked } = shareOf(100);
  const releaseSmall = ["a1", "a2", "a3"].map((name) => take(name, { amount: 10 })!);
  const releaseLarge = take("b1", { amount: 60 })!;
  assert.ok(take("c1", { amount: 30 }));
  assert.deepEqual(revoked, ["b1"]);
  releaseLarge();
  for (const release of releaseSmall) for (const _ of [1, 2]) release();
  assert.ok(take("d1", { amount: 70 }), "30 are held by c");
  assert.deepEqual(revoked, ["b1"]);
  assert.equal(take("e1", { amount: 101 }), undefined, "more than there is");
});

test("the client that holds least is next", () => {
  const { share, take } = shareOf(10);
  for (const name of ["a1", "a2", "b1", "b2"]) take(name);
  const releaseOnly = take("c1")!;
  assert.equal(share.next()?.client, "c");
  releaseOnly();
  assert.equal(share.next()?.client, "a");
});

const never = () => new AbortController().signal;

test("8 pages are rendered at a time and 64 wait; further ones are rejected with 503", async () => {
  const renders = new RenderQueue();
  const running = await Promise.all(Array.from({ length: 8 }, () => renders.take("a", never())));
  const started: number[] = [];
  const outcomes = Array.from({ length: 66 }, (_, number) =>
    renders.take("a", never()).then(
      (release) => {
        started.push(number);
        return release;
      },
      (error: Rejection) => error,
    ),
  );
  for (let turn = 0; turn < 5; turn += 1) await nextTurn();
  assert.deepEqual(started, []);
  for (const rejected of await Promise.all(outcomes.slice(0, 2))) {
    assert.ok(rejected instanceof Rejection);
    assert.equal(rejected.status, 503);
    assert.equal(rejected.retryAfter, 60);
  }
  for (const _ of [1, 2]) running[0]!();
  for (let turn = 0; turn < 5; turn += 1) await nextTurn();
  assert.deepEqual(started, [2], "one place was free, although it was given back twice");
});

test("a client that waits for one page goes before one that waits for many, and can always wait", async () => {
  const renders = new RenderQueue();
  const [first] = await Promise.all(Array.from({ length: 8 }, () => renders.take("a", never())));
  const crowd = Array.from({ length: 64 }, () =>
    renders.take("a", never()).catch(() => "rejected"),
  );
  const other = renders.take("b", never());
  assert.equal(await crowd[0], "rejected");
  first!();
  assert.equal(typeof (await other), "function");
});

test("posts are never rejected; pages and posts take turns, each the client with the fewest first", async () => {
  const renders = new RenderQueue();
  const running = await Promise.all(Array.from({ length: 8 }, () => renders.take("a", never())));
  const started: string[] = [];
  for (let post = 0; post < 200; post += 1) {
    void renders.takeForPost("a").then(() => started.push("post of a"));
  }
  for (const _ of [1, 2]) void renders.take("a", never()).then(() => started.push("page of a"));
  void renders.takeForPost("b").then(() => started.push("post of b"));
  for (const release of running.slice(0, 4)) release();
  for (let turn = 0; turn < 10; turn += 1) await nextTurn();
  assert.deepEqual(started.toSorted(), ["page of a", "page of a", "post of a", "post of b"]);
  assert.ok(started.indexOf("post of b") < started.indexOf("post of a"));
});

test("a client that disconnects while it waits frees its place", async () => {
  const renders = new RenderQueue();
  const [first] = await Promise.all(Array.from({ length: 8 }, () => renders.take("a", never())));
  const gone = new AbortController();
  const waiting = Array.from({ length: 64 }, () => renders.take("a", gone.signal));
  gone.abort();
  for (const one of waiting) await assert.rejects(one, Rejection);
  const next = renders.take("a", never());
  first!();
  assert.equal(typeof (await next), "function");
});

test("twice the longest form without files fits into a text body, in every encoding", () => {
  for (const form of Object.values(forms)) {
    if (hasFiles(form)) continue;
    // Three bytes in UTF-8: the longest encoding of one character in a text's length.
    const typed = Object.entries(form.fields).map(([name, { max }]) => [name, "ල".repeat(2 * max)]);
    const urlEncoded = new URLSearchParams(typed).toString().length;
    const escaped = JSON.stringify(Object.fromEntries(typed)).length * 6;
    assert.ok(urlEncoded < maxTextBytes, `${form.name}: ${urlEncoded} bytes`);
    assert.ok(escaped < maxTextBytes, `${form.name}: ${escaped} bytes as JSON`);
  }
});
