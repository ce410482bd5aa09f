import type { ListedArticle } from "./article-list.tsx";
import { ArticlePicture } from "./article-picture.tsx";

/** The article that the blog opens with, beside its drawing. */
export function LeadArticle({
  article: { slug, title, excerpt, author, readTime, image },
}: {
  article: ListedArticle;
}) {
  return (
    <article className="lead-article halves centred">
      <ArticlePicture name={image} isDecorative />
      <div>
        <h2>
          <a href={`/${slug}`}>{title}</a>
        </h2>
        <p>{excerpt}</p>
        <p className="links hint">
          <span>{author}</span>
          <span>{readTime}</span>
        </p>
      </div>
    </article>
  );
}
