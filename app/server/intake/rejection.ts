import { FilesGone, Unavailable } from "#db/errors.ts";
import type { Problem } from "../../domain/problem.ts";
import { headingOf } from "../../forms/text-fields.ts";
import type { Log } from "../log.ts";

/** Thrown where a request cannot be read any further. */
export class Rejection extends Error {
  readonly problem: Problem;

  constructor(
    status: Problem["status"],
    code: string,
    error: string,
    more: Pick<Problem, "retryAfter"> = {},
  ) {
    super(error);
    this.problem = { status, code, error, fields: {}, ...more };
  }
}

/**
 * What the visitor is told of an error; its cause goes to the log.
 * @param failed the form's own words for what nobody foresaw
 */
export function problemOf(error: unknown, failed: string, log: Log): Problem {
  if (error instanceof Rejection) return error.problem;
  if (error instanceof FilesGone) return filesGone;
  if (error instanceof Unavailable) {
    log.warn("a submission could not be kept", error);
    return unavailable;
  }
  log.error("a submission failed", error);
  return { status: 500, code: "failed", error: failed, fields: {} };
}

export function invalid(code: string, fields: Problem["fields"]): Problem {
  return { status: 422, code, error: headingOf(fields), fields };
}

export const filesGone: Problem = {
  status: 422,
  code: "files_gone",
  error:
    "We no longer hold the files from before. Please choose the files again where any is missing.",
  fields: {},
};

const unavailable: Problem = {
  status: 503,
  code: "unavailable",
  error: "We cannot store anything at the moment. Please try again in a few minutes.",
  fields: {},
  retryAfter: 60,
};
