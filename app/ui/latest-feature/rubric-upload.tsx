import type { Problem } from "../../domain/problem.ts";
import type { Receipt } from "../../domain/receipt.ts";
import type { UploadDraft } from "../../domain/upload.ts";
import {
  rubricFileFields,
  rubricRequestFields,
  rubricRequestMessages,
  rubricRequestToast,
} from "../../forms/rubric-request.ts";
import { HintTooltip } from "../hint-tooltip.tsx";
import { ThankYou } from "../thank-you.tsx";
import { UploadForm } from "../upload-form.tsx";

/** How long the confirmation is shown; fixed by the specification. */
const closesAfterMs = 3000;

export function RubricUpload({
  company,
  retentionDays,
  receipt,
  ...form
}: {
  company: string;
  retentionDays: number;
  receipt: Receipt | null;
  problem: Problem | undefined;
  typed: Record<string, string> | undefined;
  draft: UploadDraft | undefined;
  onReceived: (receipt: Receipt) => void;
  onRejected: (problem: Problem | undefined) => void;
}) {
  return (
    <section className="demo" id="upload" aria-labelledby="upload-title" data-needs-script>
      <div className="page">
        <h2 id="upload-title">Send your rubric</h2>
        {receipt && <ThankYou receipt={receipt} />}
        <UploadForm
          form="rubric-request"
          fields={rubricRequestFields}
          fileFields={rubricFileFields}
          action="/latest-feature"
          anchor="#upload"
          title="Smart Rubric & Memo Alignment"
          openLabel="Generate Smart Rubric"
          wrapButton={(button, isComplete) => (
            <HintTooltip hint={isComplete ? undefined : rubricRequestMessages.missingFiles}>
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
          success={{
            toast: rubricRequestToast,
            confirmation: (
              <p className="lead">Your request is with us. {rubricRequestMessages.received}</p>
            ),
            closesAfterMs,
          }}
          notice={
            <p className="hint">
              {company} keeps these files and your details to work on your rubric and to answer you,
              and deletes both after {retentionDays} days. Only our team reads them, with the help
              of a model. More in the <a href="/privacy-policy">privacy policy</a> and{" "}
              <a href="/security-policy#trust">what is stored, where and who decides</a>.
            </p>
          }
          {...form}
        />
      </div>
    </section>
  );
}
