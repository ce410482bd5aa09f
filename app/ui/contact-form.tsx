import type { Problem } from "../domain/problem.ts";
import type { Receipt } from "../domain/receipt.ts";
import { contactFields, contactMessages } from "../forms/contact.ts";
import { TextNotice } from "./form-page.tsx";
import { TextForm } from "./text-form.tsx";

/** On home the demo upload asks for the same fields. */
export const contactIdPrefix = "contact-";

/** The contact form, on its own page and on the home page. */
export function ContactForm(props: {
  action: string;
  requestType: "contact" | "demo";
  company: string;
  retentionDays: number;
  typed: Record<string, string> | undefined;
  problem: Problem | undefined;
  onReceived: (receipt: Receipt) => void;
  onAnswered: () => void;
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
