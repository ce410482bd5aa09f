/** Writes the pages of a class, without names, for a program that proposes marks. */
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Command } from "commander";
import type { Store } from "#db/store.ts";
import { counted } from "../../domain/counted.ts";
import type { PaperQuestion, ShownFile } from "../../domain/desk.ts";
import { type MemoPoint, pointsOf } from "../../domain/memo-point.ts";
import type { Results } from "../../domain/result.ts";
import type { PageTurn } from "../../domain/stamp.ts";
import { alreadyExists, CommandFailed } from "./exit.ts";
import { wholeNumber } from "./format.ts";
import type { Installation, Opened } from "./installation.ts";
import { type Json, print, printable, printJson } from "./print.ts";
import { queueAndRender } from "./render-pages.ts";
import { importedResultsOf, keysText, markingTargetOf, readKeys } from "./results-io.ts";

interface Options extends Json {
  out: string;
  skipPage?: number;
  png?: true;
}

/** A picture or text, by its path in the folder. */
interface PageFile {
  file: string;
  /** Missing if the picture is upright. */
  turn?: PageTurn;
}

/** The content of class.json, without names and without learners of whom no page was written. */
interface ClassFile {
  questions: (Omit<PaperQuestion, "memoPoints"> & { points?: MemoPoint[] })[];
  learners: { key: string; pages: PageFile[] }[];
}

export function addPages(group: Command, { onStore }: Installation): void {
  group
    .command("pages <reference>")
    .description("write each learner’s pages under a random key, for a program that proposes marks")
    .requiredOption("--out <folder>", "a new folder, or the one of an earlier run")
    .option(
      "--skip-page <number>",
      "leave out this page of each learner, such as a cover",
      wholeNumber(1, 999),
    )
    .option("--png", "write pictures as PNG in place of WebP, as they are stored")
    .option("--json", "print JSON")
    .action(onStore(writePages));
}

async function writePages(opened: Opened, typed: string, options: Options): Promise<void> {
  const { store } = opened;
  const { out, png } = options;
  const { reference, assessmentId } = await markingTargetOf(store, typed);
  const { questions } = await store.prepareDesk(assessmentId);
  if (questions.length === 0) {
    throw new CommandFailed(
      `Request ${reference} has no questions yet. Set them on the desk, or import a sheet without marks: results import.`,
    );
  }
  const earlier = await keysIn(out, reference);
  await queueAndRender(opened, assessmentId, () => store.queueClassJob(assessmentId, new Date()));
  const { results } = await importedResultsOf(store, reference);
  const learners = await learnersOf(store, assessmentId, results, earlier);
  await ownFolder(out);
  // Write the keys first, so that a run after a stopped run uses the same keys.
  // Keep the keys of learners who are left out now, such as the absent: a file of proposals may have these keys.
  const keys = new Map([...earlier, ...learners.map((one) => [one.key, one.learnerId] as const)]);
  await replaceFile(path.join(out, "keys.json"), keysText(reference, Object.fromEntries(keys)));
  const convert = png ? await (await import("../../desk/page-png.ts")).pngConverter() : undefined;
  await deletePages(out, earlier.keys());
  const exported = await exportLearners(learners, options, (piece) =>
    contentOf(store, piece, convert),
  );
  const { listed } = exported;
  const file: ClassFile = { questions: withPoints(questions, results), learners: listed };
  await replaceFile(path.join(out, "class.json"), `${JSON.stringify(file, null, 2)}\n`);
  await store.openAudit("class pages exported", new Date(), reference);
  const hasText = learners.some(({ pieces }) => pieces.some(({ kind }) => kind === "text"));
  reportExport(options, { ...exported, reference, hasText });
}

/** Deletes the pages of an earlier run: some may be skipped now, or belong to an erased learner. */
async function deletePages(out: string, keys: Iterable<string>): Promise<void> {
  for (const key of keys) await rm(path.join(out, key), { recursive: true, force: true });
}

interface Exported {
  listed: ClassFile["learners"];
  /** Numbers of the learners of whom no page was written. */
  without: string[];
}

/** Writes the pages of each learner, except the page with the number `skipPage`. */
async function exportLearners(
  learners: Learner[],
  { out, skipPage }: Options,
  read: ReadPiece,
): Promise<Exported> {
  const exported: Exported = { listed: [], without: [] };
  for (const { key, number, pieces } of learners) {
    const wanted = pieces.filter((one) => one.kind === "text" || one.position !== skipPage);
    if (wanted.length === 0) exported.without.push(number);
    else exported.listed.push({ key, pages: await writePieces(out, key, wanted, read) });
  }
  return exported;
}

/** Prints how much was written, then warnings for the person who passes the pages on. */
function reportExport(
  { out, skipPage, json }: Options,
  { listed, without, reference, hasText }: Exported & { reference: string; hasText: boolean },
): void {
  const pages = listed.reduce((sum, one) => sum + one.pages.length, 0);
  if (json) printJson({ reference, folder: out, learners: listed.length, pages, without });
  else print(`${printable(out)}  ${counted(listed.length, "learner")}  ${counted(pages, "page")}`);
  const warnings = [
    `Pages may show names, on covers and in handwriting: look at them before they leave the house.${skipPage === undefined ? " --skip-page 1 leaves out the first page of each learner." : ""}`,
    ...(hasText && skipPage !== undefined
      ? ["Texts have no pages: those of TXT and DOCX files are whole."]
      : []),
    ...(without.length > 0
      ? [`Without a page that can be shown: ${printable(without.join(", "))}.`]
      : []),
    "keys.json says whose each key is: it stays in the house, and results import --keys takes it.",
  ];
  for (const line of warnings) process.stderr.write(`${line}\n`);
}

/** Returns the questions, each with the points of its memo that are not withdrawn. */
const withPoints = (questions: PaperQuestion[], { points = {} }: Results): ClassFile["questions"] =>
  questions.map((question) => {
    const all = pointsOf(points, question.questionNumber);
    const open = all.filter(({ isWithdrawn }) => !isWithdrawn);
    return { ...question, ...(open.length > 0 && { points: open }) };
  });

async function writePieces(
  out: string,
  key: string,
  pieces: Piece[],
  read: ReadPiece,
): Promise<PageFile[]> {
  await ownFolder(path.join(out, key));
  const pages: PageFile[] = [];
  for (const piece of pieces) {
    const { extension, content } = await read(piece);
    const file = `${key}/${pages.length + 1}.${extension}`;
    await replaceFile(path.join(out, file), content);
    const turn = piece.kind === "picture" ? piece.turn : 0;
    pages.push({ file, ...(turn > 0 && { turn }) });
  }
  return pages;
}

/** Part of a learner’s work: the text of a file, or the picture of a page. */
type Piece =
  | { kind: "text"; paragraphs: string[] }
  /** `position` counts the pictures of the work from 1. */
  | { kind: "picture"; position: number; fileId: number; page: number; turn: PageTurn };

type ReadPiece = (piece: Piece) => ReturnType<typeof contentOf>;

interface Learner {
  learnerId: number;
  number: string;
  key: string;
  pieces: Piece[];
}

/**
 * Returns the learners who get a grade, each with the key of an earlier run, or a new one. All have an id and a number,
 * because the desk has been prepared.
 */
async function learnersOf(
  store: Store,
  assessmentId: number,
  { submissions }: Results,
  earlierKeys: ReadonlyMap<string, number>,
): Promise<Learner[]> {
  const works = await store.listScripts(assessmentId);
  const keys = new Map([...earlierKeys].map(([key, learnerId]) => [learnerId, key]));
  return submissions.flatMap(({ learnerId, learnerNumber, noGrade }) => {
    if (noGrade) return [];
    const key = keys.get(learnerId!) ?? randomBytes(10).toString("hex");
    const pieces = piecesOf(works.get(learnerId!) ?? []);
    return { learnerId: learnerId!, number: learnerNumber!, key, pieces };
  });
}

function piecesOf(work: readonly ShownFile[]): Piece[] {
  let position = 0;
  return work.flatMap(({ fileId, rendered }): Piece[] => {
    if (rendered?.kind === "paragraphs") {
      return [{ kind: "text", paragraphs: rendered.paragraphs }];
    }
    if (rendered?.kind !== "pages") return [];
    return rendered.pages.map(({ page, turn }) => {
      position += 1;
      return { kind: "picture", position, fileId, page, turn };
    });
  });
}

async function contentOf(
  store: Store,
  piece: Piece,
  convert: ((webp: Buffer) => Promise<Buffer>) | undefined,
): Promise<{ extension: string; content: Buffer | string }> {
  if (piece.kind === "text") {
    return { extension: "txt", content: `${piece.paragraphs.join("\n")}\n` };
  }
  const webp = (await store.readPageImage(piece.fileId, piece.page))!;
  return convert
    ? { extension: "png", content: await convert(webp) }
    : { extension: "webp", content: webp };
}

/**
 * Returns the learners' ids by the keys of an earlier run; none for an empty folder.
 * @throws CommandFailed if the folder is neither empty nor that of an earlier run for the request
 */
async function keysIn(folder: string, reference: string): Promise<ReadonlyMap<string, number>> {
  const isEmpty = (await readdir(folder).catch(() => [])).length === 0;
  if (isEmpty) return new Map();
  const file = path.join(folder, "keys.json");
  if (!existsSync(file)) throw alreadyExists(printable(folder));
  const keys = await readKeys(file, reference);
  if ([...keys.keys()].every((key) => /^[0-9a-f]{20}$/.test(key))) return keys;
  throw new CommandFailed(`${printable(file)} has keys that class pages did not make.`);
}

/** Makes a folder for this account alone, unless it exists. */
async function ownFolder(folder: string): Promise<void> {
  if (!existsSync(folder)) await mkdir(folder, { mode: 0o700 });
}

/** Writes a file that only this account may read, whole or not at all. */
async function replaceFile(file: string, content: Buffer | string): Promise<void> {
  const part = `${file}.part`;
  await rm(part, { force: true });
  await writeFile(part, content, { mode: 0o600, flag: "wx" });
  await rename(part, file);
}
