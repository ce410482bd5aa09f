import type { TestContext } from "node:test";

type Cleanup = () => unknown;
const cleanupsOf = new WeakMap<TestContext, Cleanup[]>();

/**
 * Runs a cleanup after the test, the latest first: a page is closed before the server that it loads
 * from. All cleanups run even if one fails; the first failure fails the test.
 */
export function atEnd(t: TestContext, cleanup: Cleanup): void {
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
