/** The order of learners on the marking desk. */

/** Compares as people count: 9 before 10. Loads ICU's data, which takes 10 ms: not at the start. */
export const naturalOrder = () => new Intl.Collator("en", { numeric: true }).compare;

/** Orders learners by number, or by name where names are shown. */
export function inDeskOrder<Learner extends { studentName: string; learnerNumber?: string }>(
  learners: readonly Learner[],
  { showsNames }: { showsNames: boolean },
): Learner[] {
  const compare = naturalOrder();
  return learners.toSorted(
    (one, other) =>
      (showsNames && compare(one.studentName, other.studentName)) ||
      compare(one.learnerNumber ?? "", other.learnerNumber ?? ""),
  );
}
