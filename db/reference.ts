import { randomBytes } from "node:crypto";

/** 32 characters that are not mistaken for one another: no 0 and O, no 1 and I. */
const alphabet = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ";

/** A new random reference, 60 bits, as shown to people: ABCD-EFGH-JKMN. */
export function newReference(): string {
  return grouped(Array.from(randomBytes(12), (byte) => alphabet[byte & 31]).join(""));
}

/** The reference in what somebody typed or followed (any case, with or without hyphens), or undefined. */
export function parseReference(typed: string): string | undefined {
  const characters = typed.toUpperCase().replace(/[\s-]/g, "");
  const known = [...characters].every((character) => alphabet.includes(character));
  return characters.length === 12 && known ? grouped(characters) : undefined;
}

function grouped(characters: string): string {
  return characters.match(/.{4}/g)!.join("-");
}
