import type { Receipt } from "../../domain/receipt.ts";

/** The outcome of posting a form to an API endpoint. */
export type FormResponse =
  /** `files`: the request's files, for its receipt. */
  | { kind: "received"; reference: string; files?: Receipt["files"] }
  | {
      kind: "rejected";
      code: string;
      error: string;
      fields: Record<string, string[]>;
    }
  /** `error` is the server's message, if it sent one. */
  | { kind: "failed"; error?: string | undefined; isOffline?: boolean }
  | { kind: "cancelled" };

/** Returns the outcome that a response states. @param body its parsed JSON, or anything else if it cannot be parsed */
export function readResponse(status: number, body: unknown): FormResponse {
  const { reference, error, code, fields } = (body ?? {}) as Record<string, unknown>;
  if (status === 201 && typeof reference === "string") return { kind: "received", reference };
  if (typeof error !== "string") return { kind: "failed" };
  if (status >= 500 || status === 429) return { kind: "failed", error };
  return {
    kind: "rejected",
    code: String(code),
    error,
    fields: (fields ?? {}) as Record<string, string[]>,
  };
}

export const noResponse = (): FormResponse => ({ kind: "failed", isOffline: !navigator.onLine });
