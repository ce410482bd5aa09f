/** The rules for typed text that the forms share. */
import * as z from "zod/mini";

// zod otherwise tries `new Function`, which the pages' content security policy forbids and reports.
z.config({ jitless: true });

/** Control characters, zero-width characters and those that turn the reading direction. */
export const hiddenCharacters =
  /[\p{Cc}\u061C\u200B-\u200F\u2028-\u202E\u2060-\u2064\u2066-\u2069\uFEFF]/gu;

/** True for text that would show as something other than it is. */
export const hasHiddenCharacters = (text: string) => text.search(hiddenCharacters) !== -1;

export function requiredLine(label: string, most: number) {
  const required = `${label} is required`;
  return z.string(required).check(z.trim(), z.minLength(1, required), ...oneLine(label, most));
}

/** An empty line counts as none. */
export function optionalLine(label: string, most: number) {
  return z.pipe(
    z.optional(z.string().check(z.trim(), ...oneLine(label, most))),
    z.transform((text) => text || undefined),
  );
}

export function emailAddress(most: number) {
  const message = "Please enter a valid email address";
  return z.string(message).check(z.trim(), ...oneLine("Email address", most), z.email(message));
}

/** Text of several lines. Line ends count as one character, as browsers count them. */
export function paragraphs(length: { least: number; most: number }, tooShort: string) {
  return z.string(tooShort).check(
    z.overwrite((text) => text.replace(/\r\n?/g, "\n").trim()),
    z.minLength(length.least, tooShort),
    z.maxLength(length.most, `Message must be ${figure(length.most)} characters or fewer`),
  );
}

function oneLine(label: string, most: number) {
  return [
    z.refine((text) => !hasHiddenCharacters(text as string), {
      error: `${label} must not contain invisible or control characters`,
      abort: true,
    }),
    z.maxLength(most, `${label} must be ${figure(most)} characters or fewer`),
  ];
}

const figure = (value: number) => value.toLocaleString("en-GB");
