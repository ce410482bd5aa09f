import { createHash } from "node:crypto";

/** The texts on a social card. */
export interface CardText {
  /** Undefined on the card for brands other than the built-in one. */
  name: string | undefined;
  /** Undefined on the site's own card. */
  category?: string;
  title: string;
}

/** Title of the card for other brands. It names no AI, because their sites may have no model. */
export const titleForOthers = "Marked on screen, by your own memo. The last word is yours.";

/** Title of the built-in brand's own card; also the heading of its home page. */
export const siteTitle = "AI-powered grading, in pencil. The red pen stays yours.";

/**
 * Returns the base name of a card's file: a hash of its texts, so that an article which an
 * institution has added or changed never gets a card with other words.
 */
export function cardName({ name = "", category = "", title }: CardText): string {
  const text = [name, category, title].join("\n");
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}
