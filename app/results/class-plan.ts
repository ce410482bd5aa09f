/** Plans what a class list does to a class: which learner, and which files, each row of it gets. */
import { withoutExtension } from "../domain/file-name.ts";
import type { Signature } from "../domain/result.ts";
import type { ListedDetails, ListedLearner } from "./class-list.ts";
import { isAnotherName, sortedWords, words } from "./mark-column.ts";

/** A learner of the class before the list. */
export interface ClassLearner {
  id: number;
  number: string;
  /** Whether a class list gave the number. */
  isNumberListed: boolean;
  name: string;
  /** The name of the learner's file; of several, their names with “ + ” between them. */
  fileName: string;
  hasWork: boolean;
  /** Whether a mark is decided, or an answer has the mark of a second marker. */
  hasDecision: boolean;
}

/** A file of the request that no learner has. */
export interface UnusedFile {
  fileId: number;
  name: string;
}

/** A learner of the list as they will be stored. */
export interface PlannedLearner extends ListedDetails {
  /** The learner of the class who gets number and name; null if the learner is new. */
  learnerId: number | null;
  /** The names of the learner's files before the list; empty if there is no work. */
  fileName: string;
  /** Learners who are removed, because their work becomes this learner’s. */
  joined: ClassLearner[];
  /** Files that no learner had. */
  files: UnusedFile[];
}

export interface ClassPlan {
  learners: PlannedLearner[];
  /** Rows with neither a learner nor a file, which are not added. */
  missing: ListedLearner[];
  /** Rows whose column File names no file of the request. */
  noSuchFile: ListedLearner[];
  /** Learners who are removed, because they are not on the list. Their files stay with the request. */
  removed: ClassLearner[];
  /** Learners who stay although they are not on the list. */
  unlisted: ClassLearner[];
  /** Files that no learner has or gets, without those of the removed learners. */
  unused: UnusedFile[];
  /** Each file that no row gets, with each row that it may belong to. */
  likely: { number: string; name: string; fileName: string }[];
}

export interface ClassListOptions {
  /** Adds rows with neither a learner nor a file as learners without work. */
  adds?: boolean;
  /** Removes learners who are not on the list and have no decision. */
  removesOthers?: boolean;
}

export type ClassListOutcome =
  /** Nothing was stored. The version changes with the plan. */
  | { outcome: "preview"; version: string; plan: ClassPlan }
  /** `isRepeated` if the class was already as the list would leave it. */
  | { outcome: "stored"; plan: ClassPlan; isRepeated?: true }
  /** Sentences about rows; nothing was stored. */
  | { outcome: "rejected"; errors: string[] }
  /** The class has changed since the preview; nothing was stored. */
  | { outcome: "changed" }
  /** The list changes more than numbers and names, and the marks are signed; nothing was stored. */
  | { outcome: "signed"; signature: Signature };

/** A name, and the words by which rows are compared with it. */
interface Name {
  /** The name as it is written. */
  name: string;
  /** The words in their order, each between spaces. */
  text: string;
  /** The words, each once, sorted. */
  words: string[];
}

/** A learner or an unused file, and the names that a row can find it by. */
type Work = ({ learner: ClassLearner; file?: never } | { file: UnusedFile; learner?: never }) & {
  /** The first is the name of all files together, such as “a.pdf + b.pdf”. */
  names: Name[];
};

interface Row {
  listed: ListedLearner;
  /** The words of the number, each between spaces. */
  number: string;
  /** The words of the name, each once, sorted. */
  words: string[];
}

type Claims = Map<Work, Row>;

/**
 * Plans a list whose rows get the work that `claimsOf` finds for them; several works of one row are joined.
 * @returns errors if a row cannot be stored, or no learner would be left; then no row is stored
 */
export function planClassList(
  listed: readonly ListedLearner[],
  classBefore: { learners: readonly ClassLearner[]; unused: readonly UnusedFile[] },
  { adds = false, removesOthers = false }: ClassListOptions = {},
): { plan: ClassPlan; errors?: never } | { errors: string[]; plan?: never } {
  const works: Work[] = [
    ...classBefore.learners.map((learner) => ({ learner, names: namesOf(learner) })),
    ...classBefore.unused.map((file) => ({ file, names: [nameOfFile(file.name)] })),
  ];
  const rows = listed.map((one) => ({
    listed: one,
    number: spaced(one.number),
    words: sortedWords(one.name),
  }));
  const { claims, noSuchFile, fileErrors } = claimsOf(rows, works);
  const worksOfRow = Map.groupBy(works, (work) => claims.get(work));
  const planned = rows.map((row) => ({ listed: row.listed, own: worksOfRow.get(row) ?? [] }));
  const errors = [
    ...fileErrors,
    ...planned.flatMap(({ listed, own }) => decidedError(listed, own) ?? []),
  ];
  if (errors.length > 0) return { errors };
  const unclaimed = worksOfRow.get(undefined) ?? [];
  const others = unclaimed.flatMap(({ learner }) => learner ?? []);
  const isRemoved = ({ hasDecision }: ClassLearner) => removesOthers && !hasDecision;
  const isKept = ({ own }: { own: Work[] }) => adds || own.length > 0;
  const learners = planned.filter(isKept).map(({ listed, own }) => plannedOf(listed, own));
  // A class without learners would be prepared again, with a learner for each file and without marks.
  if (learners.length === 0 && others.every(isRemoved)) {
    return { errors: ["no row has a learner or a file, so no learner would be left"] };
  }
  return {
    plan: {
      learners,
      missing: planned.flatMap((one) => (isKept(one) ? [] : one.listed)),
      noSuchFile,
      removed: others.filter(isRemoved),
      unlisted: others.filter((one) => !isRemoved(one)),
      unused: unclaimed.flatMap(({ file }) => file ?? []),
      likely: unclaimed.flatMap(likelyAmong(rows)),
    },
  };
}

/**
 * Finds the work of each row: by the column File, by the name in any order of its words, by a number that a list gave
 * before, and by the number in the name of a file. Work that matches two rows belongs to neither.
 */
function claimsOf(rows: readonly Row[], works: Work[]) {
  const claims: Claims = new Map();
  const fileErrors = claimByFile(rows, works, claims);
  const found = new Set(claims.values());
  const noSuchFile = rows.flatMap((row) => (row.listed.file && !found.has(row) ? row.listed : []));
  const unnamed = rows.filter((row) => row.listed.file === "");
  const byName = Map.groupBy(unnamed, (row) => row.words.join(" "));
  claimEach(works, claims, ({ names }) => [
    ...new Set(names.flatMap((one) => byName.get(one.words.join(" ")) ?? [])),
  ]);
  claimByListedNumber(rows, works, claims);
  const byNumber = Map.groupBy(unnamed, ({ number }) => number.trim().split(" ")[0]!);
  claimEach(works, claims, (work) => rowsByNumber(work, unnamed, byNumber));
  return { claims, noSuchFile, fileErrors };
}

/** The names of a learner's files, and the learner's own name if a list gave it or there is no work. */
function namesOf({ fileName, hasWork, isNumberListed, name }: ClassLearner): Name[] {
  const own = hasWork && !isNumberListed ? [] : [nameOf(name)];
  return [...new Set([fileName, ...fileName.split(" + ")])].map(nameOfFile).concat(own);
}

const nameOf = (name: string, text = name): Name => ({
  name,
  text: spaced(text),
  words: sortedWords(text),
});

const nameOfFile = (name: string) => nameOf(name, withoutExtension(name));

const spaced = (text: string) => ` ${words(text)} `;

/** Claims the works that the column File names. Rows with the same file get one work each, in order. Returns errors. */
function claimByFile(all: readonly Row[], works: Work[], claims: Claims): string[] {
  const rows = all.filter(({ listed }) => listed.file !== "");
  const byFile = Map.groupBy(rows, ({ listed }) => listed.file);
  const worksOfFile = finderOf(works);
  return rows.flatMap((row) => {
    const { file } = row.listed;
    const files = [file, ...file.split(" + ")];
    const found = [...new Set(files.flatMap((one) => worksOfFile(one)))];
    const same = byFile.get(file)!;
    const place = same.indexOf(row);
    const own = same.length === 1 ? found : found.slice(place, place + 1);
    const taken = own.find((work) => claims.has(work));
    if (taken || (own.length === 0 && found.length > 0)) {
      const other = (taken && claims.get(taken)) ?? same[0]!;
      return `${labelOf(other.listed)} and ${labelOf(row.listed)} cannot both have the work with ${file}`;
    }
    const parts = own.flatMap((work) => partError(work, row, files) ?? []);
    for (const work of own) claims.set(work, row);
    return parts;
  });
}

/** The error if a row names only some of the files that another listed learner has; otherwise undefined. */
function partError({ learner }: Work, row: Row, files: string[]): string | undefined {
  if (!learner?.isNumberListed || learner.number === row.listed.number) return undefined;
  const given = files.map((file) => nameOfFile(file).text);
  const isWhole = learner.fileName
    .split(" + ")
    .every((part) => given.includes(nameOfFile(part).text));
  if (isWhole || !isAnotherName(row.words, learner.name)) return undefined;
  return `${labelOf(row.listed)} cannot have ${row.listed.file} alone: ${labelOf(learner)} has ${learner.fileName}. Name all of it, or remove that learner first, with a list without the row and --only`;
}

/** Returns a function that finds works by the name of a file, or else by that name without its extension. */
function finderOf(works: Work[]): (file: string) => Work[] {
  const all = works.flatMap((work) => work.names.map((one) => ({ work, ...one })));
  const byName = Map.groupBy(all, ({ name }) => plain(name));
  const byText = Map.groupBy(all, ({ text }) => text);
  return (file) =>
    (byName.get(plain(file)) ?? byText.get(nameOfFile(file).text) ?? []).map(({ work }) => work);
}

const plain = (name: string) => name.normalize().toLowerCase();

/** Claims each work for which `rowsOf` finds a single row. */
function claimEach(works: Work[], claims: Claims, rowsOf: (work: Work) => Row[]): void {
  for (const work of works) {
    if (claims.has(work)) continue;
    const [row, ...others] = rowsOf(work);
    if (row && others.length === 0) claims.set(work, row);
  }
}

/**
 * Claims the learner with the row's number for each row that has no learner yet. A learner who has work must have the
 * number from a list, and the names must not differ.
 */
function claimByListedNumber(rows: readonly Row[], works: Work[], claims: Claims): void {
  const done = new Set(works.flatMap((work) => (work.learner && claims.get(work)) ?? []));
  const byNumber = Map.groupBy(works, ({ learner }) => learner?.number);
  for (const row of rows.filter((one) => !done.has(one))) {
    const work = byNumber.get(row.listed.number)?.[0];
    if (!work?.learner || claims.has(work)) continue;
    const { isNumberListed, hasWork, name } = work.learner;
    if ((isNumberListed || !hasWork) && !isAnotherName(row.words, name)) claims.set(work, row);
  }
}

/**
 * The rows whose number is in a name of the work, such as 12 in “12 Anna.pdf”. If any row has the name Anna, a row with
 * the number 12 counts only if it has that name too.
 * @param byNumber the rows by the first word of their number
 */
function rowsByNumber(
  { learner, names }: Work,
  rows: readonly Row[],
  byNumber: ReadonlyMap<string, Row[]>,
): Row[] {
  // A listed learner's number is known, so a number in the name of a file says nothing.
  if (learner?.isNumberListed) return [];
  const rowsIn = ({ words, text }: Name) =>
    words.flatMap((word) => byNumber.get(word) ?? []).filter(({ number }) => text.includes(number));
  const found = [...new Set(names.flatMap(rowsIn))];
  const isNamed = (row: Row) => sharedWords(names, row) > 0;
  const named = found.filter(isNamed);
  return named.length > 0 || found.length === 0 || rows.some(isNamed) ? named : found;
}

/** The most words that the row's name shares with one of the names. Initials do not count. */
function sharedWords(names: Name[], row: Row): number {
  const counts = names.map(
    (one) => row.words.filter((word) => word.length > 1 && one.words.includes(word)).length,
  );
  return Math.max(...counts);
}

function plannedOf({ file: _, ...details }: ListedLearner, works: Work[]): PlannedLearner {
  const [learner, ...joined] = works.flatMap((work) => work.learner ?? []);
  return {
    ...details,
    learnerId: learner?.id ?? null,
    fileName: learner?.hasWork ? learner.fileName : "",
    joined,
    files: works.flatMap(({ file }) => file ?? []),
  };
}

function decidedError(listed: ListedLearner, works: Work[]): string | undefined {
  const learners = works.flatMap(({ learner }) => learner ?? []);
  const decided = learners.find(({ hasDecision }) => hasDecision);
  if (!decided || learners.length === 1) return undefined;
  const names = learners.map(({ fileName }) => fileName).join(" and ");
  return `${labelOf(listed)} has ${names}, which cannot be joined: marks of ${decided.fileName} are decided`;
}

/** Max rows that a file may belong to. A word that more rows share, such as the course, does not identify a learner. */
const maxLikely = 5;

/**
 * Returns a function that finds the rows whose names share the most words with a work; none if these are more than
 * `maxLikely`. An index of the words makes it fast for thousands of rows and of files.
 */
function likelyAmong(rows: readonly Row[]): (work: Work) => ClassPlan["likely"] {
  const places = rows.flatMap((row, place) => row.words.map((word) => ({ word, place })));
  const byWord = Map.groupBy(places, ({ word }) => word);
  return ({ names }) => {
    const shared = new Uint16Array(rows.length);
    for (const name of names) {
      const counts = new Uint16Array(rows.length);
      for (const word of name.words.filter(({ length }) => length > 1)) {
        for (const { place } of byWord.get(word) ?? []) {
          counts[place]! += 1;
          shared[place] = Math.max(shared[place]!, counts[place]!);
        }
      }
    }
    const most = shared.reduce((max, count) => Math.max(max, count), 1);
    const likely = rows.filter((_, place) => shared[place] === most);
    if (likely.length > maxLikely) return [];
    return likely.map(({ listed: { number, name } }) => ({
      number,
      name,
      fileName: names[0]!.name,
    }));
  };
}

const labelOf = ({ number, name }: { number: string; name: string }) => `${number} ${name}`;
