import type { Problem } from "../domain/problem.ts";

/**
 * An error that becomes the response: an HTTP status, a stable code for programs and a sentence for
 * people. Contains nothing about its cause.
 */
export class Rejection extends Error {
  readonly status: number;
  readonly code: string;
  /** Error messages by form field. */
  readonly fields: Problem["fields"];
  /** Seconds to wait before the next attempt. */
  readonly retryAfter: number | undefined;
  /** The methods that a 405 response names as allowed. */
  readonly allow: string | undefined;

  constructor(
    status: number,
    code: string,
    message: string,
    more: { fields?: Problem["fields"]; retryAfter?: number; allow?: string } = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.fields = more.fields ?? {};
    this.retryAfter = more.retryAfter;
    this.allow = more.allow;
  }

  /** The rejection as data, for a page or the body of an API response. */
  get problem(): Problem {
    const { status, code, message: error, fields, retryAfter } = this;
    return { status, code, error, fields, ...(retryAfter !== undefined && { retryAfter }) };
  }
}

/** Returns the rejection of a request while the database cannot be used. root.tsx adds how to send a form again. */
export const unavailable = (method: string) =>
  new Rejection(
    503,
    method === "POST" ? "unavailable" : "unreadable",
    "Please try again in a few minutes.",
    { retryAfter: 60 },
  );
