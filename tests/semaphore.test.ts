/** How many requests do something at the same time, and the room for texts. */
import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import { type TestContext, test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { getHeapStatistics } from "node:v8";
import type { Request, Response } from "express";
import { RouterContextProvider } from "react-router";
import { routeContext } from "../app/context.ts";
import { forms } from "../app/forms/all-forms.ts";
import { hasFiles } from "../app/forms/form.ts";
import { rendering } from "../app/rendering.ts";
import { beginInTurns, openPageTurns } from "../app/server/http/turns.ts";
import { maxTextBytes } from "../app/server/intake/form-body.ts";
import { UploadTurns } from "../app/server/intake/upload-turns.ts";
import { Rejection } from "../app/server/rejection.ts";
import { type Release, Semaphore } from "../app/server/semaphore.ts";
import { loadSource } from "./support/source.ts";

/** Returns a semaphore, and a function that asks for a place and records by name who got one. */
function newSemaphore({
  max = 4,
  maxPerClient = 2,
  maxWaitingPerClient = 2,
  maxWaitMs = 60_000,
} = {}) {
  const busy = "Much is asked for.";
  const places = new Semaphore({ max, maxPerClient, maxWaitingPerClient, maxWaitMs, busy });
  const got = new Map<string, Release>();
  const rejected: string[] = [];
  const ask = async (name: string, options = {}) => {
    const asked = places.acquire(name[0]!, options).then(
      (release) => void got.set(name, release),
      () => void rejected.push(name),
    );
    await Promise.race([asked, new Promise(setImmediate)]);
  };
  const give = async (name: string) => {
    got.get(name)!();
    await new Promise(setImmediate);
  };
  return { places, got, rejected, ask, give };
}

test("a request that gets no place is rejected with 503, and may come again after a minute", async () => {
  const { places, ask } = newSemaphore({ max: 1, maxWaitingPerClient: 0 });
  await ask("a1");
  const rejection = new Rejection(503, "busy", "Much is asked for.", { retryAfter: 60 });
  await assert.rejects(places.acquire("b"), rejection);
});

test("one client gets at most its share of the places and of the queue", async () => {
  const { places, got, rejected, ask, give } = newSemaphore();
  for (const name of ["a1", "a2", "a3", "a4", "a5", "b1"]) await ask(name);
  assert.deepEqual(rejected, ["a5"]);
  assert.deepEqual([places.inUse(), places.waiting()], [3, 2]);
  await give("b1");
  assert.deepEqual(
    [...got.keys()],
    ["a1", "a2", "b1"],
    "the client gets no place that another gives back",
  );
});

test("a free place goes to the client with the fewest, then to the one that waited longest", async () => {
  const { got, ask, give } = newSemaphore({ max: 2 });
  for (const name of ["a1", "a2", "a3", "b1", "c1"]) await ask(name);
  for (const name of ["a1", "b1", "a2"]) await give(name);
  assert.deepEqual([...got.keys()], ["a1", "a2", "b1", "c1", "a3"]);
});

test("clients with as few places take turns, however many requests of each wait", async () => {
  const { got, ask, give } = newSemaphore({ max: 1, maxWaitingPerClient: 9 });
  for (const name of ["a1", "b1", "b2", "b3", "c1", "c2", "d1"]) await ask(name);
  for (const name of ["a1", "b1", "c1", "d1", "b2", "c2"]) await give(name);
  assert.deepEqual([...got.keys()], ["a1", "b1", "c1", "d1", "b2", "c2", "b3"]);
});

test("of one client’s requests, those with limits of their own wait under them, and go last", async () => {
  const { got, rejected, ask, give } = newSemaphore({ max: 1, maxWaitingPerClient: 4 });
  const limits = { maxWaitingPerClient: 9, maxWaitMs: 60_000 };
  await ask("a1", { owner: "first" });
  await ask("a2", { owner: "second", limits });
  await ask("a3", { owner: "first" });
  await ask("a4", { owner: "third", limits });
  await ask("a5");
  await ask("a6");
  await ask("a7", { owner: "fourth", limits });
  assert.deepEqual(rejected, ["a6"]);
  for (const name of ["a1", "a3", "a5", "a2", "a4"]) await give(name);
  assert.deepEqual([...got.keys()], ["a1", "a3", "a5", "a2", "a4", "a7"]);
});

test("of one client’s requests, those of an owner that holds no place go first", async () => {
  const limits = { maxWaitingPerClient: 9, maxWaitMs: 60_000 };
  const shared = newSemaphore({ max: 2, maxWaitingPerClient: 9 });
  await shared.ask("a1", { owner: "first" });
  await shared.ask("a2", { owner: "first" });
  await shared.ask("a3", { owner: "first" });
  await shared.ask("a4", { owner: "second", limits });
  await shared.give("a1");
  assert.deepEqual([...shared.got.keys()], ["a1", "a2", "a4"]);
});

test("a newcomer goes before clients that have had a turn while they waited", async () => {
  const { got, ask, give } = newSemaphore({ max: 1, maxWaitingPerClient: 9 });
  for (const name of ["a1", "b1", "b2", "c1", "c2"]) await ask(name);
  for (const name of ["a1", "b1"]) await give(name);
  await ask("d1");
  await give("c1");
  assert.deepEqual([...got.keys()], ["a1", "b1", "c1", "d1"]);
});

test("a place that is given back twice is one place", async () => {
  const { places, got, ask, give } = newSemaphore({ max: 2 });
  for (const name of ["a1", "b1"]) await ask(name);
  await give("a1");
  for (const name of ["a2", "c1"]) await ask(name);
  await give("a1");
  assert.deepEqual([got.has("a2"), got.has("c1"), places.inUse()], [true, false, 2]);
});

test("waiting ends when the client disconnects", async () => {
  const { places, rejected, ask } = newSemaphore({ max: 1 });
  const gone = new AbortController();
  await ask("a1");
  await ask("b1", { signal: gone.signal });
  gone.abort();
  await new Promise(setImmediate);
  assert.deepEqual([rejected, places.waiting()], [["b1"], 0]);
});

test("a client that disconnects gives its place back, even if it did so before it had one", async () => {
  const { places } = newSemaphore();
  const connected = new AbortController();
  await places.acquireUntilAbort("a", { signal: AbortSignal.abort() });
  await places.acquireUntilAbort("a", connected);
  assert.equal(places.inUse(), 1);
  connected.abort();
  assert.equal(places.inUse(), 0);
});

test("waiting ends when its time is up, except for requests to which no limit applies", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const limits = { max: 1, maxWaitMs: 50, maxWaitingPerClient: 1 };
  const { rejected, ask, got, give } = newSemaphore(limits);
  for (const name of ["a1", "c1"]) await ask(name);
  for (const name of ["d1", "d2", "d3"]) await ask(name, { isRejectable: false });
  for (const [ms, names] of [
    [49, []],
    [1, ["c1"]],
  ] as const) {
    t.mock.timers.tick(ms);
    await new Promise(setImmediate);
    assert.deepEqual(rejected, names);
  }
  for (const name of ["a1", "d1", "d2"]) await give(name);
  assert.ok(got.has("d3"));
});

test("a client begins at most eight requests in a turn of the event loop", async () => {
  const beginInTurn = beginInTurns();
  const begun: string[] = [];
  const request = (ip: string) =>
    beginInTurn({ ip } as Request, {} as Response, () => void begun.push(ip));
  for (let count = 0; count < 20; count += 1) request("192.0.2.1");
  request("192.0.2.2");
  const turns = [begun.splice(0)];
  while (turns.flat().length < 21) {
    await new Promise(setImmediate);
    turns.push(begun.splice(0));
  }
  const counts = turns.map((ips) => ips.filter((ip) => ip === "192.0.2.1").length);
  assert.deepEqual(counts, [8, 8, 4]);
  assert.ok(turns[0]!.includes("192.0.2.2"), "another client begins in the first turn");
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

test("an upload that asks again and again, but sends nothing, loses its place to one that waits", async (t) => {
  const { places, wait } = await uploadTurns(t);
  for (let seconds = 0; seconds < 15; seconds += 5) {
    await wait("first");
    t.mock.timers.tick(5_000);
    await new Promise(setImmediate);
  }
  assert.equal(places.waiting(), 0);
  assert.equal(await wait("second"), 1);
});

test("an upload that asks for its turn no longer leaves the queue after a quarter of a minute", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout", "Date"] });
  const { places } = newSemaphore({ max: 1, maxPerClient: 1 });
  const turns = new UploadTurns(places);
  await places.acquire("b");
  const tab = new AbortController();
  const asked = turns.wait("a", "first", tab.signal);
  t.mock.timers.tick(500);
  tab.abort();
  assert.equal(await asked, 0);
  t.mock.timers.tick(14_999);
  assert.equal(places.waiting(), 1, "a tab may come back");
  t.mock.timers.tick(1);
  assert.equal(places.waiting(), 0);
});

test("a server that stops answers the uploads that wait for a turn, so that they ask elsewhere", async () => {
  // They are answered in time also without a stop.
  const atOnce = <Answer>(answer: Promise<Answer>) =>
    Promise.race([answer, new Promise(setImmediate)]);
  const { signal } = new AbortController();
  const { places } = newSemaphore({ max: 1, maxPerClient: 1 });
  const turns = new UploadTurns(places);
  await places.acquire("b");
  const waiting = [turns.wait("a", "first", signal), turns.wait("a", "second", signal)];
  turns.stop();
  assert.deepEqual(await atOnce(Promise.all(waiting)), [0, 0]);
  const another = turns.wait("a", "first", signal);
  assert.equal(await atOnce(another), 0, "one that asks after the stop is answered at once too");
});

/** Turns of the only place, with a function that sends a file in one. The first upload has it, the second waits. */
async function uploadTurns(t: TestContext) {
  t.mock.timers.enable({ apis: ["setTimeout", "Date"] });
  const { signal } = new AbortController();
  const { places } = newSemaphore({ max: 1, maxPerClient: 1 });
  const turns = new UploadTurns(places);
  const wait = (token: string) => turns.wait("a", token, signal);
  const send = async (token: string, length: number) =>
    (await turns.take("a", signal, { token, length }))();
  assert.equal(await wait("first"), 1);
  void wait("second");
  return { places, wait, send };
}

const [small, large] = [1_000, 1_000_000];

test("a turn lasts for several small files, but only for some seconds", async (t) => {
  const { places, wait, send } = await uploadTurns(t);
  for (let seconds = 0; seconds < 6; seconds += 2) {
    await send("first", small);
    assert.equal(places.waiting(), 1, "the place waits for the next file");
    assert.equal(await wait("first"), 1);
    t.mock.timers.tick(2_000);
  }
  await send("first", small);
  assert.equal(places.waiting(), 0);
});

for (const [size, length] of [
  ["a large file", large],
  ["a file whose length is not known", Number.NaN],
] as const) {
  test(`a turn ends with ${size}`, async (t) => {
    const { places, send } = await uploadTurns(t);
    await send("first", length);
    assert.equal(places.waiting(), 0);
  });
}

test("a turn ends if no other file has come within some seconds", async (t) => {
  const { places, send } = await uploadTurns(t);
  await send("first", small);
  assert.equal(places.waiting(), 1);
  t.mock.timers.tick(3_000);
  assert.equal(places.waiting(), 0);
});

/** Pages of these links that read a class of so many marks, with their responses and the reads that have begun. */
function startReading(links: string[], marks: number) {
  const openPage = openPageTurns(async () => () => {});
  const begun: PromiseWithResolvers<void>[] = [];
  const read = () => {
    begun.push(Promise.withResolvers<void>());
    return begun.at(-1)!.promise;
  };
  const responses = links.map((link) => {
    const response = new EventEmitter();
    openPage(link, response as unknown as Response)
      .readClass(read, marks)
      .catch(() => {});
    return response;
  });
  return { begun, responses };
}

test("a link has at most two pages in memory that have read a whole class", async () => {
  const { begun, responses } = startReading(["a", "a", "a"], 10);
  await nextTurn();
  assert.equal(begun.length, 2);
  begun[0]!.resolve();
  responses[0]!.emit("close");
  await nextTurn();
  assert.equal(begun.length, 3);
});

test("a page that ends without its list keeps its place until the list is read", async () => {
  const { begun, responses } = startReading(["a", "a", "a"], 10);
  await nextTurn();
  responses[0]!.emit("close");
  await nextTurn();
  assert.equal(begun.length, 2);
  begun[0]!.resolve();
  await nextTurn();
  assert.equal(begun.length, 3);
});

test("a page that ends while it waits reads no class", async () => {
  const { begun, responses } = startReading(["a", "a", "a"], 10);
  await nextTurn();
  responses[2]!.emit("close");
  responses[0]!.emit("close");
  begun[0]!.resolve();
  await nextTurn();
  assert.equal(begun.length, 2);
});

test("pages on a large class share places over all links, as many as the memory has room for", async () => {
  const links = Array.from({ length: 100 }, (_, index) => String(index));
  const { begun } = startReading(links, 100_000);
  await nextTurn();
  assert.equal(begun.length, Math.floor(getHeapStatistics().heap_size_limit / 200_000_000));
});

/** A page or file that reads a whole class. */
interface ClassRoute {
  loader(args: object): Promise<unknown>;
}

for (const [file, path] of [
  ["results-api.ts", ""],
  ["results-download.ts", ""],
  ["team.tsx", "?link=a&view=preview"],
  ["team-archive.ts", ""],
] as const) {
  test(`app/routes/${file} says how many marks a class has before it reads the class`, async () => {
    const { loader } = await loadSource<ClassRoute>(`/app/routes/${file}`);
    const { promise: counted, resolve } = Promise.withResolvers<number | undefined>();
    const turns = { readClass: async (_read: unknown, marks?: number) => resolve(marks) };
    const services = {
      desk: { findResultsStatus: async () => ({ isSigned: false, markCount: 100_000 }) },
      team: { countMarks: async () => 100_000, findPage: async () => null },
    };
    const context = new RouterContextProvider();
    context.set(rendering, { ...context.get(rendering), turns: turns as never });
    context.set(routeContext, services as never);
    const request = { url: `https://site.example/${path}`, method: "GET" };
    const params = { token: "a", file: "marks", archive: "marks" };
    loader({ request, params, context }).catch(() => {});
    assert.equal(await counted, 100_000);
  });
}
