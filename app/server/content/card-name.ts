import { createHash } from "node:crypto";

/** What stands on a social card. */
export interface CardText {
  /** Undefined on the one that serves any brand. */
  name: string | undefined;
  /** Undefined on the site's own. */
  category?: string;
  title: string;
}

/** What the site's own card says, as its home page does. */
export const siteTitle = "AI-powered grading, in pencil. The red pen stays yours.";

/**
 * The name of a card's file. It follows from every word on it, so a page of another brand, or an article
 * that an institution wrote or changed, finds no card that says something else.
 */
export function cardName({ name = "", category = "", title }: CardText): string {
  const words = [name, category, title].join("\n");
  return createHash("sha256").update(words).digest("hex").slice(0, 16);
}
