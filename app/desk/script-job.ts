/** The job of the child process that writes a script as a PDF: JSON, then the files of its parts. */
import type { PageTurn, Stamp } from "../domain/stamp.ts";

/** A paragraph of text, in lines as wide as the page allows. */
export interface TextBlock {
  text: string;
  size: "title" | "heading" | "body";
  /** "red" is what a person decided, in handwriting if it is short; "pencil" is what is proposed. */
  colour: "ink" | "pencil" | "red";
  /** Present if the text is a name under which a line is drawn. */
  isSignature?: true;
  /** A text at the right margin, beside the first line of the paragraph. */
  right?: { text: string; colour: "ink" | "pencil" | "red"; isRinged?: true };
}

export interface ScriptPage {
  /** From 1. */
  page: number;
  turn: PageTurn;
  stamps: Stamp[];
}

/** The sheet on top of a learner's script, by which a scan of the class is cut. */
export interface CoverSheet {
  number: string;
  name: string;
  /** The number of the class in the sheet's code, which tells classes apart; missing if the class was not named. */
  classNumber?: string;
}

/** Pages of text, pages of a file, or a cover sheet. */
export type ScriptPart =
  | { blocks: TextBlock[] }
  | { fileBytes: number; pages: ScriptPage[] }
  | { sheet: CoverSheet };

export interface ScriptJob {
  parts: ScriptPart[];
}

/** Bytes in front of the job: the length of its JSON. The files follow it, in their order. */
const headBytes = 4;

export function encodeJob(job: ScriptJob, files: Buffer[]): Buffer {
  const json = Buffer.from(JSON.stringify(job));
  const head = Buffer.alloc(headBytes);
  head.writeUInt32LE(json.length, 0);
  return Buffer.concat([head, json, ...files]);
}

/** Returns the job, with its files in the order of its parts. */
export function decodeJob(input: Buffer): { job: ScriptJob; files: Buffer[] } {
  let at = headBytes + input.readUInt32LE(0);
  const job: ScriptJob = JSON.parse(input.toString("utf8", headBytes, at));
  const files = job.parts.flatMap((part) => {
    if (!("fileBytes" in part)) return [];
    at += part.fileBytes;
    return [input.subarray(at - part.fileBytes, at)];
  });
  return { job, files };
}
