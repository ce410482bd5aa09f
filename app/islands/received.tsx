import type { Receipt } from "../domain/receipt.ts";
import { ThankYou } from "./form/thank-you.tsx";

/** The receipt that a page shows for the reference in its URL. */
export default function Received({ receipt }: { receipt: Receipt }) {
  return <ThankYou receipt={receipt} />;
}
