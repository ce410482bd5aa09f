import { contact } from "../forms/contact.ts";
import { Notice } from "./form/notice.tsx";
import { TextForm, type TextFormIsland } from "./form/text-form.tsx";

/** A prefix of the ids of contact fields: the demo upload has fields of the same names on the home page. */
export const contactIdPrefix = "contact-";

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
