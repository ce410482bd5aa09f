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
  const { src, alt } = card ?? siteCard;
  /** What a chat or social network shows of a link to the page. */
  const preview = {
    "og:type": type,
    "og:site_name": brand.name,
    "og:title": title,
    "og:description": description,
    "og:url": origin + path,
    "og:locale": "en_ZA",
    "og:image": origin + src,
    "og:image:width": "1200",
    "og:image:height": "630",
    "og:image:alt": alt,
  };
  const breadcrumbs = [{ name: brand.name, path: "/" }, ...parents, { name: title, path }];
  return (
    <>
      <title>{title}</title>
      <meta name="description" content={description} />
      {noindex ? (
        <meta name="robots" content="noindex" />
      ) : (
        <>
          <link rel="canonical" href={origin + path} />
          {Object.entries(preview).map(([property, content]) => (
            <meta key={property} property={property} content={content} />
          ))}
          <meta name="twitter:card" content="summary_large_image" />
        </>
      )}
      {path !== "/" && <StructuredData data={breadcrumbList(breadcrumbs, origin)} />}
      {data && <StructuredData data={data} />}
    </>
  );
}

const breadcrumbList = (breadcrumbs: { name: string; path: string }[], origin: string) => ({
  "@type": "BreadcrumbList",
  itemListElement: breadcrumbs.map(({ name, path }, index) => ({
    "@type": "ListItem",
    position: index + 1,
    name,
    item: origin + path,
  })),
});

function StructuredData({ data }: { data: object }) {
  const json = JSON.stringify({ "@context": "https://schema.org", ...data });
  // Escape "<", so that no text can close the script element.
  const __html = json.replaceAll("<", "\\u003c");
  return <script type="application/ld+json" dangerouslySetInnerHTML={{ __html }} />;
}
