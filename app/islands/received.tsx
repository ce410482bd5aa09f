import type { Receipt } from "../domain/receipt.ts";
import { ThankYou } from "./form/thank-you.tsx";

/** The receipt that a page shows for the reference in its URL. */
export default function Received(props: { receipt: Receipt; retentionDays?: number }) {
  return <ThankYou receipt={props.receipt} retentionDays={props.retentionDays} />;
}
