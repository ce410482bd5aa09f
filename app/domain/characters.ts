/** Characters that texts are cleaned of, or rejected for. */

/**
 * Default-ignorable characters, such as zero-width characters and bidirectional controls, and interlinear annotations.
 * Some joiners and variation selectors change what people see: in Arabic and Indic scripts, after ideographs, and in
 * emoji. Each of these is kept, together with the character before it.
 */
const invisible =
  /(?<kept>(?![\p{sc=Latn}\p{sc=Grek}\p{sc=Cyrl}\p{sc=Zinh}\p{DI}])[\p{L}\p{M}\p{ExtPict}\p{EMod}](?:\p{VS}\p{Join_C}?|\p{Join_C}))|[\p{DI}\uFFF9-\uFFFB]/gu;

/** Removes the invisible characters that come along when a text is copied. */
export const withoutInvisible = (text: string) => text.replace(invisible, "$<kept>");

/** Line breaks and other control characters. */
export const controls = /[\p{Cc}\u2028\u2029]/gu;

/**
 * Characters that no text may contain: the replacement character, which a decoder puts in place of bytes that are not
 * UTF-8; lone surrogates, which UTF-8 cannot encode; and noncharacters, two of which make XML malformed.
 */
export const unreadable = /[\uFFFD\p{Cs}\p{NChar}]/u;

/** Whether a text can be a single line: it has no line break, control character or unreadable one. */
export const isReadableLine = (text: string): boolean =>
  text.search(controls) === -1 && !unreadable.test(text);
