/** What a call answered, or that no answer came. */
export type Answer =
  | { kind: "received"; reference: string }
  | { kind: "refused"; status: number; error: string; fields: Record<string, string[]> }
  /** The server's own words, where it had any. */
  | { kind: "failed"; error?: string | undefined }
  | { kind: "cancelled" };

/** @param body as parsed from JSON, or anything else */
export function readResponse(status: number, body: unknown): Answer {
  const { reference, error, fields } = (body ?? {}) as Record<string, unknown>;
  if (status === 201 && typeof reference === "string") return { kind: "received", reference };
  if (typeof error !== "string") return { kind: "failed" };
  if (status >= 500 || status === 429) return { kind: "failed", error };
  return { kind: "refused", status, error, fields: (fields ?? {}) as Record<string, string[]> };
}
