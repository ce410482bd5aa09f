/** What an institution states about who may receive files; empty texts are not published. */
interface Stated {
  model: string;
  modelCountry: string;
  dataCountry: string;
}

/** Who may receive uploaded files. */
export const recipientsOf = ({ model, modelCountry, dataCountry }: Stated): string =>
  `They may be received by our team, by the provider of our server${inCountry(dataCountry)}, and by ${model || "the provider of the model that proposes the marks"}${inCountry(modelCountry)}.`;

/** What of that the institution has not published: "whose model it is and where it runs"; may be empty. */
export const unpublishedOf = ({ model, modelCountry, dataCountry }: Stated): string =>
  listOf(
    [
      !model && "whose model it is",
      !modelCountry && "where it runs",
      !dataCountry && "where our server stands",
    ].filter((item) => item !== false),
  );

export const inCountry = (country: string) => country && ` in ${country}`;

/** Returns "a, b and c". Not by Intl, whose data for lists takes a start 15 ms to load. */
const listOf = (items: string[]) => items.join(", ").replace(/, ([^,]*)$/, " and $1");
