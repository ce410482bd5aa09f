import type { Brand } from "../brand.ts";
import type { LegalPage } from "../domain/article.ts";
import "../styles/parts/reading.css";
import { formatDay } from "../domain/day.ts";
import { ContentsList } from "./contents-list.tsx";
import { PageHead } from "./page-head.tsx";
import { titleWith } from "./title.ts";

export function LegalText({
  page: { title, description, intro, updated, html, contents },
  brand,
  path,
  before,
  after,
}: {
  page: LegalPage;
  brand: Brand;
  path: string;
  /** Rendered between the header and the text. */
  before?: React.ReactNode;
  after?: React.ReactNode;
}) {
  return (
    <div className="page legal">
      <PageHead title={titleWith(title, brand.name)} description={description} path={path} />
      <header>
        <h1>{title}</h1>
        <p className="lead">{intro}</p>
        <p className="faded">
          Last changed on <time dateTime={updated}>{formatDay(updated)}</time>
        </p>
      </header>
      {before}
      <div className="with-contents">
        <ContentsList title="On this page" contents={contents} />
        <div className="prose">
          <div dangerouslySetInnerHTML={{ __html: html }} />
          {after}
        </div>
      </div>
    </div>
  );
}
