import type { MarkedSubmission } from "../../domain/result.ts";
import { idIn } from "../../domain/row-id.ts";
import type { SortKey } from "../../results/class-report.ts";
import { resultsApiPrefix } from "../../site.ts";
import { deskLinks } from "../marking/desk-urls.ts";

/** The parameter that adds proposals to a gradebook file. */
export const proposalsField = "proposals";

/** The parameter that adds a column for each point of the memos to the file of marks. */
export const pointsField = "points";

/** What a page of results shows: the class, one learner, or slips to print. */
export type ResultsView =
  | { kind: "class"; sort: SortKey }
  /** The index is the position in the class, from 0. */
  | { kind: "learner"; index: number }
  | { kind: "slips"; perPage: 1 | 2; withScripts: boolean };

/** The view that a URL of results asks for; the class if the URL names a learner who does not exist. */
export function viewOf(
  query: URLSearchParams,
  submissions: readonly MarkedSubmission[],
): ResultsView {
  const id = idIn(query.get("learner"));
  const index = submissions.findIndex(({ learnerId }) => id !== undefined && learnerId === id);
  if (index !== -1) return { kind: "learner", index };
  const slips = query.get("slips");
  if (slips) {
    return { kind: "slips", perPage: slips === "2" ? 2 : 1, withScripts: query.has("scripts") };
  }
  return { kind: "class", sort: query.get("sort") === "mark" ? "mark" : "name" };
}

/** The URLs of the pages and files of the results behind one token: the educator's, unless other URLs are given. */
export const linksOf = (
  token: string,
  { classPage = `/?results=${token}`, apiPrefix = resultsApiPrefix } = {},
) => {
  const desk = deskLinks(token, "learner");
  return {
    classPage,
    sorted: (sort: SortKey) => `${classPage}&sort=${sort}#learners`,
    learner: ({ learnerId }: MarkedSubmission) => `${classPage}&learner=${learnerId}`,
    /** The URL to which the form that signs is posted. */
    sign: `/?index&results=${token}`,
    slips: (perPage: 1 | 2) => `${classPage}&slips=${perPage}`,
    /** One slip to a page, each followed by the pages of the learner's script. */
    slipsWithScripts: `${classPage}&slips=1&scripts`,
    picture: (fileId: number, page: number) =>
      `${resultsApiPrefix}${token}/pages/${fileId}/${page}`,
    download: (file: string) => `${apiPrefix}${token}/${file}`,
    /** The desk, where marks are decided. */
    desk: desk.overview,
    /** The desk at its next answer. */
    deskNext: desk.next("learner"),
    /** The desk at an answer. Pages show stored submissions, which have an id. */
    answer: ({ learnerId }: MarkedSubmission, questionNumber: string) =>
      desk.answer({ learnerId: learnerId!, questionNumber }),
  };
};

export type ResultsLinks = ReturnType<typeof linksOf>;
