/** Returns a text, which must not be empty, with its first letter as a capital. */
export const capitalised = (text: string) => text[0]!.toUpperCase() + text.slice(1);
