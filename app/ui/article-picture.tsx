import type { Article } from "../domain/article.ts";
import "../styles/parts/article-picture.css";

/** The drawings by name, inlined so that styles/parts/article-picture.css colours them. */
const drawings = new Map(
  Object.entries(
    import.meta.glob<string>("./pictures/*.svg", {
      query: "?raw",
      import: "default",
      eager: true,
    }),
  ).map(([file, svg]) => [file.slice(file.lastIndexOf("/") + 1, -".svg".length), partsOf(svg)]),
);

function partsOf(svg: string): { alt: string; drawing: string } {
  const [, alt, drawing] = /<title>(.*)<\/title>\n(.*)<\/svg>/s.exec(svg)!;
  return { alt: alt!, drawing: drawing! };
}

const frame = {
  viewBox: "0 0 400 180",
  fill: "none",
  stroke: "currentColor",
  strokeWidth: "2",
  strokeLinecap: "round",
  strokeLinejoin: "round",
} as const;

const smallId = (name: string) => `picture-${name}`;

/** The drawings to which the small pictures of a page refer. Articles may share a drawing. */
export const SmallDrawings = ({ of }: { of: Pick<Article, "image">[] }) => (
  <svg className="drawn visually-hidden" aria-hidden="true">
    {[...new Set(of.map(({ image }) => image))].map((name) => (
      <symbol
        key={name}
        id={smallId(name)}
        {...frame}
        dangerouslySetInnerHTML={{ __html: drawings.get(name)!.drawing }}
      />
    ))}
  </svg>
);

/** A drawing beside its article's title in a list. */
export const SmallPicture = ({ name }: { name: Article["image"] }) => (
  <svg className="article-picture drawn" viewBox={frame.viewBox} aria-hidden="true">
    <use href={`#${smallId(name)}`} />
  </svg>
);

/** @param isDecorative hides the drawing from screen readers, if its article's title is beside it */
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
      {...frame}
      {...(isDecorative ? { "aria-hidden": true } : { role: "img", "aria-label": alt })}
      dangerouslySetInnerHTML={{ __html: drawing }}
    />
  );
}
