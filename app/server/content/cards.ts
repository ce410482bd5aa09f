import path from "node:path";
import type { Brand } from "../../brand.ts";
import type { Card, Cards } from "../../domain/article.ts";
import { type CardText, cardName, siteTitle, titleForOthers } from "./card-name.ts";

/** Card URLs by card name. scripts/cards.ts renders the cards of the built-in brand, and one for all other brands. */
const rendered = new Map(
  Object.entries(
    import.meta.glob<string>("../../../.cache/cards/*.png", {
      query: "?url",
      import: "default",
      eager: true,
    }),
  ).map(([file, url]) => [path.basename(file, ".png"), url]),
);

/** Returns the social cards of a brand; a page without a card of its own gets the site's card. */
export function cardsFor({ name }: Brand): Cards {
  const find = (text: CardText): Card | undefined => {
    const src = rendered.get(cardName(text));
    const label = [text.name, text.category, text.title].filter(Boolean).join(": ");
    return src ? { src, alt: `On ruled paper, with a red tick: ${label}` } : undefined;
  };
  const site =
    find({ name, title: siteTitle }) ?? find({ name: undefined, title: titleForOthers })!;
  return { site, of: ({ title, category }) => find({ name, category, title }) ?? site };
}
