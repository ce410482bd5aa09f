import type { Article } from "../domain/article.ts";
import "../styles/parts/article-picture.css";

/** Inlined, so that styles/parts/article-picture.css colours them. */
const drawings = new Map(
  Object.entries(
    import.meta.glob<string>("./pictures/*.svg", {
      query: "?raw",
      import: "default",
      eager: true,
    }),
  ).map(([file, svg]) => [/([^/]+)\.svg$/.exec(file)![1], partsOf(svg)]),
);

function partsOf(svg: string): { alt: string; drawing: string } {
  const [, alt, drawing] = /<title>(.*)<\/title>\n(.*)<\/svg>/s.exec(svg)!;
  return { alt: alt!, drawing: drawing! };
}

/** @param isDecorative if its article's title is beside it */
export function ArticlePicture({
  name,
  isDecorative = false,
}: {
  name: Article["image"];
  isDecorative?: boolean;
}) {
  const { alt, drawing } = drawings.get(name)!;
  return (
    <svg
      className="article-picture drawn"
      viewBox="0 0 400 180"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
      {...(isDecorative ? { "aria-hidden": true } : { role: "img", "aria-label": alt })}
      dangerouslySetInnerHTML={{ __html: drawing }}
    />
  );
}
