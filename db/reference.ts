import { randomFillSync } from "node:crypto";

/** 32 characters that are not mistaken for one another: no 0 and O, no 1 and I. */
const alphabet = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ";

/** Asking the system for twelve bytes takes as long as for a thousand. */
const randomBytes = Buffer.alloc(12 * 100);
let used = randomBytes.length;

/** A new random reference, 60 bits, as shown to people: ABCD-EFGH-JKMN. */
export function newReference(): string {
  if (used === randomBytes.length) {
    randomFillSync(randomBytes);
    used = 0;
  }
  let characters = "";
  for (const end = used + 12; used < end; used += 1) {
    characters += alphabet[randomBytes[used]! & 31];
  }
  return grouped(characters);
}

/** The reference in what somebody typed or followed (any case, with or without hyphens), or undefined. */
export function parseReference(typed: string): string | undefined {
  const characters = typed.toUpperCase().replace(/[\s-]/g, "");
  const known = [...characters].every((character) => alphabet.includes(character));
  return characters.length === 12 && known ? grouped(characters) : undefined;
}

function grouped(characters: string): string {
  return `${characters.slice(0, 4)}-${characters.slice(4, 8)}-${characters.slice(8)}`;
}
