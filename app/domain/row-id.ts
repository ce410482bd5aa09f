/**
 * Returns the id of a row from an address, a form or a command; undefined if the text is no id. At most fifteen digits
 * are taken, because a number holds so many exactly.
 */
export const idIn = (text: string | null | undefined): number | undefined =>
  text && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
