/** Returns the first `max` texts, and a last one such as "and 3 more" if there are others. */
export function firstOf(all: readonly string[], max: number): string[] {
  const more = all.length - max;
  return [...all.slice(0, max), ...(more > 0 ? [`and ${more} more`] : [])];
}
