import { useState } from "react";
import { useRouteLoaderData } from "react-router";
import type { Card } from "../domain/article.ts";
import type { loader } from "../root.tsx";

/** What a page tells of itself to search engines and to those it is shared with. */
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
  /** The page's one address, from the root. */
  path: string;
  /** A page that only its visitor is to see, or one of many views of another. */
  noindex?: boolean;
  /** The pages above it. */
  parents?: { name: string; path: string }[];
  type?: "website" | "article";
  /** The site's where there is none. */
  card?: Card;
  /** More of schema.org's data, besides the way to the page. */
  data?: object;
}) {
  const { brand, origin, card: siteCard } = useRouteLoaderData<typeof loader>("root")!;
  const { src, alt } = card ?? siteCard;
  const way = [{ name: brand.name, path: "/" }, ...parents, { name: title, path }];
  const crumbs = {
    "@context": "https://schema.org",
    "@type": "BreadcrumbList",
    itemListElement: way.map(({ name, path }, place) => ({
      "@type": "ListItem",
      position: place + 1,
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
          <meta property="og:type" content={type} />
          <meta property="og:site_name" content={brand.name} />
          <meta property="og:title" content={title} />
          <meta property="og:description" content={description} />
          <meta property="og:url" content={origin + path} />
          <meta property="og:locale" content="en_ZA" />
          <meta property="og:image" content={origin + src} />
          <meta property="og:image:width" content="1200" />
          <meta property="og:image:height" content="630" />
          <meta property="og:image:alt" content={alt} />
          <meta name="twitter:card" content="summary_large_image" />
        </>
      )}
      {path !== "/" && <StructuredData data={crumbs} />}
      {data && <StructuredData data={{ "@context": "https://schema.org", ...data }} />}
    </>
  );
}

/** Written once, by the server: the page's policy lets nobody write markup into it later. */
function StructuredData({ data }: { data: object }) {
  // No markup in it can end the script.
  const [json] = useState(() => JSON.stringify(data).replaceAll("<", "\\u003c"));
  return <script type="application/ld+json" dangerouslySetInnerHTML={{ __html: json }} />;
}
