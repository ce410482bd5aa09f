import type { Problem } from "../domain/problem.ts";
import type { Receipt } from "../domain/receipt.ts";
import { subscriptionFields, subscriptionMessages } from "../forms/subscription.ts";
import { TextForm } from "./text-form.tsx";
import { ThankYou } from "./thank-you.tsx";
import { useToast } from "./use-toast.tsx";

/** The form that subscribes to blog updates. */
export function SubscribeBox({
  company,
  receipt,
  onReceived,
  ...form
}: {
  company: string;
  receipt: Receipt | null;
  typed: Record<string, string> | undefined;
  problem: Problem | undefined;
  onReceived: (receipt: Receipt) => void;
  onResponse: () => void;
}) {
  const { toast, show } = useToast();
  return (
    <section className="subscribe" id="stay-updated" aria-labelledby="subscribe-title">
      <h2 id="subscribe-title">Stay Updated</h2>
      {receipt ? (
        <ThankYou receipt={receipt} />
      ) : (
        <>
          <p>An e-mail when there is something new to read. Nothing else, and seldom.</p>
          <TextForm
            form="subscription"
            fields={subscriptionFields}
            action="/blog"
            submitLabel="Subscribe"
            failure={{ title: "Error", description: subscriptionMessages.failed }}
            notice={
              <p className="hint">
                By subscribing you agree that {company} keeps your address and writes to it until
                you ask to be taken off the list. More in the{" "}
                <a href="/privacy-policy">privacy policy</a>.
              </p>
            }
            {...form}
            onReceived={(received) => {
              show({ title: "Subscribed", description: subscriptionMessages.received });
              onReceived(received);
            }}
          />
        </>
      )}
      {toast}
    </section>
  );
}
