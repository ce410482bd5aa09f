import type { SortKey } from "../../results/class-report.ts";
import { resultsApiPrefix } from "../../site.ts";

/** What a page of results shows: the class, one learner, or slips to print. */
export type ResultsView =
  | { kind: "class"; sort: SortKey }
  | { kind: "learner"; index: number }
  | { kind: "slips"; perPage: 1 | 2 };

/** The view that a URL of results asks for; of a learner who does not exist, the class. */
export function viewOf(query: URLSearchParams, count: number): ResultsView {
  const learner = Number(query.get("learner"));
  if (Number.isInteger(learner) && learner >= 1 && learner <= count) {
    return { kind: "learner", index: learner - 1 };
  }
  const slips = query.get("slips");
  if (slips) return { kind: "slips", perPage: slips === "2" ? 2 : 1 };
  return { kind: "class", sort: query.get("sort") === "mark" ? "mark" : "name" };
}

/** The pages and files of the results behind one token. */
export const linksOf = (token: string) => ({
  classPage: `/?results=${token}`,
  sorted: (sort: SortKey) => `/?results=${token}&sort=${sort}#learners`,
  /** @param index position in the class, from 0 */
  learner: (index: number) => `/?results=${token}&learner=${index + 1}`,
  slips: (perPage: 1 | 2) => `/?results=${token}&slips=${perPage}`,
  download: (file: string) => `${resultsApiPrefix}${token}/${file}`,
});

export type ResultsLinks = ReturnType<typeof linksOf>;
