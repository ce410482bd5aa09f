/** A class list: a table with the columns Number and Name, and File if the names of the files differ. */
import { withoutInvisible } from "../domain/characters.ts";
import type { PreparedClass } from "../domain/desk.ts";
import { withoutExtension } from "../domain/file-name.ts";

export interface ListedLearner {
  number: string;
  name: string;
  /** Empty if the list has no such column. */
  file: string;
}

/** Reads the rows of a list, or says what is wrong, by row. */
export function readClassList(
  rows: string[][],
): { learners: ListedLearner[]; errors?: never } | { errors: string[]; learners?: never } {
  const [head = [], ...body] = rows.map((row) => row.map((cell) => withoutInvisible(cell).trim()));
  const column = (title: string) => head.findIndex((cell) => cell.toLowerCase() === title);
  const [number, name, file] = [column("number"), column("name"), column("file")] as const;
  if (number === -1 || name === -1) {
    return {
      errors: ["row 1: the columns must be called Number and Name, and File if there is one"],
    };
  }
  const learners = body.map((row) => ({
    number: row[number] ?? "",
    name: row[name] ?? "",
    file: row[file] ?? "",
  }));
  const errors = learners.flatMap((learner, index) => {
    const wrong = errorIn(learner, learners.slice(0, index));
    return wrong ? [`row ${index + 2}: ${wrong}`] : [];
  });
  const filled = learners.filter((learner) => !isEmpty(learner));
  if (errors.length === 0 && filled.length === 0) return { errors: ["there are no learners"] };
  return errors.length > 0 ? { errors } : { learners: filled };
}

const isEmpty = ({ number, name, file }: ListedLearner) => `${number}${name}${file}` === "";

function errorIn(learner: ListedLearner, before: ListedLearner[]): string | undefined {
  const { number, name } = learner;
  if (isEmpty(learner)) return undefined;
  if (number === "" || name === "") return "number and name must not be empty";
  if (number.length > 20) return "the number has more than 20 characters";
  if (name.length > 200) return "the name has more than 200 characters";
  if (/[\p{Cc}\p{Cs}\uFFFD]/u.test(number + name))
    return "there is a character that cannot be read";
  return before.some((one) => one.number === number) ? `number ${number} appears twice` : undefined;
}

/**
 * Finds the learners of a list by the names of their files: the file that the list names, or one that is called
 * like the learner or has the number in its name.
 */
export function matchClassList(
  listed: readonly ListedLearner[],
  known: PreparedClass["learners"],
): { found: (ListedLearner & { id: number })[]; missing: ListedLearner[] } {
  const left = new Set(known);
  const take = (matches: (stem: string) => boolean) => {
    const learner = [...left].find(({ fileName }) => matches(plain(withoutExtension(fileName))));
    if (learner) left.delete(learner);
    return learner;
  };
  // A name says more than a number that may be part of something else.
  const ids = new Map<ListedLearner, number>();
  for (const one of listed) {
    const stem = plain(one.file ? withoutExtension(one.file) : one.name);
    const learner = take((own) => own === stem);
    if (learner) ids.set(one, learner.id);
  }
  for (const one of listed) {
    if (ids.has(one) || one.file) continue;
    const learner = take((own) => own.split(" ").includes(plain(one.number)));
    if (learner) ids.set(one, learner.id);
  }
  return {
    found: listed.flatMap((one) => (ids.has(one) ? { ...one, id: ids.get(one)! } : [])),
    missing: listed.filter((one) => !ids.has(one)),
  };
}

/** Words only: “Dlamini_N-01” is “dlamini n 01”. */
const plain = (text: string) =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
