import type { Article } from "../domain/article.ts";
import { formatDay, formatMonth } from "./day.ts";

/** Id of the section "Since then", in which an article says what has changed. */
const sinceThen = "since-then";

/** The month in which the article was written, and whether it was updated later. */
export function ArticleStanding({ article, note }: { article: Article; note: string }) {
  const { date, updated, contents } = article;
  return (
    <p className="standing">
      Written in {formatMonth(date)}
      {updated ? (
        <>
          {" "}
          and updated on <time dateTime={updated}>{formatDay(updated)}</time>.{" "}
          {contents.some(({ id }) => id === sinceThen) && (
            <>
              What has changed is under <a href={`#${sinceThen}`}>Since then</a>.{" "}
            </>
          )}
        </>
      ) : (
        ". Facts, products and laws are as they were then. "
      )}
      {note}
    </p>
  );
}
