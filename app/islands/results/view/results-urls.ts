import type { MarkedSubmission } from "../../../domain/result.ts";
import { type MarksToLookAt, marksToLookAt, type SortKey } from "../../../results/class-report.ts";
import { resultsApiPrefix } from "../../../site.ts";

/** What a page of results shows: the class, one learner, or slips to print. */
export type ResultsView =
  | { kind: "class"; sort: SortKey }
  | { kind: "learner"; index: number; looks: boolean }
  | { kind: "slips"; perPage: 1 | 2; withScripts: boolean };

/** The view that a URL of results asks for; of a learner who does not exist, the class. */
export function viewOf(query: URLSearchParams, count: number): ResultsView {
  const learner = Number(query.get("learner"));
  if (Number.isInteger(learner) && learner >= 1 && learner <= count) {
    return { kind: "learner", index: learner - 1, looks: query.has("look") };
  }
  const slips = query.get("slips");
  if (slips) {
    return { kind: "slips", perPage: slips === "2" ? 2 : 1, withScripts: query.has("scripts") };
  }
  return { kind: "class", sort: query.get("sort") === "mark" ? "mark" : "name" };
}

/** The anchor of a question on a learner's page. @param question position in the paper, from 0 */
export const questionAnchor = (question: number) => `q${question + 1}`;

/** The pages and files of the results behind one token. */
export const linksOf = (token: string) => {
  const classPage = `/?results=${token}`;
  /** A learner's page at a question, in the mode that goes on to the next mark to look at first. */
  const lookAt = ({ index, first }: Pick<MarksToLookAt, "index" | "first">) =>
    `/?results=${token}&learner=${index + 1}&look#${questionAnchor(first)}`;
  return {
    classPage,
    lookAt,
    /** Where that mode goes on to after a decision on a learner: the class, if no mark is left. */
    afterLook: (submissions: MarkedSubmission[], learner: number) => {
      const left = marksToLookAt(submissions);
      const next = left.find(({ index }) => index >= learner) ?? left[0];
      return next ? lookAt(next) : classPage;
    },
    sorted: (sort: SortKey) => `/?results=${token}&sort=${sort}#learners`,
    /** @param index position in the class, from 0 */
    learner: (index: number) => `/?results=${token}&learner=${index + 1}`,
    /** A learner's page at a question. @param question position in the paper, from 0 */
    question: (index: number, question: number) =>
      `/?results=${token}&learner=${index + 1}#${questionAnchor(question)}`,
    /** Where the forms of the class page are posted, or those of a learner's page. */
    post: (index?: number, looks = false) =>
      `/?index&results=${token}${index === undefined ? "" : `&learner=${index + 1}`}${looks ? "&look" : ""}`,
    slips: (perPage: 1 | 2) => `/?results=${token}&slips=${perPage}`,
    /** One learner to a page, and behind each the pages of the script. */
    slipsWithScripts: `/?results=${token}&slips=1&scripts`,
    picture: (fileId: number, page: number) =>
      `${resultsApiPrefix}${token}/pages/${fileId}/${page}`,
    json: resultsApiPrefix + token,
    download: (file: string) => `${resultsApiPrefix}${token}/${file}`,
  };
};

export type ResultsLinks = ReturnType<typeof linksOf>;
