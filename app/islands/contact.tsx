import { contactFields, contactMessages } from "../forms/contact.ts";
import { TextNotice } from "./form/notices.tsx";
import { TextForm, type TextFormIsland } from "./form/text-form.tsx";

/** Keeps the ids apart from those of the demo upload, which has the same fields on the home page. */
export const contactIdPrefix = "contact-";

/** The contact form, used on /contact and on the home page. */
export default function Contact({
  requestType,
  company,
  retentionDays,
  ...form
}: TextFormIsland & {
  action: string;
  requestType: "contact" | "demo";
  company: string;
  retentionDays: number;
}) {
  return (
    <TextForm
      form="contact"
      fields={contactFields}
      idPrefix={contactIdPrefix}
      extra={{ requestType }}
      submitLabel="Send the message"
      failure={{ title: "Error", description: contactMessages.failed }}
      missingTexts={contactMessages.missing}
      notice={<TextNotice company={company} retentionDays={retentionDays} />}
      {...form}
    />
  );
}
