import type { Brand } from "../brand.ts";
import type { Late } from "../domain/late.ts";
import type { Receipt } from "../domain/receipt.ts";
import type { FormName } from "../domain/request.ts";
import { forms } from "../forms/all-forms.ts";
import type { Form } from "../forms/form.ts";
import { replyTimeOf } from "../forms/reply-time.ts";
import Received from "../islands/received.tsx";
import { ContactAddress } from "./contact-address.tsx";
import { Island } from "./island.tsx";
import { LatePart } from "./late-part.tsx";

export interface ShownReceipt {
  form: FormName;
  found: Late<Receipt>;
}

export function ReceiptPage({
  receipt,
  brand,
  retentionDays,
  thanks = forms[receipt.form].thanks,
}: {
  receipt: ShownReceipt;
  brand: Brand;
  /** Undefined for a subscription, which is kept until it is ended. */
  retentionDays: number | undefined;
  thanks?: Form["thanks"] | undefined;
}) {
  const { fileFields, replyTime, hasResults } = forms[receipt.form];
  const form = { thanks, fileFields, hasResults };
  const reply = replyTimeOf({ replyTime }, brand);
  return (
    <section className="demo receipt" aria-labelledby="receipt-title">
      <div className="page narrow">
        <h1 id="receipt-title">Your receipt</h1>
        <LatePart found={receipt.found} awaited="What you sent">
          {(found) => (
            <Island
              name="received"
              component={Received}
              props={{ form, receipt: found, retentionDays, reply }}
            />
          )}
        </LatePart>
        <p className="no-print">
          Is something wrong or missing? Write to <ContactAddress email={brand.email} /> and quote
          the reference.
        </p>
      </div>
    </section>
  );
}
