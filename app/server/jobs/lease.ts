import { randomUUID } from "node:crypto";
import type { Store } from "#db/store.ts";

/** The lease is renewed before each step of the work, which takes less than this. */
const leaseSeconds = 10 * 60;

/**
 * Returns a function that does work under a lease, so that only one server does it at a time. The function resolves
 * with undefined if another server has the lease.
 */
export function leaseFor(store: Pick<Store, "takeLease">, name: string) {
  const holder = randomUUID();
  const takeOrRenew = () => store.takeLease(name, holder, leaseSeconds);
  return async <Result>(
    closing: AbortSignal,
    work: (mayContinue: () => Promise<boolean>) => Promise<Result>,
  ): Promise<Result | undefined> => {
    if (!(await takeOrRenew())) return undefined;
    const mayContinue = async () => !closing.aborted && (await takeOrRenew());
    return work(mayContinue).finally(() => store.takeLease(name, holder, 0));
  };
}
