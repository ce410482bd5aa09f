/** What the notice at each form says: who keeps what, why, how long, and who may receive it. */
import type { Brand } from "../brand.ts";
import { type Form, hasFiles } from "../forms/form.ts";

/** Who may receive uploaded files; says plainly what the institution has not published. */
export function recipientsOf({ model, modelCountry, dataCountry, reviewers }: Brand): string {
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

/** The notice at a form. */
export function noticeOf(form: Form, brand: Brand, retentionDays: number): string {
  const { company, dataCountry } = brand;
  return hasFiles(form)
    ? `${company} keeps these files and your details ${form.purpose}, and deletes both after ${retentionDays} days. ${recipientsOf(brand)}`
    : `${company} keeps what you type here ${form.purpose}, and deletes it after ${retentionDays} days. It may be received by our team and by the providers of our server${inCountry(dataCountry)} and our mail.`;
}

/** Returns "a, b and c". Not by Intl, whose data for lists takes a start 15 ms to load. */
const listOf = (items: string[]) => items.join(", ").replace(/, ([^,]*)$/, " and $1");

const inCountry = (country: string) => country && ` in ${country}`;
