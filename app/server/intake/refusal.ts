import type { Problem } from "../../services.ts";

/** Thrown where a request cannot be read any further. */
export class Refusal extends Error {
  readonly problem: Problem;

  constructor(status: Problem["status"], code: string, error: string) {
    super(error);
    this.problem = { status, code, error, fields: {} };
  }
}

export const failed: Problem = {
  status: 500,
  code: "failed",
  error: "Something went wrong on our side. Please try again.",
  fields: {},
};

export const unavailable: Problem = {
  status: 503,
  code: "unavailable",
  error: "We cannot store anything at the moment. Please try again in a few minutes.",
  fields: {},
};
