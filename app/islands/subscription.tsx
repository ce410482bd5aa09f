import { subscription } from "../forms/subscription.ts";
import { Notice } from "./form/notice.tsx";
import { TextForm, type TextFormIsland } from "./form/text-form.tsx";

export default function Subscription({ company, ...form }: TextFormIsland & { company: string }) {
  return (
    <TextForm
      form={subscription}
      action="/blog"
      submitLabel="Subscribe"
      failure={{ title: "Error", description: subscription.messages.failed }}
      success={{ title: "Subscribed", description: subscription.messages.received }}
      intro={<p>An email when there is something new to read. Nothing else, and seldom.</p>}
      notice={
        <Notice
          text={`${company} keeps your address and writes to it until you unsubscribe: by the link in each message, or by writing to us.`}
        />
      }
      {...form}
    />
  );
}
