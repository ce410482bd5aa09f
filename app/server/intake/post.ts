import type { Readable } from "node:stream";
import { parseWithZod } from "@conform-to/zod/v4";
import { coerceFormValue } from "@conform-to/zod/v4/future";
import { Unavailable } from "#db/errors.ts";
import type { Submitted } from "#db/operations/duplicates.ts";
import type { Store } from "#db/store.ts";
import type { Outcome } from "../../domain/problem.ts";
import type { FormName } from "../../domain/request.ts";
import type { TextFields, Texts } from "../../forms/text-fields.ts";
import { rulesFor } from "../../forms/text-rules.ts";
import type { Log } from "../log.ts";
import type { Pace } from "./body.ts";
import type { DraftQuota } from "./draft-quota.ts";
import { Rejection } from "./rejection.ts";
import type { Slots } from "./slots.ts";

/** A form as its intake must know it. */
export interface IntakeForm<Fields extends TextFields> {
  name: FormName;
  fields: Fields;
  /** What may stand in `requestType`; the first where nothing does. */
  requestTypes?: readonly string[];
  /** Heads the problem where a required text is missing. */
  missingTexts?: string;
  /** What the visitor is told when something fails that nobody foresaw. */
  failed: string;
}

/** What every intake works with. */
export interface IntakeDependencies {
  store: Store;
  takeSlot: Slots["take"];
  /** How many bytes may be staged in all. */
  maxStagedBytes: number;
  draftQuota: DraftQuota;
  /** Whether posts that say they are tests are taken as such. */
  takesTests: boolean;
  pace: Pace;
  /** Posts that script sends sooner after the page are suspected, in milliseconds. */
  minElapsedMs: number;
  /** How long the same post again counts as the same request, in milliseconds. */
  duplicateMs: number;
  productName: string;
  now: () => Date;
  log: Log;
}

/** One post, and how it came. */
export interface Post {
  /** As its header has it; "" where there is none. */
  contentType: string;
  /** Of its address. */
  query: URLSearchParams;
  /** Aborted when whoever sends it has gone. */
  signal: AbortSignal;
  /** Its body. */
  source: Readable;
  from: "page" | "api";
  /** The address that it came from, or the network that stands for it; kept nowhere. */
  clientAddress: string;
  /** Set where the sender has posted too often: seconds to wait. */
  retryAfter: number | undefined;
  /** Nothing may be taken in before there is room again. */
  diskIsFull: boolean;
  /** Told when the final transaction begins. */
  onStoring: () => void;
}

/** Reads, judges and stores a post of one form. */
export type Receive = (post: Post, dependencies: IntakeDependencies) => Promise<Outcome>;

export type SubmitResult = Promise<Submitted>;

export interface ValidatedTexts<Fields extends TextFields> {
  /** Trimmed; undefined where anything is wrong. */
  texts: Texts<Fields> | undefined;
  requestType: string;
  errors: Record<string, string[]>;
}

/** Judges what was typed by the rules that the browser has too; they are made once, for all posts. */
export function validatorFor<Fields extends TextFields>({
  fields,
  requestTypes = [],
}: IntakeForm<Fields>): (typed: Record<string, string>) => ValidatedTexts<Fields> {
  const schema = coerceFormValue(rulesFor(fields));
  return (typed) => {
    const data = new FormData();
    // Nothing else: names such as __intent__ mean something to the library.
    for (const name of Object.keys(fields)) {
      if (Object.hasOwn(typed, name)) data.append(name, typed[name]!);
    }
    const result = parseWithZod(data, { schema, disableAutoCoercion: true });
    const errors = result.status === "error" ? (result.error as Record<string, string[]>) : {};
    const requestType = typed.requestType || requestTypes[0] || "";
    if (typed.requestType && !requestTypes.includes(requestType)) {
      errors.requestType = [`requestType must be one of ${requestTypes.join(", ")}`];
    }
    const isGood = result.status === "success" && Object.keys(errors).length === 0;
    return { texts: isGood ? result.value : undefined, requestType, errors };
  };
}

/** Refuses what has nothing to do with what was sent: a full disk, a sender in a hurry. */
export function rejectIfUnavailable({ retryAfter, diskIsFull }: Post): void {
  if (diskIsFull) throw new Unavailable("There is less room on the disk than must stay free.");
  if (retryAfter === undefined) return;
  const minutes = Math.ceil(retryAfter / 60);
  throw new Rejection(
    429,
    "too_often",
    `A lot has been sent from your network in a short time. Please try again in ${minutes === 1 ? "a minute" : `${minutes} minutes`}.`,
    { retryAfter },
  );
}

/** A submission that nobody waits for any more is not kept. */
export function rejectIfCancelled({ signal }: Post): void {
  if (signal.aborted) throw new Rejection(400, "cancelled", "The upload was cancelled.");
}
