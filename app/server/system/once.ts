/** Returns a function that computes a value at the first call, and returns the same value at each call after. */
export function once<Value>(compute: () => Value): () => Value {
  let kept: { value: Value } | undefined;
  return () => {
    kept ??= { value: compute() };
    return kept.value;
  };
}

/**
 * Returns a function that runs `work` at most once a second, and returns the latest result in
 * between. After an error the next call runs it again.
 */
export function onceASecond<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let startedAt = Number.NEGATIVE_INFINITY;
  let result: Promise<Result>;
  return () => {
    if (performance.now() - startedAt > 1000) {
      startedAt = performance.now();
      result = work();
      result.catch(() => {
        startedAt = Number.NEGATIVE_INFINITY;
      });
    }
    return result;
  };
}
