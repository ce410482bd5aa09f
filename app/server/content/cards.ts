import type { Brand } from "../../brand.ts";
import type { Card, Cards } from "../../domain/article.ts";
import { type CardText, cardName, siteTitle } from "./card-name.ts";

/** Drawn at build time by scripts/cards.ts, for the built-in name and articles, and one without a name. */
const rendered = new Map(
  Object.entries(
    import.meta.glob<string>("../../../.cache/cards/*.png", {
      query: "?url",
      import: "default",
      eager: true,
    }),
  ).map(([file, address]) => [/(\w+)\.png$/.exec(file)![1]!, address]),
);

export function cardsFor({ name }: Brand): Cards {
  const find = (text: CardText): Card | undefined => {
    const src = rendered.get(cardName(text));
    const words = [text.name, text.category, text.title].filter(Boolean).join(": ");
    return src ? { src, alt: `On ruled paper, with a red tick: ${words}` } : undefined;
  };
  const site = find({ name, title: siteTitle }) ?? find({ name: undefined, title: siteTitle })!;
  return { site, of: ({ title, category }) => find({ name, category, title }) ?? site };
}
