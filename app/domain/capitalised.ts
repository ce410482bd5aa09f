/** Returns a text, which must not be empty, with a capital at its beginning. */
export const capitalised = (text: string) => text[0]!.toUpperCase() + text.slice(1);
