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

/** Returns schema.org data of the service. The demo is a free offer only if the brand states a price for other work. */
export const service = (brand: Brand, origin: string) => ({
  "@type": "Service",
  name: brand.name,
  serviceType: `Marking of exams and assignments${brand.model ? " with AI" : ""}`,
  url: `${origin}/features`,
  provider: organization(brand, origin),
  ...(brand.pricing && {
    offers: { "@type": "Offer", price: "0", priceCurrency: "ZAR", url: `${origin}/#demo` },
  }),
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

export const itemList = (articles: { slug: string }[], origin: string) => ({
  "@type": "ItemList",
  itemListElement: articles.map(({ slug }, index) => ({
    "@type": "ListItem",
    position: index + 1,
    url: `${origin}/${slug}`,
  })),
});
