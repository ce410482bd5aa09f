import { useState } from "react";
import { useRouteLoaderData } from "react-router";
import type { Card } from "../domain/article.ts";
import type { loader } from "../root.tsx";

/** A page's title and metadata for search engines and link previews. */
export function PageHead({
  title,
  description,
  path,
  noindex,
  parents = [],
  type = "website",
  card,
  data,
}: {
  title: string;
  description: string;
  /** The page's canonical path. */
  path: string;
  /** Hides the page from search engines: for private pages, and for filtered views of another page. */
  noindex?: boolean;
  /** Breadcrumbs between the home page and this one. */
  parents?: { name: string; path: string }[];
  type?: "website" | "article";
  /** Preview image; defaults to the site's. */
  card?: Card;
  /** Further schema.org data, besides the breadcrumbs. */
  data?: object;
}) {
  const { brand, origin, card: siteCard } = useRouteLoaderData<typeof loader>("root")!;
  const breadcrumbs = [{ name: brand.name, path: "/" }, ...parents, { name: title, path }];
  const breadcrumbList = {
    "@context": "https://schema.org",
    "@type": "BreadcrumbList",
    itemListElement: breadcrumbs.map(({ name, path }, index) => ({
      "@type": "ListItem",
      position: index + 1,
      name,
      item: origin + path,
    })),
  };
  return (
    <>
      <title>{title}</title>
      <meta name="description" content={description} />
      {noindex ? (
        <meta name="robots" content="noindex" />
      ) : (
        <>
          <link rel="canonical" href={origin + path} />
          <LinkPreview {...{ title, description, path, type }} card={card ?? siteCard} />
        </>
      )}
      {path !== "/" && <StructuredData data={breadcrumbList} />}
      {data && <StructuredData data={{ "@context": "https://schema.org", ...data }} />}
    </>
  );
}

/** What a chat or social network shows of a link to the page. */
function LinkPreview({
  title,
  description,
  path,
  type,
  card,
}: {
  title: string;
  description: string;
  path: string;
  type: string;
  card: Card;
}) {
  const { brand, origin } = useRouteLoaderData<typeof loader>("root")!;
  return (
    <>
      <meta property="og:type" content={type} />
      <meta property="og:site_name" content={brand.name} />
      <meta property="og:title" content={title} />
      <meta property="og:description" content={description} />
      <meta property="og:url" content={origin + path} />
      <meta property="og:locale" content="en_ZA" />
      <meta property="og:image" content={origin + card.src} />
      <meta property="og:image:width" content="1200" />
      <meta property="og:image:height" content="630" />
      <meta property="og:image:alt" content={card.alt} />
      <meta name="twitter:card" content="summary_large_image" />
    </>
  );
}

/** Rendered once, by the server: the page's Trusted Types policy forbids writing markup later. */
function StructuredData({ data }: { data: object }) {
  // Escape "<", so that no text can close the script element.
  const [json] = useState(() => JSON.stringify(data).replaceAll("<", "\\u003c"));
  return <script type="application/ld+json" dangerouslySetInnerHTML={{ __html: json }} />;
}
