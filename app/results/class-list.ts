/** A class list: a table with the columns Number and Name, and File if the names of the files differ. */
import { isReadableLine, withoutInvisible } from "../domain/characters.ts";

/** Maximum bytes of a file, or characters of a text, with a list: enough for about a thousand learners with files. */
export const maxClassListBytes = 60_000;

export interface ListedLearner {
  number: string;
  name: string;
  /** Name of the learner's file; empty if the list names none. */
  file: string;
}

/** What a list says of a learner, besides the file. */
export type ListedDetails = Omit<ListedLearner, "file">;

/** In characters. */
const maxLengths: Record<keyof ListedDetails, number> = { number: 20, name: 200 };
export const listedFields = Object.keys(maxLengths) as (keyof ListedDetails)[];

/** Reads the rows of a list without the empty ones, or says what is wrong, by row. */
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
    file: file === -1 ? "" : (row[file] ?? ""),
  }));
  const numbersBefore = new Set<string>();
  const errors = learners.flatMap((learner, index) => {
    const wrong = errorIn(learner, numbersBefore);
    numbersBefore.add(learner.number);
    return wrong ? [`row ${index + 2}: ${wrong}`] : [];
  });
  const filled = learners.filter((learner) => !isEmpty(learner));
  if (errors.length === 0 && filled.length === 0) return { errors: ["there are no learners"] };
  return errors.length > 0 ? { errors } : { learners: filled };
}

const isEmpty = (learner: ListedLearner) => Object.values(learner).every((cell) => cell === "");

function errorIn(learner: ListedLearner, numbersBefore: ReadonlySet<string>): string | undefined {
  const { number, name } = learner;
  if (isEmpty(learner)) return undefined;
  if (number === "" || name === "") return "number and name must not be empty";
  const long = listedFields.find((field) => learner[field].length > maxLengths[field]);
  if (long) return `the ${long} has more than ${maxLengths[long]} characters`;
  if (!listedFields.every((field) => isReadableLine(learner[field]))) {
    return "there is a character that cannot be read";
  }
  return numbersBefore.has(number) ? `number ${number} appears twice` : undefined;
}
