import { useState } from "react";
import type { Receipt } from "../domain/receipt.ts";
import { rubricReplyHours } from "../domain/service.ts";
import {
  rubricFileFields,
  rubricRequestFields,
  rubricRequestMessages,
  rubricRequestToast,
} from "../forms/rubric-request.ts";
import { HintTooltip } from "./form/hint-tooltip.tsx";
import { Notice } from "./form/notice.tsx";
import { ThankYou } from "./form/thank-you.tsx";
import { UploadForm, type UploadFormIsland } from "./form/upload-form.tsx";

/** How long the confirmation is shown; fixed by the specification. */
const closesAfterMs = 3000;

/** The form that sends a rubric to be aligned, below the receipt of the last one. */
export default function RubricRequest({ notice, ...form }: UploadFormIsland & { notice: string }) {
  const [receipt, setReceipt] = useState<Receipt>();
  return (
    <>
      {receipt && (
        <ThankYou
          key={receipt.reference}
          receipt={receipt}
          retentionDays={form.retentionDays}
          isNew
        />
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
        note={`Our team will contact you within ${rubricReplyHours.from}-${rubricReplyHours.to} hours`}
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
        notice={<Notice text={notice} hasFiles />}
        {...form}
      />
    </>
  );
}
