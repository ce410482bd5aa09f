import { parseWithZod } from "@conform-to/zod/v4";
import { FilesGone, Unavailable } from "#db/errors.ts";
import { newReference } from "#db/reference.ts";
import type { Store } from "#db/store.ts";
import type { StagedFile } from "#db/uploaded-file.ts";
import {
  contactFields,
  type DemoUploadContact,
  type DemoUploadFileField,
  type DemoUploadFiles,
  demoUploadFileFields,
} from "../../forms/demo-upload.ts";
import { demoUploadRules } from "../../forms/demo-upload-rules.ts";
import { fileMessages, maxFileBytes } from "../../forms/files.ts";
import type { Outcome, Problem } from "../../services.ts";
import type { Log } from "../log.ts";
import { demoUploadLetter } from "../mail/letters.ts";
import { drain } from "./multipart.ts";
import { failed, Refusal, unavailable } from "./refusal.ts";
import type { Release } from "./slots.ts";
import { Upload, type UploadForm } from "./upload.ts";

const form: UploadForm = {
  name: "demo-upload",
  textFields: [...contactFields, "requestType"],
  fileFields: demoUploadFileFields,
  limits: {
    part: maxFileBytes,
    // 52 files, an empty input for each that may be replaced, the texts, and some to be refused by name.
    parts: 150,
    body: 60 * maxFileBytes,
  },
};

/** How much of a refused body is read to its end, so that browsers show the answer and not a broken line. */
const drainBytes = 4 * form.limits.body;

export interface IntakeWorld {
  store: Store;
  takeSlot: (signal: AbortSignal) => Promise<Release>;
  /** How many bytes may be staged in all. */
  mostStagedBytes: number;
  productName: string;
  now: () => Date;
  log: Log;
  /** Told when the final transaction begins. */
  onStoring: () => void;
}

/**
 * One demo upload: each file is kept as it arrives, all of it is judged, and one transaction makes a
 * request of it. A refused upload leaves nothing behind, unless its good files are held.
 * @param hold keep the good files of a refused upload under a token, for a visitor without JavaScript
 */
export async function receiveDemoUpload(
  request: Request,
  hold: boolean,
  world: IntakeWorld,
): Promise<Outcome> {
  const { store, now } = world;
  const upload = new Upload(form, store, world.mostStagedBytes, now);
  let release: Release | undefined;
  try {
    release = await world.takeSlot(request.signal);
    await upload.read(request);
    const repeat = await store.findRepeat(upload.fingerprint, now());
    if (repeat) return { received: true, ...repeat };
    if (hold && upload.isRemoval && !upload.tokenIsDead) {
      return await comeBack(upload, filesProblem(upload), world);
    }
    const judged = judge(upload);
    if ("problem" in judged) {
      return await comeBack(upload, judged.problem, hold ? world : undefined);
    }
    refuseIfCancelled(request);
    world.onStoring();
    const submitted = await submit(upload, judged, world);
    return { received: true, ...submitted };
  } catch (error) {
    const problem = problemOf(error, world.log);
    // Whoever found no slot has sent a text worth giving back; a form that cannot be read has not.
    if (!release && hold) await upload.readTextOnly(request).catch(() => {});
    release?.();
    if (problem.code !== "stalled") await drain(request, drainBytes);
    // What the token held before, it still holds.
    const { staging, token, typed } = upload;
    const held = hold && staging ? { token: token!, files: staging.files.map(forPage) } : undefined;
    return { received: false, problem, typed, held };
  } finally {
    release?.();
    // Where even this fails, the sweep at the next start does it.
    await store.discardStagedFiles(upload.arrived.map(({ id }) => id)).catch(() => {});
  }
}

async function submit(upload: Upload, judged: Judged, world: IntakeWorld) {
  const { contact, files } = judged;
  const { fingerprint, staging } = upload;
  const { productName, store } = world;
  const reference = newReference();
  const receivedAt = world.now();
  const letter = demoUploadLetter({ reference, contact, files, receivedAt, productName });
  const submitted = await store.submitDemoUpload(
    { reference, fingerprint, contact, files, stagingId: staging?.id, letter },
    receivedAt,
  );
  // They are the request's now, and no longer ours to discard.
  if (submitted.reference === reference) upload.arrived = [];
  return submitted;
}

/** The form goes back to the visitor; with a world, its good files are held until it comes again. */
async function comeBack(
  upload: Upload,
  problem: Problem | undefined,
  world: IntakeWorld | undefined,
): Promise<Outcome> {
  const { typed, token } = upload;
  const files = Object.keys(form.fileFields).flatMap((field) => upload.files(field));
  if (!world || (files.length === 0 && upload.dropped.size === 0)) {
    return { received: false, problem, typed, held: undefined };
  }
  const change = {
    form: form.name,
    held: upload.staging?.id,
    keep: upload.arrived.map(({ id }) => id),
    forget: [...upload.dropped],
  };
  const newToken = await world.store.holdStagedFiles(change, world.now());
  upload.arrived = [];
  const held = {
    token: newToken ?? token!,
    files: files.map(forPage),
  };
  return { received: false, problem, typed, held };
}

const forPage = ({ id, field, name, size }: StagedFile) => ({ id, field, name, size });

/** An upload that nobody waits for any more is not kept. */
function refuseIfCancelled(request: Request): void {
  if (request.signal.aborted) throw new Refusal(400, "cancelled", "The upload was cancelled.");
}

interface Judged {
  contact: DemoUploadContact;
  files: DemoUploadFiles<StagedFile>;
}

function judge(upload: Upload): Judged | { problem: Problem } {
  const typed = new FormData();
  for (const [name, value] of Object.entries(upload.typed)) typed.append(name, value);
  const text = parseWithZod(typed, { schema: demoUploadRules });
  const missing = upload.missing();
  const fields: Problem["fields"] = {
    ...Object.fromEntries(
      missing.map((field) => [
        field,
        [
          upload.tokenIsDead
            ? "Please choose the files again"
            : missingFile[field as DemoUploadFileField],
        ],
      ]),
    ),
    ...upload.reasons,
    ...(text.status === "error" && (text.error as Record<string, string[]>)),
  };
  const [questionsFile] = upload.files("questionsFile");
  const [rubricFile] = upload.files("rubricFile");
  const submissionFiles = upload.files("submissionFiles");
  if (
    text.status === "success" &&
    !upload.tokenIsDead &&
    Object.keys(fields).length === 0 &&
    questionsFile &&
    rubricFile &&
    submissionFiles.length > 0
  ) {
    const { requestType: _, ...contact } = text.value;
    return { contact, files: { questionsFile, rubricFile, submissionFiles } };
  }
  if (missing.length > 0) {
    return { problem: { status: 422, code: "missing_files", error: fileMessages.missing, fields } };
  }
  if (upload.tokenIsDead) return { problem: { ...filesGone, fields } };
  const code = Object.keys(upload.reasons).length > 0 ? "invalid_files" : "invalid_fields";
  return { problem: invalid(code, fields) };
}

/** What is wrong with the files alone. */
function filesProblem({ reasons }: Upload): Problem | undefined {
  return Object.keys(reasons).length > 0 ? invalid("invalid_files", reasons) : undefined;
}

function invalid(code: string, fields: Problem["fields"]): Problem {
  const reasons = Object.values(fields).flat();
  const error =
    reasons.length === 1 ? reasons[0]! : "Please correct what is marked and send it again.";
  return { status: 422, code, error, fields };
}

const filesGone: Problem = {
  status: 422,
  code: "files_gone",
  error:
    "We no longer hold the files from before. Please choose the files again where any is missing.",
  fields: {},
};

const missingFile: Record<DemoUploadFileField, string> = {
  questionsFile: "Please choose the questions file",
  rubricFile: "Please choose the rubric file",
  submissionFiles: "Please choose at least one submission",
};

function problemOf(error: unknown, log: Log): Problem {
  if (error instanceof Refusal) return error.problem;
  if (error instanceof FilesGone) return filesGone;
  if (error instanceof Unavailable) {
    log.warn("an upload could not be kept", error);
    return unavailable;
  }
  log.error("an upload failed", error);
  return failed;
}
