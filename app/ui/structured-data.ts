import type { Brand } from "../brand.ts";
import type { Article, Card } from "../domain/article.ts";
import logo from "./icons/icon-512.png?url";

/** Returns schema.org data of the company that runs the site. */
export const organization = (brand: Brand, origin: string) => ({
  "@type": "Organization",
  name: brand.company,
  url: origin,
  logo: origin + logo,
});

export function blogPosting(article: Article, card: Card, brand: Brand, origin: string) {
  const { slug, title, excerpt, description, date, updated, author, category } = article;
  const url = `${origin}/${slug}`;
  return {
    "@type": "BlogPosting",
    headline: title,
    description: description ?? excerpt,
    image: origin + card.src,
    url,
    mainEntityOfPage: url,
    datePublished: date,
    dateModified: updated ?? date,
    author: { "@type": "Organization", name: author, url: origin },
    publisher: organization(brand, origin),
    articleSection: category,
    inLanguage: "en-ZA",
  };
}
