/** The first of many texts, and how many more there are. */
export function firstOf(all: readonly string[], max: number): string[] {
  const more = all.length - max;
  return [...all.slice(0, max), ...(more > 0 ? [`and ${more} more`] : [])];
}
