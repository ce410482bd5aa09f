/** What a class list changes, as sentences. */
import { counted } from "../domain/counted.ts";
import type { ClassPlan } from "./class-plan.ts";

const nameOf = ({ name }: { name: string }) => name;
const fileNameOf = ({ fileName }: { fileName: string }) => fileName;

/** Returns a sentence that lists the items, followed by the advice; an empty array if there are no items. */
export const listSentence = (what: string, items: string[], advice = "") =>
  items.length > 0 ? [`${what}: ${items.join(", ")}.${advice}`] : [];

/** Says which learners would get work, lose a number that a list gave, or be removed. */
export function changesIn({ learners, removed, unlisted }: ClassPlan): string[] {
  return [
    ...learners.flatMap(({ number, name, fileName, joined, files }) => {
      const others = [...joined.map(fileNameOf), ...files.map(nameOf)];
      if (others.length === 0) return [];
      const all = [...(fileName ? [fileName] : []), ...others].join(" and ");
      const verb = others.length === 1 && !fileName ? "becomes" : "become";
      return [`${all} ${verb} the work of ${number} ${name}.`];
    }),
    ...unlisted.flatMap(({ number, isNumberListed, name }) => {
      const other = isNumberListed && learners.find((one) => one.number === number);
      return other
        ? [`The number ${number} goes from ${name}, who is not on the list, to ${other.name}.`]
        : [];
    }),
    ...listSentence(
      "Removed from the desk, because they are not on the list",
      removed.map(fileNameOf),
      " Files stay with the request: a row whose column File names one gives it to a learner again.",
    ),
  ];
}

/** Says how many learners a list has named and added. */
export function namedAndAdded({ learners }: ClassPlan): string[] {
  const added = learners.filter(({ learnerId, files }) => learnerId === null && files.length === 0);
  return [
    `${counted(learners.length - added.length, "learner")} named.`,
    ...(added.length > 0 ? [`${counted(added.length, "learner")} added.`] : []),
  ];
}

/**
 * Names rows without work, work without a row, and the rows that such work may belong to.
 * @param howToAdd says how rows without work are added; undefined if they were added
 */
export function leftOpen(plan: ClassPlan, howToAdd: string | undefined): string[] {
  const { missing, noSuchFile, removed, unlisted, unused, likely } = plan;
  const withoutFile = missing.filter((row) => !noSuchFile.includes(row));
  // While some work has no row, do not advise adding rows: the learner of that work could be added a second time.
  const isUnmatched = unused.length > 0 || [...removed, ...unlisted].some((one) => one.hasWork);
  const advice = missing.length > 0 && !isUnmatched ? howToAdd : undefined;
  return [
    ...noSuchFile.map(
      ({ number, name, file }) =>
        `The request has no file ${file}, which the list has for ${number} ${name}.`,
    ),
    ...listSentence("On the list without a file", withoutFile.map(nameOf)),
    ...(advice === undefined ? [] : [advice]),
    ...listSentence("Not on the list", unlisted.map(fileNameOf)),
    ...listSentence("Files that no learner has", unused.map(nameOf)),
    ...[...Map.groupBy(likely, ({ fileName }) => fileName)].map(([fileName, rows]) => {
      const learners = rows.map(({ number, name }) => `${number} ${name}`).join(" or ");
      return `${fileName} may be the work of ${learners}: say so in the column File.`;
    }),
  ];
}
