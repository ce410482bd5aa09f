/** Validation of typed text, shared by browser and server. */
import * as z from "zod/mini";
import type { TextField, TextFields, Texts } from "./text-fields.ts";

// By default zod tries `new Function`, which violates the pages' content security policy.
z.config({ jitless: true });

/** The zod schema of a form. Parsing also trims the texts. */
export function rulesFor<Fields extends TextFields>(fields: Fields) {
  const shape = Object.entries(fields).map(([name, field]) => [name, ruleFor(field)]);
  return z.object(Object.fromEntries(shape)) as unknown as z.ZodMiniType<Texts<Fields>>;
}

/** Error messages by field; empty if all texts are valid. */
export function textErrors(
  fields: TextFields,
  typed: Record<string, unknown>,
): Record<string, string[]> {
  const result = rulesFor(fields).safeParse(typed);
  if (result.success) return {};
  const error = result.error as z.core.$ZodError<Record<string, unknown>>;
  return z.flattenError(error).fieldErrors as Record<string, string[]>;
}

/** Control characters, zero-width characters and bidirectional overrides. */
export const hiddenCharacters =
  /[\p{Cc}\u061C\u200B-\u200F\u2028-\u202E\u2060-\u2064\u2066-\u2069\uFEFF]/gu;

export const hasHiddenCharacters = (text: string) => text.search(hiddenCharacters) !== -1;

function ruleFor(field: TextField) {
  const { label, type, max, min = 1, required } = field;
  const atMost = z.maxLength(max, `${label} must be ${formatNumber(max)} characters or fewer`);
  // A line break counts as one character, as in the browser's maxlength.
  if (type === "paragraphs") {
    return z.string(required).check(
      z.overwrite((text) => text.replace(/\r\n?/g, "\n").trim()),
      z.minLength(min, required),
      atMost,
    );
  }
  const isVisible = z.refine((text) => !hasHiddenCharacters(text as string), {
    error: `${label} must not contain invisible or control characters`,
    abort: true,
  });
  // A blank optional text becomes undefined.
  if (!required) {
    return z.pipe(
      z.optional(z.string().check(z.trim(), isVisible, atMost)),
      z.transform((text) => text || undefined),
    );
  }
  const format = type === "email" ? z.email(required) : z.minLength(min, required);
  return z.string(required).check(z.trim(), isVisible, format, atMost);
}

const formatNumber = (value: number) => value.toLocaleString("en-GB");
