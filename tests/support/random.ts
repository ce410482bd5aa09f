/** Returns a source of whole numbers below a limit, which are always the same for a seed. */
export function randomFrom(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    // The low bits repeat after few steps.
    return Math.floor((state / 2 ** 32) * limit);
  };
}
