import { type ChildProcessByStdio, spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import path from "node:path";
import type { Readable, Writable } from "node:stream";
import { serialize } from "node:v8";
import type { RenderedFile, RenderedPage } from "../domain/page-image.ts";
import type { ScannedPage } from "../domain/scan.ts";
import { extensionOf } from "../forms/files.ts";
import { decodeFrames, type Frame } from "./frames.ts";
import { type Failure, notRendered, sentenceOf, tooMuchMemory } from "./render-failure.ts";
import type { ScriptPage, ScriptPart } from "./script-job.ts";

/**
 * Kilobytes of writable memory that a process may reserve, whether it uses them or not: Node and the libraries reserve
 * 740 MB, and PDFium grows by up to 370.
 */
const memoryLimit = 1_200_000;
const cpuSeconds = 20;
const maxMinutes = 5;
const maxOutputBytes = 128 * 1_048_576;

/** Shell code that makes the kernel end the child before the server when memory is short. */
const endedFirst = "{ echo 1000 > /proc/self/oom_score_adj; } 2> /dev/null";

const limits = `${endedFirst}; ulimit -c 0; ulimit -d ${memoryLimit}; ulimit -S -t ${cpuSeconds}; exec "$@"`;

/**
 * Renders a file in a child process with limits on memory and time: a hostile file ends its child and nothing else.
 * @throws the reason of `signal`, if the signal ends the child
 */
export async function renderFile(
  { bytes, name }: { bytes: Buffer; name: string },
  signal?: AbortSignal,
): Promise<RenderedFile> {
  const original = (why: Failure): RenderedFile => ({ kind: "original", reason: sentenceOf(why) });
  const extension = extensionOf(name);
  if (extension === undefined || extension === ".doc") {
    return original(notRendered("is a file that only Word shows"));
  }
  const ends = endSignal(signal);
  const command = [...thisProgram(), "render-file", extension];
  const read = await readFrames(bytes, command, () => ends);
  signal?.throwIfAborted();
  if ("failed" in read) return original(read.failed);
  const pages: RenderedPage[] = [];
  for (const frame of read.frames) {
    if ("paragraphs" in frame) return { kind: "paragraphs", paragraphs: frame.paragraphs };
    if ("page" in frame) pages.push({ ...frame.page, webp: frame.webp });
  }
  return { kind: "pages", pages };
}

/**
 * Reads the pages of a scanned class in child processes with limits on memory and time.
 * @param scan its bytes, or the path of its file
 * @throws the reason of `signal`, if the signal ends a child
 * @returns the pages, or why they cannot be read, as the rest of a sentence that begins with the file
 */
export async function readScan(
  scan: Buffer | string,
  signal?: AbortSignal,
): Promise<{ pages: ScannedPage[]; failed?: never } | { pages?: never; failed: string }> {
  const command = [...thisProgram(), "render-file", "--scan", ".pdf"];
  // A scanned class takes longer than one file, so the timeout begins anew with each child.
  const read = await readFrames(scan, command, () => endSignal(signal));
  signal?.throwIfAborted();
  if ("failed" in read) return { failed: read.failed.reason };
  return { pages: read.frames.flatMap((frame) => ("scanned" in frame ? frame.scanned : [])) };
}

/** Returns a signal that ends a child after `maxMinutes`, or as soon as `signal` is aborted. */
function endSignal(signal: AbortSignal | undefined): AbortSignal {
  const timeout = AbortSignal.timeout(maxMinutes * 60_000);
  return signal ? AbortSignal.any([timeout, signal]) : timeout;
}

/** Runs children until the last page or the paragraphs are sent. `newEndSignal` makes the signal that ends a child. */
async function readFrames(
  input: Buffer | string,
  command: string[],
  newEndSignal: () => AbortSignal,
): Promise<{ frames: Frame[] } | { failed: Failure }> {
  const sent: Frame[] = [];
  for (let pageCount = 1; sent.length < pageCount; ) {
    // A child that has used much of its time ends between two pages, and another one goes on.
    const firstPage = sent.length + 1;
    const run = () => runChild([...command, String(firstPage)], input, newEndSignal());
    const first = await run();
    // Other processes may have used the memory, so the child may get it at a second attempt.
    const { output, failure } = first.isKilled ? await run() : first;
    const frames = decodeFrames(output);
    for (const frame of frames) {
      if ("failed" in frame) return frame;
      if ("pageCount" in frame) pageCount = frame.pageCount;
      else sent.push(frame);
    }
    if (failure || sent.length < firstPage) {
      const page = frames.length > 0 ? sent.length + 1 : undefined;
      return { failed: notRendered(failure ?? "could not be rendered", page) };
    }
  }
  return { frames: sent };
}

/**
 * Renders the parts of a script, or cover sheets, as a PDF in a child process with limits on memory and time.
 * @returns the PDF's bytes; undefined if a file makes that impossible
 */
export const renderPdf = (parts: ScriptPart[]): Promise<Buffer | undefined> =>
  outputOf([...thisProgram(), "write-script"], serialize(parts), endSignal(undefined));

/**
 * Copies pages of a PDF into a new one, in a child process with limits on memory and time.
 * @param file the path of the PDF
 * @throws the reason of `signal`, if the signal ends the child
 * @returns undefined if the file makes that impossible
 */
export async function copyPages(
  file: string,
  pages: ScriptPage[],
  signal: AbortSignal,
): Promise<Buffer | undefined> {
  const command = [...thisProgram(), "copy-pages", JSON.stringify(pages)];
  const copied = await outputOf(command, file, endSignal(signal));
  signal.throwIfAborted();
  return copied;
}

/**
 * Fills marks into a sheet in a child process with limits on memory and time.
 * @param job the `SheetJob` of fill-sheet-child.ts, whose types this folder does not import
 * @returns the child's answer as JSON; undefined if the sheet makes that impossible
 */
export const runFillSheet = (job: object): Promise<Buffer | undefined> =>
  outputOf([...thisProgram(), "fill-sheet"], serialize(job), endSignal(undefined));

/** Runs a child. Returns what it has written; undefined if it has failed or written nothing. */
async function outputOf(
  command: string[],
  input: Buffer | string,
  ends: AbortSignal,
): Promise<Buffer | undefined> {
  const { output, failure } = await runChild(command, input, ends);
  return failure === undefined && output.length > 0 ? output : undefined;
}

/** The command line of this program: the executable, or the Node that runs the built server. */
function thisProgram(): string[] {
  const { dir, ext } = path.parse(import.meta.filename);
  if (ext === ".cjs") return [process.execPath];
  const folder = ext === ".ts" ? path.join(dir, "../../build/server") : dir;
  return [process.execPath, path.join(folder, "server.js")];
}

/**
 * Runs a child until it ends. `failure` says why it failed. `isKilled` says that the kernel may have ended it.
 * @param input what the child reads: bytes, or the path of a file, whose bytes this process does not hold
 */
async function runChild(
  command: string[],
  input: Buffer | string,
  ends: AbortSignal,
): Promise<{ output: Buffer; failure?: string; isKilled?: boolean }> {
  const opened = typeof input === "string" ? openSync(input, "r") : undefined;
  const child = spawn("sh", ["-c", limits, "sh", ...command], {
    // Without an environment, the child gets no settings or secrets of the program.
    env: {},
    stdio: [opened ?? "pipe", "pipe", "ignore"],
    signal: ends,
    killSignal: "SIGKILL",
  }) as ChildProcessByStdio<Writable | null, Readable, null>;
  if (opened !== undefined) closeSync(opened);
  // The child may end before it has read everything, so errors of writing are ignored.
  child.stdin?.on("error", () => {}).end(input);
  const chunks: Buffer[] = [];
  let outputBytes = 0;
  child.stdout.on("data", (chunk: Buffer) => {
    outputBytes += chunk.length;
    if (outputBytes > maxOutputBytes) child.kill("SIGKILL");
    else chunks.push(chunk);
  });
  const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>(
    (resolve, reject) => {
      child.once("error", (error) => ends.aborted || reject(error));
      child.once("close", (...end) => resolve(end));
    },
  );
  const output = Buffer.concat(chunks);
  return code === 0 ? { output } : { output, ...failureOf(signal, ends) };
}

/** Why a child has failed. @param signal the signal that ended it, if one did */
function failureOf(
  signal: NodeJS.Signals | null,
  ends: AbortSignal,
): { failure: string; isKilled: boolean } {
  const isKilled = signal === "SIGKILL" && !ends.aborted;
  // If the caller's own signal has aborted, the caller throws that signal's reason in place of this failure.
  if (ends.aborted) return { failure: `took more than ${maxMinutes} minutes`, isKilled };
  if (signal === "SIGXCPU")
    return { failure: `took more than ${cpuSeconds} s of computing`, isKilled };
  return { failure: signal ? tooMuchMemory : "could not be rendered", isKilled };
}
