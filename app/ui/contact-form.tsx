import type { Problem } from "../domain/problem.ts";
import type { Receipt } from "../domain/receipt.ts";
import { contactFields, contactMessages } from "../forms/contact.ts";
import { TextNotice } from "./form-page.tsx";
import { TextForm } from "./text-form.tsx";

/** Keeps the ids apart from those of the demo upload, which has the same fields on the home page. */
export const contactIdPrefix = "contact-";

/** The contact form, used on /contact and on the home page. */
export function ContactForm(props: {
  action: string;
  requestType: "contact" | "demo";
  company: string;
  retentionDays: number;
  typed: Record<string, string> | undefined;
  problem: Problem | undefined;
  onReceived: (receipt: Receipt) => void;
  onResponse: () => void;
}) {
  const { requestType, company, retentionDays, ...form } = props;
  return (
    <TextForm
      form="contact"
      fields={contactFields}
      idPrefix={contactIdPrefix}
      extra={{ requestType }}
      submitLabel="Send the message"
      failure={{ title: "Error", description: contactMessages.failed }}
      missing={contactMessages.missing}
      notice={<TextNotice company={company} retentionDays={retentionDays} />}
      {...form}
    />
  );
}
