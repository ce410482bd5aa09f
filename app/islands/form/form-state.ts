/** The state of a form, with or without files, as a reducer without effects. */
import type { Problem } from "../../domain/problem.ts";
import type { Receipt } from "../../domain/receipt.ts";
import type { FormName } from "../../domain/request.ts";
import { connectionMessages } from "../../forms/sending-time.ts";
import type { FormResponse } from "./api-response.ts";

export interface ToastText {
  title: string;
  description: string;
  destructive?: boolean;
}

export interface ShownToast extends ToastText {
  /** When the toast was first shown: Unix time in milliseconds. */
  since: number;
}

export interface Progress {
  fileCount: number;
  total: number;
  /** Bytes of the files that the server has. */
  arrived: number;
  /** Bytes handed to the network; an unknown part of them still waits in its buffers. */
  onTheWay: number;
  /**
   * "lost": the connection is lost; "busy": others are uploading; "rejected": the server rejects for a time, for another
   * reason. After these three, sending goes on by itself.
   */
  step: "sending" | "storing" | "lost" | "busy" | "rejected";
  /** Seconds until everything is sent, or until the next attempt. */
  seconds?: number | undefined;
}

/** The toast shown if sending fails. `preferServerMessage` replaces its description by the server's. */
type FailureText = ToastText & { preferServerMessage?: true };

export interface FormTexts {
  failure: FailureText;
  success?: ToastText;
}

export type FormState = {
  errors: Problem["fields"];
  toast: ShownToast | undefined;
} & (
  | { status: "idle" }
  /** "invalid": rejected by the rules in the browser; "rejected": by the server. */
  | { status: "invalid" | "rejected"; problem: Problem }
  /** `isStalled`: there has been no progress for a while. */
  | { status: "sending"; progress: Progress | undefined; isStalled: boolean }
  | { status: "failed"; message: string }
  | { status: "received"; receipt: Receipt }
);

export type FormEvent =
  | { type: "validated"; errors: Problem["fields"] }
  | { type: "invalid"; problem: Problem }
  | { type: "sending" }
  | { type: "progress"; progress: Progress }
  | { type: "stalled" }
  | { type: "keep waiting" }
  | { type: "cancelled" }
  | { type: "rejected"; problem: Problem; toast: ShownToast }
  | { type: "failed"; message: string; toast: ShownToast }
  | { type: "received"; receipt: Receipt; toast: ShownToast | undefined }
  | { type: "file chosen"; field: string }
  | { type: "toast closed" }
  | { type: "reset" };

/** The state of a form that a page shows. @param problem why the server returned the form, if it did */
export const initialForm = (problem: Problem | undefined): FormState =>
  problem
    ? { status: "rejected", problem, errors: problem.fields, toast: undefined }
    : { status: "idle", errors: {}, toast: undefined };

export function reduceForm(state: FormState, event: FormEvent): FormState {
  const { errors, toast } = state;
  switch (event.type) {
    case "validated":
      return { ...state, errors: { ...errors, ...event.errors } };
    case "invalid":
      return { status: "invalid", problem: event.problem, errors, toast };
    case "sending":
      return { status: "sending", progress: undefined, isStalled: false, errors, toast: undefined };
    case "progress":
      return whileSending(state, { progress: event.progress, isStalled: false });
    case "stalled":
    case "keep waiting":
      return whileSending(state, { isStalled: event.type === "stalled" });
    case "cancelled":
      return { status: "idle", errors, toast };
    case "rejected":
      return { ...initialForm(event.problem), toast: event.toast };
    case "failed":
      return { status: "failed", message: event.message, errors, toast: event.toast };
    case "received":
      return { status: "received", receipt: event.receipt, errors: {}, toast: event.toast };
    case "file chosen":
      return withoutErrorsOf(state, event.field);
    case "toast closed":
      return { ...state, toast: undefined };
    case "reset":
      return { status: "idle", errors: {}, toast };
  }
}

function whileSending(
  state: FormState,
  change: { progress?: Progress; isStalled: boolean },
): FormState {
  return state.status === "sending" ? { ...state, ...change } : state;
}

function withoutErrorsOf(state: FormState, field: string): FormState {
  const { [field]: _, ...errors } = state.errors;
  if (!("problem" in state)) return { ...state, errors };
  const { [field]: error, ...fields } = state.problem.fields;
  // The toast may be about the error that is gone, so close the toast too.
  const toast = error ? undefined : state.toast;
  return Object.keys(fields).length > 0
    ? { ...state, errors, toast, problem: { ...state.problem, fields } }
    : { status: "idle", errors, toast };
}

/**
 * Returns the event for a response.
 * @param form the form's name, for the receipt, which is made here because fetching a receipt could fail
 * @param since when the response arrived: Unix time in milliseconds
 */
export function eventOf(
  response: FormResponse,
  { failure, success }: FormTexts,
  form: FormName,
  since: number,
): FormEvent {
  switch (response.kind) {
    case "received": {
      const { reference, files = [] } = response;
      const receivedAt = new Date(since).toISOString();
      const receipt = { form, reference, receivedAt, fileCount: files.length, files };
      return { type: "received", receipt, toast: success && { ...success, since } };
    }
    case "cancelled":
      return { type: "cancelled" };
    case "failed": {
      if (response.isOffline) {
        const message = connectionMessages.offline;
        return { type: "failed", message, toast: toastOf(failure, message, since) };
      }
      const { error } = response;
      const { preferServerMessage, description } = failure;
      const toast = toastOf(failure, (preferServerMessage && error) || description, since);
      const further = error && error !== toast.description ? ` ${error}` : "";
      return { type: "failed", message: `${toast.title} - ${toast.description}${further}`, toast };
    }
    case "rejected": {
      const { code, error, fields } = response;
      if (code === "too_quick") {
        const toast = { title: "Please send it again", description: error, since };
        return { type: "failed", message: error, toast };
      }
      const problem = { status: 422, code: "rejected", error, fields };
      // The failure's text asks to try again, but the same form would be rejected again: show the error.
      return { type: "rejected", problem, toast: toastOf(failure, error, since) };
    }
  }
}

const toastOf = ({ title }: FailureText, description: string, since: number): ShownToast => ({
  title,
  description,
  destructive: true,
  since,
});
