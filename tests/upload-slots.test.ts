/** Who gets an upload slot, and who loses it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Slot, type SlotLimits, Slots } from "../app/server/intake/slots.ts";
import { Rejection } from "../app/server/rejection.ts";

const open = (more: Partial<SlotLimits> = {}) =>
  new Slots({ slots: 2, perClient: 2, queue: 4, timeoutMs: 30_000, ...more });

/** Lets an upload measure its pace for some seconds; returns whether it had to yield. */
const measure = (slot: Slot, bytesPerSecond: number, seconds = 10) =>
  Array.from({ length: seconds }, () => slot.mustYield(bytesPerSecond)).includes(true);

/** A client that takes slots; `got` has those that it was given, `failed` counts its rejections. */
function newClient(slots: Slots, address: string) {
  const abort = new AbortController();
  const client = {
    got: [] as Slot[],
    failed: 0,
    leave: () => abort.abort(),
    async take() {
      const taken = slots.take(address, abort.signal).then(
        (slot) => void client.got.push(slot),
        (error) => {
          assert.equal((error as Rejection).code, "busy");
          assert.ok(error instanceof Rejection && error.status === 503);
          client.failed += 1;
        },
      );
      await Promise.race([taken, new Promise(setImmediate)]);
    },
  };
  return client;
}

test("a slow upload keeps its slot while no other client waits for it", async () => {
  const slots = open();
  const [slow, other] = [newClient(slots, "a"), newClient(slots, "b")];
  await slow.take();
  assert.equal(measure(slow.got[0]!, 600, 100), false);
  await other.take();
  assert.equal(measure(slow.got[0]!, 600, 100), false);
  await slow.take();
  assert.equal(measure(slow.got[0]!, 600, 100), false, "its own address waits");
  slow.leave();
});

test("a client whose share is used up takes no slot from a slow upload", async () => {
  const slots = open({ slots: 3 });
  const [many, slow] = [newClient(slots, "a"), newClient(slots, "b")];
  await slow.take();
  for (let count = 0; count < 3; count += 1) await many.take();
  assert.equal(slots.waiting(), 1);
  assert.equal(measure(slow.got[0]!, 600, 100), false);
  many.leave();
});

test("while another client waits, the slowest upload below 20 kB/s yields, after ten seconds, and no other", async () => {
  const slots = open({ slots: 3 });
  const [fast, slow, slowest] = ["a", "b", "c"].map((address) => newClient(slots, address));
  const all = [fast!, slow!, slowest!];
  for (const client of all) await client.take();
  const waiting = newClient(slots, "d");
  await waiting.take();
  for (const [client, pace] of [
    [fast, 20_000],
    [slow, 19_000],
    [slowest, 600],
  ] as const) {
    assert.equal(measure(client!.got[0]!, pace, 9), false, "not measured for long enough");
  }
  assert.equal(measure(fast!.got[0]!, 20_000, 5), false);
  assert.equal(slowest!.got[0]!.mustYield(600), true);
  assert.equal(measure(slow!.got[0]!, 19_000), false, "one slot for one that waits");
  slowest!.got[0]!.release();
  await new Promise(setImmediate);
  assert.equal(waiting.got.length, 1);
  assert.equal(measure(slow!.got[0]!, 19_000), false, "nobody waits any more");
});

test("the pace is that of the last ten seconds, so a fast start does not hold a slot", async () => {
  const slots = open({ slots: 1 });
  const [slow, waiting] = [newClient(slots, "a"), newClient(slots, "b")];
  await slow.take();
  await waiting.take();
  assert.equal(slow.got[0]!.mustYield(50_000_000), false);
  assert.equal(measure(slow.got[0]!, 600, 9), false);
  assert.equal(slow.got[0]!.mustYield(600), true);
  waiting.leave();
});

test("a free slot goes to the client with the fewest uploads, then to the one that waited longest", async () => {
  const slots = open({ slots: 3 });
  const [many, second, third] = ["a", "b", "c"].map((address) => newClient(slots, address));
  await second!.take();
  await many!.take();
  await many!.take();
  for (const client of [second!, third!]) await client.take();
  many!.got[0]!.release();
  await new Promise(setImmediate);
  assert.deepEqual([second!.got.length, third!.got.length], [1, 1]);
  second!.got[0]!.release();
  await new Promise(setImmediate);
  assert.deepEqual([second!.got.length, third!.got.length], [2, 1]);
});

test("in a full queue a newcomer takes the last place of the client that has most", async () => {
  const slots = open({ slots: 1, queue: 5 });
  const [first, many, newcomer, last] = ["a", "b", "c", "d"].map((address) =>
    newClient(slots, address),
  );
  await first!.take();
  for (let count = 0; count < 4; count += 1) await many!.take();
  await first!.take();
  assert.deepEqual([slots.waiting(), many!.failed], [5, 0]);
  await newcomer!.take();
  assert.deepEqual([slots.waiting(), many!.failed, newcomer!.failed], [5, 1, 0]);
  await newcomer!.take();
  assert.deepEqual([slots.waiting(), many!.failed, newcomer!.failed], [5, 2, 0]);
  await newcomer!.take();
  assert.deepEqual([slots.waiting(), many!.failed, newcomer!.failed], [5, 2, 1]);
  await last!.take();
  assert.deepEqual([slots.waiting(), many!.failed, last!.failed], [5, 3, 0]);
  for (const client of [first!, many!, newcomer!, last!]) client.leave();
});
