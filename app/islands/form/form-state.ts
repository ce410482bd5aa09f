/** The state of a form, with or without files, as a reducer without effects. */
import type { Problem } from "../../domain/problem.ts";
import type { Receipt } from "../../domain/receipt.ts";
import type { UploadStep } from "../../domain/upload.ts";
import type { FormResponse } from "./api-response.ts";

export interface ToastText {
  title: string;
  description: string;
  /** Something went wrong. */
  destructive?: boolean;
}

export interface ShownToast extends ToastText {
  /** When it was first shown: Unix time in milliseconds. */
  since: number;
}

export interface Progress {
  fileCount: number;
  /** Bytes, as is `sent`. */
  total: number;
  sent: number;
  step: "sending" | UploadStep;
}

/** The toast shown if sending fails. `preferServerMessage` replaces its description by the server's. */
export type FailureText = ToastText & { preferServerMessage?: true };

export interface FormTexts {
  failure: FailureText;
  /** The toast shown once the form is received. */
  success?: ToastText;
}

export type FormState = {
  /** Error messages by field, as they are shown beside the fields. */
  errors: Problem["fields"];
  toast: ShownToast | undefined;
} & (
  | { status: "idle" }
  /** Rejected by the rules in the browser, or by the server. */
  | { status: "invalid" | "rejected"; problem: Problem }
  | { status: "sending"; progress: Progress | undefined }
  | { status: "failed"; message: string }
  | { status: "received"; receipt: Receipt }
);

export type FormEvent =
  | { type: "validated"; errors: Problem["fields"] }
  | { type: "invalid"; problem: Problem }
  | { type: "sending" }
  | { type: "progress"; progress: Progress }
  | { type: "cancelled" }
  | { type: "rejected"; problem: Problem; toast: ShownToast }
  | { type: "failed"; message: string; toast: ShownToast }
  | { type: "received"; receipt: Receipt; toast: ShownToast | undefined }
  | { type: "file chosen"; field: string }
  | { type: "toast closed" }
  | { type: "reset" };

/** @param problem why the server returned the form, if it did */
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
      return { status: "sending", progress: undefined, errors, toast: undefined };
    case "progress":
      return state.status === "sending" ? { ...state, progress: event.progress } : state;
    case "cancelled":
      return { status: "idle", errors, toast };
    case "rejected":
      return {
        status: "rejected",
        problem: event.problem,
        errors: event.problem.fields,
        toast: event.toast,
      };
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

function withoutErrorsOf(state: FormState, field: string): FormState {
  const { [field]: _, ...errors } = state.errors;
  if (!("problem" in state)) return { ...state, errors };
  const { [field]: _error, ...fields } = state.problem.fields;
  return Object.keys(fields).length > 0
    ? { ...state, errors, problem: { ...state.problem, fields } }
    : { status: "idle", errors, toast: state.toast };
}

/**
 * The event that a response is.
 * @param receiptOf returns what the visitor sees once the server has received the form
 * @param since when it arrived: Unix time in milliseconds
 */
export function eventOf(
  response: FormResponse,
  { failure, success }: FormTexts,
  receiptOf: (reference: string) => Receipt,
  since: number,
): FormEvent {
  switch (response.kind) {
    case "received": {
      const toast = success && { ...success, since };
      return { type: "received", receipt: receiptOf(response.reference), toast };
    }
    case "cancelled":
      return { type: "cancelled" };
    case "failed": {
      const { error } = response;
      const toast = failureToast(failure, error, since);
      const further = error && error !== toast.description ? ` ${error}` : "";
      return { type: "failed", message: `${toast.title} - ${toast.description}${further}`, toast };
    }
    case "rejected": {
      const { error, fields } = response;
      const problem = { status: 422, code: "rejected", error, fields };
      return { type: "rejected", problem, toast: failureToast(failure, error, since) };
    }
  }
}

/** @param error the server's message, if it sent one */
function failureToast(failure: FailureText, error: string | undefined, since: number): ShownToast {
  const { preferServerMessage, title, description } = failure;
  const shown = (preferServerMessage && error) || description;
  return { title, description: shown, destructive: true, since };
}
