/** Rules of typed text, shared by browser and server. */
import { controls, unreadable, withoutInvisible } from "../domain/characters.ts";
import type { TextField, TextFields } from "./text-fields.ts";

/** Error messages by field; empty if all texts are valid. */
export function textErrors(
  fields: TextFields,
  typed: Record<string, unknown>,
): Record<string, string[]> {
  const errors = Object.entries(fields).map(([name, field]) => {
    const text = typed[name];
    const isMissing = typeof text !== "string";
    return [name, isMissing ? field.required : textProblem(field, cleanText(field, text))];
  });
  return Object.fromEntries(
    errors.filter(([, error]) => error).map(([name, error]) => [name, [error]]),
  );
}

/** Returns the text as it is stored. */
export function cleanText({ type }: TextField, text: string): string {
  const visible = withoutInvisible(text);
  if (type !== "paragraphs") return visible.trim();
  // Line breaks become LF; of the other control characters only tabs stay.
  return visible
    .replace(/\r\n?|[\x85\u2028\u2029]/g, "\n")
    .replace(/[^\P{Cc}\n\t]/gu, "")
    .trim();
}

/** The format of z.email with the limits of RFC 5321 (64 characters before the @) and of RFC 1035 (63 in a label). */
const email =
  /^(?=.{1,64}@)(?:[\w'+-]+\.)*[\w'+-]*[\w+-]@(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z]{2,63}$/i;

/** Returns what is wrong with a text that cleanText has returned, or undefined. */
export function textProblem(field: TextField, text: string): string | undefined {
  const { label, type, max, min = 1, required, autoComplete } = field;
  if (has(unreadable, text))
    return `${label} contains a character that cannot be read (�). Please type it again`;
  if (type !== "paragraphs" && has(controls, text))
    return `${label} must not contain line breaks or control characters`;
  if (required && (type === "email" ? !email.test(text) : text.length < min)) return required;
  if (required && autoComplete === "name" && !/\p{L}/u.test(text))
    return `${label} must contain a letter`;
  // A line break counts as one character, as in the browser's maxlength.
  if (text.length > max)
    return `${label} must be ${max.toLocaleString("en-GB")} characters or fewer`;
  return undefined;
}

/** Uses `search`, because `test` of a global pattern begins where the last match ended. */
const has = (characters: RegExp, text: string) => text.search(characters) !== -1;
