/** What an institution states about who may receive files; empty texts are not published. */
interface Stated {
  model: string;
  modelCountry: string;
  dataCountry: string;
  /** The model of the built-in brand is an example, which receives nothing. */
  isBuiltIn: boolean;
}

/** Whether emails to the team carry the files of requests. */
export const mailsFiles = (mail: { maxAttachedBytes: number } | undefined): boolean =>
  mail !== undefined && mail.maxAttachedBytes > 0;

/** Returns a sentence on who may receive uploaded files. @param areMailed whether emails carry them to the team */
export const recipientsOf = (
  { model, modelCountry, dataCountry, isBuiltIn }: Stated,
  areMailed: boolean,
): string => {
  const country = inCountry(dataCountry);
  const server = areMailed
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
