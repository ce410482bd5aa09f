import type { Receipt } from "../domain/receipt.ts";
import type { ReplyTime } from "../forms/reply-time.ts";
import { type ReceivedForm, ThankYou } from "./form/thank-you.tsx";

/** The receipt that a page shows for the reference in its URL. */
export default function Received(props: {
  form: ReceivedForm;
  receipt: Receipt;
  retentionDays: number | undefined;
  reply: ReplyTime;
}) {
  return <ThankYou {...props} />;
}
