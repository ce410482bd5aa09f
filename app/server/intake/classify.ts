import { elapsedField, honeypotField } from "../../forms/machine-fields.ts";

export interface Classification {
  /** Why the post is suspected to be spam, or null. */
  spam: string | null;
  /** Whether the post came faster than people type. */
  isQuick: boolean;
  isTest: boolean;
  /** Whether the email to the team is stored but not sent. */
  isOnHold: boolean;
}

/** @param query `?test` marks a test, `?test=mail` a test whose email is sent */
export function classify(
  query: URLSearchParams,
  typed: Record<string, string>,
  { acceptsTests, minElapsedMs }: { acceptsTests: boolean; minElapsedMs: number },
): Classification {
  const test = acceptsTests ? query.get("test") : null;
  const isTest = test !== null;
  const spam = typed[honeypotField] ? "the hidden field was filled in" : null;
  // Only the page's script sends this field. Without it the number is NaN, and the post is not quick.
  const isQuick = Number(typed[elapsedField]) < minElapsedMs;
  return { spam, isQuick, isTest, isOnHold: spam !== null || (isTest && test !== "mail") };
}
