/** Returns a function that computes its value at the first call and keeps it. */
export function once<Value>(compute: () => Value): () => Value {
  let kept: { value: Value } | undefined;
  return () => {
    kept ??= { value: compute() };
    return kept.value;
  };
}
