import type { TestContext } from "node:test";
import type { Operations } from "../../db/store.ts";
import { type OpenedStore, openStore } from "./store.ts";

/** Names of the operations that the tests have called. */
export const called = new Set<string>();

/** What set-ups have returned and stored, by their names. */
const setUps = new Map<string, { result: unknown; kept: string }>();

/**
 * A recorded store after a set-up, with what that returned. It runs once for all tests that name it, because operations
 * take longer than a copy of what they have stored.
 */
export async function openAfter<Result>(
  t: TestContext,
  name: string,
  setUp: (store: Operations) => Promise<Result>,
): Promise<OpenedStore & { result: Result }> {
  const earlier = setUps.get(name);
  const opened = await openRecorded(t, earlier?.kept);
  if (earlier) return { ...opened, result: structuredClone(earlier.result) as Result };
  const result = await setUp(opened.store);
  setUps.set(name, { result: structuredClone(result), kept: await opened.keep() });
  return { ...opened, result };
}

/** A store that records which of its operations are called. @param kept see `openStore` */
export async function openRecorded(t: TestContext, kept?: string): Promise<OpenedStore> {
  const opened = await openStore(t, kept);
  const store = new Proxy(opened.store, {
    get(target, name: keyof Operations) {
      called.add(name);
      return target[name];
    },
  });
  return { ...opened, store };
}
