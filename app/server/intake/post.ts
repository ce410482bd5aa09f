import type { Readable } from "node:stream";
import { parseWithZod } from "@conform-to/zod/v4";
import { coerceFormValue } from "@conform-to/zod/v4/future";
import { Unavailable } from "#db/errors.ts";
import type { Store } from "#db/store.ts";
import type { StoredRequest } from "../../domain/new-request.ts";
import type { Outcome } from "../../domain/problem.ts";
import type { FormName } from "../../domain/request.ts";
import type { TextFields, Texts } from "../../forms/text-fields.ts";
import { rulesFor } from "../../forms/text-rules.ts";
import type { Log } from "../log.ts";
import { Rejection } from "../rejection.ts";
import type { ClientPace } from "./body.ts";
import type { DraftQuota } from "./draft-quota.ts";
import type { Slots } from "./slots.ts";

/** What the intake needs to know of a form. */
export interface IntakeForm<Fields extends TextFields> {
  name: FormName;
  fields: Fields;
  /** Accepted values of `requestType`; the first is the default. */
  requestTypes?: readonly string[];
  /** Error message if a required text is missing. */
  missingTexts?: string;
  /** Error message for an unexpected failure. */
  failed: string;
}

/** What every receiver depends on. */
export interface IntakeDependencies {
  store: Store;
  takeSlot: Slots["take"];
  /** Limit for the staged files of all clients together. */
  maxStagedBytes: number;
  draftQuota: DraftQuota;
  /** Whether `?test` marks a post as a test. */
  acceptsTests: boolean;
  pace: ClientPace;
  /** Posts that arrive sooner after the page load are suspected to be spam. */
  minElapsedMs: number;
  /** How long an equal post counts as a duplicate. */
  duplicateMs: number;
  productName: string;
  now: () => Date;
  log: Log;
}

/** One post of a form. */
export interface Post {
  /** The Content-Type header, or "". */
  contentType: string;
  /** Of the request's URL. */
  query: URLSearchParams;
  /** Aborted when the client disconnects. */
  signal: AbortSignal;
  /** The body. */
  source: Readable;
  from: "page" | "api";
  /** The client's IP address or network prefix. Never stored. */
  clientAddress: string;
  /** Seconds to wait, if the client has posted too often. */
  retryAfter: number | undefined;
  /** True if less than the required space is free; the post is then rejected. */
  diskIsFull: boolean;
  /** Called when the final transaction begins. */
  onStoring: () => void;
}

/** Reads, validates and stores a post of one form. */
export type Receiver = (post: Post, dependencies: IntakeDependencies) => Promise<Outcome>;

export type SubmitResult = Promise<StoredRequest>;

export interface ValidatedTexts<Fields extends TextFields> {
  /** Trimmed; undefined if there are errors. */
  texts: Texts<Fields> | undefined;
  requestType: string;
  errors: Record<string, string[]>;
}

/** Returns a form's validator, which applies the same rules as the browser. */
export function validatorFor<Fields extends TextFields>({
  fields,
  requestTypes = [],
}: IntakeForm<Fields>): (typed: Record<string, string>) => ValidatedTexts<Fields> {
  const schema = coerceFormValue(rulesFor(fields));
  return (typed) => {
    const data = new FormData();
    // Pass only the form's own fields: names such as __intent__ have a meaning in conform.
    for (const name of Object.keys(fields)) {
      if (Object.hasOwn(typed, name)) data.append(name, typed[name]!);
    }
    const result = parseWithZod(data, { schema, disableAutoCoercion: true });
    const errors = result.status === "error" ? (result.error as Record<string, string[]>) : {};
    const requestType = typed.requestType || requestTypes[0] || "";
    if (typed.requestType && !requestTypes.includes(requestType)) {
      errors.requestType = [`requestType must be one of ${requestTypes.join(", ")}`];
    }
    const isValid = result.status === "success" && Object.keys(errors).length === 0;
    return { texts: isValid ? result.value : undefined, requestType, errors };
  };
}

/** @throws Unavailable if the disk is full, Rejection 429 if the client has posted too often */
export function rejectIfUnavailable({ retryAfter, diskIsFull }: Post): void {
  if (diskIsFull) throw new Unavailable("Less disk space is free than must stay free.");
  if (retryAfter === undefined) return;
  const minutes = Math.ceil(retryAfter / 60);
  throw new Rejection(
    429,
    "too_often",
    `A lot has been sent from your network in a short time. Please try again in ${minutes === 1 ? "a minute" : `${minutes} minutes`}.`,
    { retryAfter },
  );
}

/** @throws Rejection 400 if the client has disconnected, so that its post is not stored */
export function rejectIfCancelled({ signal }: Post): void {
  if (signal.aborted) throw new Rejection(400, "cancelled", "The upload was cancelled.");
}
