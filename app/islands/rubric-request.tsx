import { useState } from "react";
import type { Receipt } from "../domain/receipt.ts";
import {
  rubricFileFields,
  rubricRequestFields,
  rubricRequestMessages,
  rubricRequestToast,
} from "../forms/rubric-request.ts";
import { HintTooltip } from "./form/hint-tooltip.tsx";
import { PolicyLink } from "./form/notices.tsx";
import { ThankYou } from "./form/thank-you.tsx";
import { UploadForm, type UploadFormIsland } from "./form/upload-form.tsx";

/** How long the confirmation is shown; fixed by the specification. */
const closesAfterMs = 3000;

/** The form that sends a rubric to be aligned, below the receipt of the last one. */
export default function RubricRequest({
  company,
  retentionDays,
  receipt: initialReceipt,
  ...form
}: UploadFormIsland & { company: string; retentionDays: number; receipt: Receipt | null }) {
  const [receipt, setReceipt] = useState(initialReceipt);
  return (
    <>
      {receipt && (
        <ThankYou key={receipt.reference} receipt={receipt} isNew={receipt !== initialReceipt} />
      )}
      <UploadForm
        form="rubric-request"
        fields={rubricRequestFields}
        fileFields={rubricFileFields}
        action="/latest-feature"
        anchor="#upload"
        title="Smart Rubric & Memo Alignment"
        openLabel="Generate Smart Rubric"
        wrapButton={(button, isDisabled) => (
          <HintTooltip hint={isDisabled ? rubricRequestMessages.missingFiles : undefined}>
            {button}
          </HintTooltip>
        )}
        sendLabel="Request Smart Rubric Service"
        pendingLabel="Processing..."
        note="Our team will contact you within 24-48 hours"
        incompleteHint={rubricRequestMessages.missingFiles}
        missing={rubricRequestMessages.missingFiles}
        failure={{
          title: "Submission Failed",
          description: "Please try again later.",
          preferServerMessage: true,
        }}
        confirmation={{
          toast: rubricRequestToast,
          content: (
            <p className="lead">Your request is with us. {rubricRequestMessages.received}</p>
          ),
          closesAfterMs,
          onClosed: setReceipt,
        }}
        notice={
          <p className="hint">
            {company} keeps these files and your details to work on your rubric and to answer you,
            and deletes both after {retentionDays} days. Only our team reads them, with the help of
            a model. More in the <PolicyLink href="/privacy-policy">privacy policy</PolicyLink> and{" "}
            <PolicyLink href="/security-policy#trust">
              what is stored, where and who decides
            </PolicyLink>
            .
          </p>
        }
        {...form}
      />
    </>
  );
}
