/** What an institution states about who may receive files; empty texts are not published. */
interface Stated {
  model: string;
  modelCountry: string;
  dataCountry: string;
  /** The model of the built-in brand is an example, which receives nothing. */
  isBuiltIn: boolean;
}

/** Returns a sentence that says who may receive uploaded files. @param mailsFiles whether emails to the team carry them */
export const recipientsOf = (
  { model, modelCountry, dataCountry, isBuiltIn }: Stated,
  mailsFiles: boolean,
): string => {
  const country = inCountry(dataCountry);
  const server = mailsFiles
    ? `by the providers of our server${country} and our mail`
    : `by the provider of our server${country}`;
  return model && !isBuiltIn
    ? `They may be received by our team, ${server}, and by ${model}${inCountry(modelCountry)}.`
    : `They may be received by our team and ${server}.`;
};

/** The facts about recipients that the institution has not published, such as "where the model runs"; may be empty. */
export const unpublishedOf = ({ model, modelCountry, dataCountry, isBuiltIn }: Stated): string =>
  [
    model && !modelCountry && !isBuiltIn && "where the model runs",
    !dataCountry && "where our server stands",
  ]
    .filter(Boolean)
    .join(" and ");

export const inCountry = (country: string) => country && ` in ${country}`;
