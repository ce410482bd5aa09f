import { contact } from "../forms/contact.ts";
import { Notice } from "./form/notice.tsx";
import { TextForm, type TextFormIsland } from "./form/text-form.tsx";

/** Keeps the ids apart from those of the demo upload, which has the same fields on the home page. */
export const contactIdPrefix = "contact-";

/** The contact form, used on /contact and on the home page. */
export default function Contact({
  requestType,
  notice,
  ...form
}: TextFormIsland & {
  action: string;
  requestType: "contact" | "demo";
  notice: string;
}) {
  return (
    <TextForm
      form={contact}
      idPrefix={contactIdPrefix}
      extra={{ requestType }}
      submitLabel="Send the message"
      failure={{ title: "Error", description: contact.messages.failed }}
      notice={<Notice text={notice} />}
      {...form}
    />
  );
}
