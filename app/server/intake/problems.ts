import { FilesGone, Unavailable } from "#db/store.ts";
import type { Problem } from "../../domain/problem.ts";
import { errorSummary } from "../../forms/text-fields.ts";
import type { Log } from "../log.ts";
import { Rejection } from "../rejection.ts";

/**
 * Returns the problem that a visitor sees for a thrown error. Logs the error unless the visitor or the post caused it.
 * @param failed the form's message for unexpected errors
 */
export function problemOf(error: unknown, failed: string, log: Log): Problem {
  if (error instanceof Rejection) return error.problem;
  if (error instanceof FilesGone) return filesGone;
  if (error instanceof Unavailable) {
    log.warn("a post could not be stored and was answered with 503", error);
    return unavailable;
  }
  log.error("a post failed unexpectedly and was answered with 500", error);
  return { status: 500, code: "failed", error: failed, fields: {} };
}

export function validationProblem(code: string, fields: Problem["fields"]): Problem {
  return { status: 422, code, error: errorSummary(fields), fields };
}

export const filesGone: Problem = {
  status: 422,
  code: "files_gone",
  error: "We no longer have the files from before. Please choose again any files that are missing.",
  fields: {},
};

export const tooQuick: Problem = {
  status: 422,
  code: "too_quick",
  error: "The form came faster than people type: nothing is lost, so please press Send once more.",
  fields: {},
};

const unavailable: Problem = {
  status: 503,
  code: "unavailable",
  error: "We cannot store anything at the moment. Please try again in a few minutes.",
  fields: {},
  retryAfter: 60,
};
