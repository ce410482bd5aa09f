import { parseWithZod } from "@conform-to/zod/v4";
import { submitDemoUpload } from "#db/demo-upload.ts";
import { type Db, isUnavailable } from "#db/open.ts";
import { newReference } from "#db/reference.ts";
import { discardStagedFiles, type StagedFile, stageFile } from "#db/uploaded-file.ts";
import {
  contactFields,
  type DemoUploadContact,
  type DemoUploadFileField,
  type DemoUploadFiles,
  demoUploadFileFields,
  isDemoUploadFileField,
} from "../../forms/demo-upload.ts";
import { demoUploadRules } from "../../forms/demo-upload-rules.ts";
import { fileMessages, maxFileBytes } from "../../forms/files.ts";
import type { Outcome, Problem } from "../../services.ts";
import { demoUploadLetter } from "../mail/letters.ts";
import { judgeFile } from "./file-judge.ts";
import { drain, readMultipart } from "./multipart.ts";
import { Refusal, unavailable } from "./refusal.ts";

/** The files of a full upload, 52, with room for a few more parts that are then refused by name. */
const limits = {
  part: maxFileBytes,
  parts: 100,
  body: 60 * maxFileBytes,
};

/** How much of a refused body is read to its end, so that browsers show the answer and not a broken line. */
const drainBytes = 4 * limits.body;

/**
 * One demo upload: each file is kept as it arrives, all of it is judged, and one transaction makes a
 * request of it. A refused upload leaves nothing behind.
 */
export async function receiveDemoUpload(
  request: Request,
  world: { db: Db; productName: string; now: () => Date },
): Promise<Outcome> {
  const { db, productName, now } = world;
  const arrival = new Arrival();
  try {
    await readInto(arrival, request, db, now);
    const judged = judge(arrival);
    if ("problem" in judged) {
      return { received: false, problem: judged.problem, typed: arrival.typed };
    }
    const { contact, files } = judged;
    const reference = newReference();
    const receivedAt = now();
    const letter = demoUploadLetter({ reference, contact, files, receivedAt, productName });
    const id = await submitDemoUpload(db, { reference, contact, files, letter }, receivedAt);
    const receipt = {
      reference,
      receivedAt: receivedAt.toISOString(),
      fileCount: arrival.staged.length,
      files: arrival.staged.map(({ field, name, size }) => ({ field, name, size })),
    };
    // They are the request's now, and no longer ours to discard.
    arrival.staged = [];
    return { received: true, id, receipt };
  } catch (error) {
    const problem = problemOf(error);
    await drain(request, drainBytes);
    return { received: false, problem, typed: arrival.typed };
  } finally {
    await discardStagedFiles(
      db,
      arrival.staged.map((file) => file.id),
    ).catch(() => {
      // Where even this fails, the sweep at the next start does it.
    });
  }
}

/** What has come of a request so far. */
class Arrival {
  typed: Record<string, string> = {};
  /** Files that passed, kept in the database and not yet a request's. */
  staged: StagedFile[] = [];
  reasons: Record<string, string[]> = {};
  fileCounts: Partial<Record<DemoUploadFileField, number>> = {};

  refuse(field: string, reason: string): void {
    this.reasons[field] = [...(this.reasons[field] ?? []), reason];
  }
}

async function readInto(arrival: Arrival, request: Request, db: Db, now: () => Date) {
  for await (const part of readMultipart(request, limits)) {
    const { name: field, fileName, size, bytes } = part;
    if (fileName === undefined) {
      if (isTextField(field)) arrival.typed[field] = decode(bytes);
      continue;
    }
    if (fileName === "" && size === 0) continue;
    if (!isDemoUploadFileField(field)) {
      throw new Refusal(400, "unknown_field", `The form has no file field called “${field}”.`);
    }
    const { most } = demoUploadFileFields[field];
    const count = (arrival.fileCounts[field] ?? 0) + 1;
    arrival.fileCounts[field] = count;
    if (count === most + 1) {
      arrival.refuse(
        field,
        most === 1 ? "Please choose one file only" : `Please choose at most ${most} files`,
      );
    }
    const judgement = judgeFile(fileName, size, bytes);
    if ("reason" in judgement) {
      arrival.refuse(field, judgement.reason);
    } else if (count <= most) {
      arrival.staged.push(await stageFile(db, { field, bytes, ...judgement }, now()));
    }
  }
}

const textFields = [...contactFields, "requestType"] as const;
const isTextField = (name: string): name is (typeof textFields)[number] =>
  textFields.some((field) => field === name);

function decode(bytes: Buffer): string {
  if (bytes.length > maxTextBytes) {
    throw new Refusal(413, "text_too_large", "A text of the form is longer than it may be.");
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new Refusal(400, "malformed", "A text of the form is not UTF-8.");
  }
}

/** Well over the longest text a field takes, so that its own message is what people meet. */
const maxTextBytes = 64 * 1024;

function judge(
  arrival: Arrival,
): { contact: DemoUploadContact; files: DemoUploadFiles<StagedFile> } | { problem: Problem } {
  const form = new FormData();
  for (const [name, value] of Object.entries(arrival.typed)) form.append(name, value);
  const text = parseWithZod(form, { schema: demoUploadRules });
  const missing = Object.keys(demoUploadFileFields).filter(
    (field) => !arrival.fileCounts[field as DemoUploadFileField],
  );
  const fields: Problem["fields"] = {
    ...Object.fromEntries(
      missing.map((field) => [field, [missingFile[field as DemoUploadFileField]]]),
    ),
    ...arrival.reasons,
    ...(text.status === "error" && (text.error as Record<string, string[]>)),
  };
  const [questionsFile] = staged(arrival, "questionsFile");
  const [rubricFile] = staged(arrival, "rubricFile");
  const submissionFiles = staged(arrival, "submissionFiles");
  if (
    text.status === "success" &&
    Object.keys(fields).length === 0 &&
    questionsFile &&
    rubricFile &&
    submissionFiles.length > 0
  ) {
    const { requestType: _, ...contact } = text.value;
    return { contact, files: { questionsFile, rubricFile, submissionFiles } };
  }
  const reasons = Object.values(fields).flat();
  const [code, error] =
    missing.length > 0
      ? ["missing_files", fileMessages.missing]
      : [
          Object.keys(arrival.reasons).length > 0 ? "invalid_files" : "invalid_fields",
          reasons.length === 1 ? reasons[0]! : "Please correct what is marked and send it again.",
        ];
  return { problem: { status: 422, code, error, fields } };
}

const missingFile: Record<DemoUploadFileField, string> = {
  questionsFile: "Please choose the questions file",
  rubricFile: "Please choose the rubric file",
  submissionFiles: "Please choose at least one submission",
};

const staged = (arrival: Arrival, field: DemoUploadFileField) =>
  arrival.staged.filter((file) => file.field === field);

function problemOf(error: unknown): Problem {
  if (error instanceof Refusal) return error.problem;
  if (isUnavailable(error)) return unavailable;
  throw error;
}
