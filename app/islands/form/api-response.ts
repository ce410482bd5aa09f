/** The outcome of posting a form to an API endpoint. */
export type FormResponse =
  | { kind: "received"; reference: string }
  | { kind: "rejected"; status: number; error: string; fields: Record<string, string[]> }
  /** `error` is the server's message, if it sent one. */
  | { kind: "failed"; error?: string | undefined }
  | { kind: "cancelled" };

/** @param body the parsed JSON, or anything else if it could not be parsed */
export function readResponse(status: number, body: unknown): FormResponse {
  const { reference, error, fields } = (body ?? {}) as Record<string, unknown>;
  if (status === 201 && typeof reference === "string") return { kind: "received", reference };
  if (typeof error !== "string") return { kind: "failed" };
  if (status >= 500 || status === 429) return { kind: "failed", error };
  return { kind: "rejected", status, error, fields: (fields ?? {}) as Record<string, string[]> };
}
