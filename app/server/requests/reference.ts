import { randomBytes } from "node:crypto";

/** 32 characters that are not easily confused: no 0, O, 1 or I. */
const alphabet = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ";

/** Returns a new reference of 60 random bits, for example ABCD-EFGH-JKMN. */
export function newReference(): string {
  return grouped([...randomBytes(12)].map((byte) => alphabet[byte & 31]).join(""));
}

/** Normalises a reference in any case, with or without hyphens; undefined if it is not one. */
export function parseReference(typed: string): string | undefined {
  const characters = typed.toUpperCase().replace(/[\s-]/g, "");
  const areKnown = [...characters].every((character) => alphabet.includes(character));
  return characters.length === 12 && areKnown ? grouped(characters) : undefined;
}

function grouped(characters: string): string {
  return `${characters.slice(0, 4)}-${characters.slice(4, 8)}-${characters.slice(8)}`;
}
