import type { TestContext } from "node:test";

type End = () => unknown;
const endsOf = new WeakMap<TestContext, End[]>();

/**
 * Ends what a test has opened when it is over, the latest first: a page before the server that it may
 * still load from. All are ended, whatever fails; the first failure is the test's.
 */
export function atEnd(t: TestContext, end: End): void {
  const opened = endsOf.get(t);
  if (opened) {
    opened.push(end);
    return;
  }
  const ends = [end];
  endsOf.set(t, ends);
  t.after(async () => {
    const failures: unknown[] = [];
    for (const end of ends.reverse()) {
      try {
        await end();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  });
}
