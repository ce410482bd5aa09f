/** Fills an uploaded sheet in a child process, so that a hostile sheet can crash only that process. */
import { buffer } from "node:stream/consumers";
import { deserialize } from "node:v8";
import { SheetError } from "../results/school-sheet.ts";
import { Semaphore } from "../semaphore.ts";
import type { ClassWork } from "./class-work.ts";
import { type FilledSheet, type FillJob, fillSheet } from "./fill-sheet.ts";

type SheetJob = { bytes: Buffer; job: FillJob };
type Answer = { error: string } | (Omit<FilledSheet, "bytes"> & { base64: string });

/** Reads a sheet and its job from stdin, and writes the filled sheet or an error to stdout, as JSON. */
export async function fillSheetChild(): Promise<void> {
  const { bytes, job }: SheetJob = deserialize(await buffer(process.stdin));
  const answer = JSON.stringify(answerTo(bytes, job));
  await new Promise<void>((resolve) => process.stdout.write(answer, () => resolve()));
}

function answerTo(bytes: Buffer, job: FillJob): Answer {
  try {
    const { bytes: filled, ...rest } = fillSheet(bytes, job);
    return { ...rest, base64: filled.toString("base64") };
  } catch (error) {
    if (!(error instanceof SheetError)) throw error;
    return { error: error.message };
  }
}

/**
 * Runs one child at a time, because a child may keep a processor busy until its limits end it. Classes take turns. No
 * request is rejected, so the limits on waiting do not apply.
 */
const children = new Semaphore({
  max: 1,
  maxPerClient: 1,
  maxWaitingPerClient: 0,
  maxWaitMs: 0,
  busy: "",
});

/**
 * Fills a sheet of a class in a child process.
 * @returns the filled sheet, or an error that continues a sentence after the file's name
 */
export async function fillInChild(
  { assessmentId }: ClassWork,
  bytes: Uint8Array,
  job: FillJob,
): Promise<Answer> {
  const { runFillSheet } = await import("../../desk/render-file.ts");
  const release = await children.acquire(String(assessmentId), { isRejectable: false });
  const answer = await runFillSheet({ bytes: Buffer.from(bytes), job }).finally(release);
  return answer
    ? (JSON.parse(answer.toString()) as Answer)
    : { error: "takes too much memory or time to be read: save it again as a small sheet" };
}
