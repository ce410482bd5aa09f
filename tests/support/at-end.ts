import { after, type TestContext } from "node:test";

type Cleanup = () => unknown;

/** What a cleanup belongs to: a test, or the whole file. */
export type Scope = Pick<TestContext, "after">;

const endsOfFile: Cleanup[] = [];

/** The hook is registered here, because a hook registered inside a test runs after that test. */
after(async () => {
  for (const end of endsOfFile) await end();
});

/** In place of a test's context: cleanups run after the last test of the file. */
export const wholeFile: Scope = {
  after: (cleanup) => {
    endsOfFile.push(cleanup as Cleanup);
  },
};

const cleanupsOf = new WeakMap<Scope, Cleanup[]>();

/**
 * Runs a cleanup after the test, the latest first: a page is closed before the server that it loads
 * from. All cleanups run even if one fails; the first failure fails the test.
 */
export function atEnd(t: Scope, cleanup: Cleanup): void {
  const existing = cleanupsOf.get(t);
  if (existing) {
    existing.push(cleanup);
    return;
  }
  const cleanups = [cleanup];
  cleanupsOf.set(t, cleanups);
  t.after(async () => {
    const failures: unknown[] = [];
    for (const cleanup of cleanups.reverse()) {
      try {
        await cleanup();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  });
}
