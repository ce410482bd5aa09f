import { subscriptionFields, subscriptionMessages } from "../forms/subscription.ts";
import { Notice } from "./form/notice.tsx";
import { TextForm, type TextFormIsland } from "./form/text-form.tsx";

/** The form that subscribes to blog updates. */
export default function Subscription({ company, ...form }: TextFormIsland & { company: string }) {
  return (
    <TextForm
      form="subscription"
      fields={subscriptionFields}
      action="/blog"
      submitLabel="Subscribe"
      failure={{ title: "Error", description: subscriptionMessages.failed }}
      success={{ title: "Subscribed", description: subscriptionMessages.received }}
      intro={<p>An e-mail when there is something new to read. Nothing else, and seldom.</p>}
      notice={
        <Notice
          text={`${company} keeps your address and writes to it until you unsubscribe: by the link in each message, or by writing to us.`}
        />
      }
      {...form}
    />
  );
}
