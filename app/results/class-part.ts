/** Parts of a class, as people type them: `1-3` or `1.1, 2`. */
import type { Wrong } from "./typed-decision.ts";

/**
 * The questions of a typed list. `1` is question 1 with its parts, such as 1.1 and 1a; `1-3` begins with the first part
 * of 1 and ends with the last part of 3.
 */
export function questionsIn(typed: string, numbers: readonly string[]): string[] | Wrong {
  const matching = (text: string) =>
    numbers.flatMap((number, index) =>
      number === text || (number.startsWith(text) && /^\D/.test(number.slice(text.length)))
        ? index
        : [],
    );
  return partOf(typed, numbers, (first, last) => {
    const [from, to] = [matching(first), matching(last)];
    if (from.length === 0 || to.length === 0) return [];
    // A single number means all of its parts, also where they do not follow each other.
    if (first === last) return from.map((index) => numbers[index]!);
    return numbers.slice(from[0]!, to.at(-1)! + 1);
  });
}

/** The learners of a typed list of numbers; a range needs whole numbers. */
export const learnersIn = (typed: string, numbers: readonly string[]): string[] | Wrong =>
  partOf(typed, numbers, (first, last) =>
    first === last
      ? numbers.filter((number) => number === first)
      : numbers.filter(
          (number) =>
            /^\d+$/.test(number) &&
            Number(number) >= Number(first) &&
            Number(number) <= Number(last),
        ),
  );

/** Resolves each number or range of a typed list with `find`, and returns what was found in the order of `numbers`. */
function partOf(
  typed: string,
  numbers: readonly string[],
  find: (first: string, last: string) => string[],
): string[] | Wrong {
  const found = new Set<string>();
  for (const item of typed.split(",").map((one) => one.trim())) {
    const ends = numbers.includes(item) ? [item] : item.split(/[-–]/).map((one) => one.trim());
    const [first, last = first] = ends;
    const some = first && last && ends.length <= 2 ? find(first, last) : [];
    if (some.length === 0)
      return { error: `There is none for “${item}”; there are: ${numbers.join(", ")}.` };
    for (const number of some) found.add(number);
  }
  return numbers.filter((number) => found.has(number));
}
