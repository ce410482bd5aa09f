import { elapsedField, honeypotField } from "../../forms/machine-fields.ts";

/** Whether a post is suspected spam or a test. */
export interface Classification {
  /** Why it is suspected to be spam, or null. */
  spam: string | null;
  isTest: boolean;
  /** True if the email to the team is stored but not sent. */
  holdEmail: boolean;
}

/**
 * Classifies a post. Spam is a filled-in honeypot, or a form sent faster than people type; only
 * script sets the elapsed time, so API posts and posts without JavaScript pass the second check.
 * @param query `?test` marks a test, `?test=mail` a test whose email is sent
 */
export function classify(
  query: URLSearchParams,
  typed: Record<string, string>,
  dependencies: { acceptsTests: boolean; minElapsedMs: number },
): Classification {
  const test = dependencies.acceptsTests ? query.get("test") : null;
  const isTest = test !== null;
  const spam = spamReason(typed, dependencies.minElapsedMs);
  return { spam, isTest, holdEmail: spam !== null || (isTest && test !== "mail") };
}

function spamReason(typed: Record<string, string>, minElapsedMs: number): string | null {
  if (typed[honeypotField]) return "the hidden field was filled in";
  // Not a number without script, so not quick.
  const elapsedMs = Number(typed[elapsedField]);
  const isQuick = elapsedMs < minElapsedMs;
  return isQuick ? `sent ${Math.max(0, Math.round(elapsedMs))} ms after the page was loaded` : null;
}
