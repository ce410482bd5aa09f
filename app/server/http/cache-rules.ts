import type { Article } from "../../domain/article.ts";
import { sampleToken } from "../../domain/result.ts";
import { generatedFiles, linkApiPrefixes, pages, resultsApiPrefix } from "../../site.ts";
import type { CacheRules } from "./page-cache.ts";

/** Returns the cache rules for the pages and generated files of site.ts, the articles, and the sample class as JSON. */
export function cacheRulesFor(articles: Article[]): CacheRules {
  const categories = new Set(articles.map(({ category }) => category));
  const unlistedPaths = new Set(pages.filter((page) => page.isUnlisted).map(({ path }) => path));
  const paths: CacheRules["paths"] = new Map([
    ...pages
      .filter((page) => !page.isUnlisted)
      .map(({ path, parameters = {} }) => {
        const values = Object.entries(parameters).map(([name, listed]) => [
          name,
          listed === "article categories" ? categories : new Set(listed),
        ]);
        return [path, Object.fromEntries(values)] as const;
      }),
    ...generatedFiles.map(({ path }) => [path, {}] as const),
    ...articles.map(({ slug }) => [`/${slug}`, {}] as const),
    [resultsApiPrefix + sampleToken, {}] as const,
  ]);
  return {
    paths,
    isUncacheable: (path) =>
      unlistedPaths.has(path) ||
      (linkApiPrefixes.some((prefix) => path.startsWith(prefix)) && !paths.has(path)),
  };
}
