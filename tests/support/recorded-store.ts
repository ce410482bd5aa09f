import type { TestContext } from "node:test";
import type { Operations } from "../../db/store.ts";
import { type OpenedStore, openStore } from "./store.ts";

/** Names of the operations that the tests have called. */
export const called = new Set<string>();

/** A store that records which of its operations are called. */
export async function openRecorded(t: TestContext): Promise<OpenedStore> {
  const opened = await openStore(t);
  const store = new Proxy(opened.store, {
    get(target, name: keyof Operations) {
      called.add(name);
      return target[name];
    },
  });
  return { ...opened, store };
}
