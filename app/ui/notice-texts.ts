import type { Brand } from "../brand.ts";
import { counted } from "../domain/counted.ts";
import { inCountry, recipientsOf } from "../domain/recipients.ts";
import { type Form, hasFiles } from "../forms/form.ts";

/** The notice at a form: who keeps what, why, how long, and who may receive it. */
export function noticeOf(
  form: Form,
  brand: Brand,
  { retentionDays, mailsFiles }: { retentionDays: number; mailsFiles: boolean },
): string {
  const { company, dataCountry } = brand;
  return hasFiles(form)
    ? `${company} keeps these files and your details ${form.purpose}, and deletes both after ${counted(retentionDays, "day")}. ${recipientsOf(brand, mailsFiles)}`
    : `${company} keeps what you type here ${form.purpose}, and deletes it after ${counted(retentionDays, "day")}. It may be received by our team and by the providers of our server${inCountry(dataCountry)} and our mail.`;
}
