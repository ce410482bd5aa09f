import { elapsedField, honeypotField } from "../../forms/machine-fields.ts";

/** What a submission is held to be, besides what it says. */
export interface Classification {
  /** Why it is suspected to be spam, or null. */
  spam: string | null;
  isTest: boolean;
  holdEmail: boolean;
}

/**
 * Whoever filled in the field that nobody sees, or sent the form sooner than anybody types, gets a
 * normal answer, and the post goes into quarantine. Time is told by script alone: a direct call, or a
 * post without JavaScript, tells none and is not suspected.
 * @param query marks it as a test by `?test`, and by `?test=mail` where its letter is to be sent
 */
export function classify(
  query: URLSearchParams,
  typed: Record<string, string>,
  dependencies: { takesTests: boolean; minElapsedMs: number },
): Classification {
  const test = dependencies.takesTests ? query.get("test") : null;
  const elapsed = typed[elapsedField];
  const isQuick = elapsed !== undefined && Number(elapsed) < dependencies.minElapsedMs;
  const spam = typed[honeypotField]
    ? "the hidden field was filled in"
    : isQuick
      ? `sent ${Math.max(0, Math.round(Number(elapsed) || 0))} ms after the page was loaded`
      : null;
  const isTest = test !== null;
  return { spam, isTest, holdEmail: spam !== null || (isTest && test !== "mail") };
}

/** Belongs to a post's identity: a test, or what is suspected, must not swallow the same sent in earnest. */
export const kindOf = ({ isTest, spam }: Classification): boolean[] => [isTest, spam !== null];
