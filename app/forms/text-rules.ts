/** Validation of typed text, shared by browser and server. */
import * as z from "zod/mini";
import { controls, unreadable, withoutInvisible } from "../domain/characters.ts";
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

/** The format of z.email with the limits of RFC 5321: 64 before the @, 63 in a label. */
const email =
  /^(?=.{1,64}@)(?:[\w'+-]+\.)*[\w'+-]*[\w+-]@(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z]{2,63}$/i;

function ruleFor(field: TextField) {
  const { label, type, max, min = 1, required, autoComplete } = field;
  const atMost = z.maxLength(max, {
    error: () => `${label} must be ${formatNumber(max)} characters or fewer`,
  });
  const isReadable = without(
    unreadable,
    `${label} contains a character that cannot be read (�). Please type it again`,
  );
  // A line break counts as one character, as in the browser's maxlength.
  if (type === "paragraphs") {
    return z
      .string(required)
      .check(z.overwrite(cleanParagraphs), isReadable, z.minLength(min, required), atMost);
  }
  const isOneLine = [
    z.overwrite((text: string) => withoutInvisible(text).trim()),
    isReadable,
    without(controls, `${label} must not contain line breaks or control characters`),
  ] as const;
  // A blank optional text becomes undefined.
  if (!required) {
    return z.pipe(
      z.optional(z.string().check(...isOneLine, atMost)),
      z.transform((text) => text || undefined),
    );
  }
  const format =
    type === "email"
      ? z.regex(email, required)
      : z.minLength(min, { error: required, abort: true });
  const isAlphabetic = z.regex(/\p{L}/u, `${label} must contain a letter`);
  const formats = autoComplete === "name" ? [format, isAlphabetic] : [format];
  return z.string(required).check(...isOneLine, ...formats, atMost);
}

/** Line breaks become LF; of the other control characters only tabs stay. */
const cleanParagraphs = (text: string) =>
  withoutInvisible(text)
    .replace(/\r\n?|[\x85\u2028\u2029]/g, "\n")
    .replace(/[^\P{Cc}\n\t]/gu, "")
    .trim();

const without = (characters: RegExp, error: string) =>
  z.refine<string>((text) => text.search(characters) === -1, { error, abort: true });

const formatNumber = (value: number) => value.toLocaleString("en-GB");
