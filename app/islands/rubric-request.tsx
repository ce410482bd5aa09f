import { useState } from "react";
import type { Receipt } from "../domain/receipt.ts";
import { withReplyTime } from "../forms/reply-time.ts";
import { rubricRequest } from "../forms/rubric-request.ts";
import { HintTooltip } from "./form/hint-tooltip.tsx";
import { Notice } from "./form/notice.tsx";
import { ThankYou } from "./form/thank-you.tsx";
import { UploadForm, type UploadFormIsland } from "./form/upload-form.tsx";

const { messages } = rubricRequest;

/** How long the confirmation is shown; fixed by the specification. */
const closesAfterMs = 3000;

/** The form that sends a rubric to be aligned, below the receipt of the last one. */
export default function RubricRequest({ notice, ...form }: UploadFormIsland & { notice: string }) {
  const [receipt, setReceipt] = useState<Receipt>();
  const received = withReplyTime(messages.received, form.reply);
  return (
    <>
      {receipt && (
        <ThankYou
          key={receipt.reference}
          form={rubricRequest}
          receipt={receipt}
          retentionDays={form.retentionDays}
          reply={form.reply}
          isNew
        />
      )}
      <UploadForm
        form={rubricRequest}
        action="/latest-feature"
        anchor="#upload"
        title="Smart Rubric & Memo Alignment"
        openLabel="Generate Smart Rubric"
        wrapButton={(button, isDisabled) => (
          <HintTooltip hint={isDisabled ? messages.missingFiles : undefined}>{button}</HintTooltip>
        )}
        sendLabel="Request Smart Rubric Service"
        pendingLabel="Processing..."
        note={withReplyTime("Our team will contact you {within}", form.reply)}
        incompleteHint={messages.missingFiles}
        failure={{
          title: "Submission Failed",
          description: "Please try again later.",
          preferServerMessage: true,
        }}
        confirmation={{
          toast: { title: "Smart Rubric Request Submitted", description: received },
          content: <p className="lead">Your request is with us. {received}</p>,
          closesAfterMs,
          onClosed: setReceipt,
        }}
        notice={() => <Notice text={notice} hasFiles />}
        {...form}
      />
    </>
  );
}
