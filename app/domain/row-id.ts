/**
 * The id of a row, as an address, a form or a command gives it; undefined if the text is none. A number holds fifteen
 * digits exactly.
 */
export const idIn = (text: string | null | undefined): number | undefined =>
  text && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
