/** The order of learners on the marking desk and the team’s page. */

/** A key by which texts sort as people expect: 9 before 10, é beside e. Cheaper than a collator for 1,000 learners. */
export const naturalKey = (text: string) =>
  text
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/\d+/g, (digits) => digits.padStart(15, "0"));

export const compareKeys = (one: string, other: string): number =>
  Number(one > other) - Number(one < other);

/** Orders learners by number, or by name where names are shown. */
export function inDeskOrder<Learner extends { studentName: string; learnerNumber?: string | null }>(
  learners: readonly Learner[],
  { showsNames }: { showsNames: boolean },
): Learner[] {
  return learners
    .map((learner) => {
      const number = naturalKey(learner.learnerNumber ?? "");
      // NUL sorts before other characters, so a name comes before a longer one that begins with it.
      const key = showsNames ? `${naturalKey(learner.studentName)}\0${number}` : number;
      return { learner, key };
    })
    .sort((one, other) => compareKeys(one.key, other.key))
    .map(({ learner }) => learner);
}
