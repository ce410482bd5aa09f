/** How typed text is judged, in the browser and on the server alike. */
import * as z from "zod/mini";
import type { TextField, TextFields, Texts } from "./text-fields.ts";

// zod otherwise tries `new Function`, which the pages' content security policy forbids and reports.
z.config({ jitless: true });

/** The rules of a form, which also trim what they pass. */
export function rulesFor<Fields extends TextFields>(fields: Fields) {
  const shape = Object.entries(fields).map(([name, field]) => [name, ruleFor(field)]);
  return z.object(Object.fromEntries(shape)) as unknown as z.ZodMiniType<Texts<Fields>>;
}

/** What is wrong with typed texts, by field; empty where nothing is. */
export function textErrors(
  fields: TextFields,
  typed: Record<string, unknown>,
): Record<string, string[]> {
  const result = rulesFor(fields).safeParse(typed);
  if (result.success) return {};
  const error = result.error as z.core.$ZodError<Record<string, unknown>>;
  return z.flattenError(error).fieldErrors as Record<string, string[]>;
}

/** Control characters, zero-width characters and those that turn the reading direction. */
export const hiddenCharacters =
  /[\p{Cc}\u061C\u200B-\u200F\u2028-\u202E\u2060-\u2064\u2066-\u2069\uFEFF]/gu;

/** True for text that would show as something other than it is. */
export const hasHiddenCharacters = (text: string) => text.search(hiddenCharacters) !== -1;

function ruleFor(field: TextField) {
  const { label, type, max, least = 1, required } = field;
  const atMost = z.maxLength(max, `${label} must be ${figure(max)} characters or fewer`);
  // Line ends count as one character, as browsers count them.
  if (type === "paragraphs") {
    return z.string(required).check(
      z.overwrite((text) => text.replace(/\r\n?/g, "\n").trim()),
      z.minLength(least, required),
      atMost,
    );
  }
  const seen = z.refine((text) => !hasHiddenCharacters(text as string), {
    error: `${label} must not contain invisible or control characters`,
    abort: true,
  });
  // An empty line counts as none.
  if (!required) {
    return z.pipe(
      z.optional(z.string().check(z.trim(), seen, atMost)),
      z.transform((text) => text || undefined),
    );
  }
  const kind = type === "email" ? z.email(required) : z.minLength(least, required);
  return z.string(required).check(z.trim(), seen, kind, atMost);
}

const figure = (value: number) => value.toLocaleString("en-GB");
