import { notWritten, subscriptionFor } from "../forms/subscription.ts";
import { Notice } from "./form/notice.tsx";
import { TextForm, type TextFormIsland } from "./form/text-form.tsx";

interface SubscriptionProps extends TextFormIsland {
  company: string;
  /** Whether subscribers get emails: there is a mail server and a public URL. */
  isWrittenTo: boolean;
}

export default function Subscription({ company, isWrittenTo, ...form }: SubscriptionProps) {
  const subscription = subscriptionFor(isWrittenTo);
  return (
    <TextForm
      form={subscription}
      action="/blog"
      submitLabel="Subscribe"
      failure={{ title: "Error", description: subscription.messages.failed }}
      success={{ title: "Subscribed", description: subscription.messages.received }}
      intro={
        <p>
          {isWrittenTo
            ? "An email when there is something new to read. Nothing else, and seldom."
            : notWritten}
        </p>
      }
      notice={
        <Notice
          text={
            isWrittenTo
              ? `${company} keeps your address and writes to it until you unsubscribe: by the link in each message, or by writing to us.`
              : `${company} keeps your address until you ask us to delete it.`
          }
        />
      }
      {...form}
    />
  );
}
