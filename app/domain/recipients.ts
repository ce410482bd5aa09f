/** What an institution states about who may receive files; empty texts are not published. */
interface Stated {
  model: string;
  modelCountry: string;
  dataCountry: string;
  reviewers: string;
}

/** Who may receive uploaded files; says plainly what the institution has not published. */
export function recipientsOf({ model, modelCountry, dataCountry, reviewers }: Stated): string {
  const missing = [
    !model && "whose model it is",
    !modelCountry && "where it runs",
    !dataCountry && "where our server stands",
  ].filter((item) => item !== false);
  return [
    `They may be received by our team${reviewers && ` (${reviewers})`}, by the provider of our server${inCountry(dataCountry)}, and by ${model || "the provider of the model that proposes the marks"}${inCountry(modelCountry)}.`,
    missing.length > 0 &&
      `We have not published ${listOf(missing)}: ask us before you send learners’ work.`,
  ]
    .filter(Boolean)
    .join(" ");
}

export const inCountry = (country: string) => country && ` in ${country}`;

/** Returns "a, b and c". Not by Intl, whose data for lists takes a start 15 ms to load. */
const listOf = (items: string[]) => items.join(", ").replace(/, ([^,]*)$/, " and $1");
