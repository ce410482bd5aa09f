import type { Brand } from "../../brand.ts";
import {
  defaultMessage,
  demoUploadFields,
  demoUploadFileFields,
  demoUploadMessages,
} from "../../forms/demo-upload.ts";
import type { Receipt } from "../../forms/receipt.ts";
import type { HeldFiles, Problem } from "../../services.ts";
import { ThankYou } from "../thank-you.tsx";
import { UploadForm } from "../upload-form.tsx";

export function DemoSection({
  brand,
  retentionDays,
  receipt,
  typed,
  ...form
}: {
  brand: Brand;
  retentionDays: number;
  receipt: Receipt | null;
  problem: Problem | undefined;
  typed: Record<string, string> | undefined;
  held: HeldFiles | undefined;
  onReceived: (receipt: Receipt) => void;
  onRefused: (problem: Problem | undefined) => void;
}) {
  return (
    <section className="demo" id="demo" aria-labelledby="demo-title" data-needs-script>
      <div className="page">
        <h2 id="demo-title">Try it with your own papers</h2>
        {receipt ? (
          <ThankYou receipt={receipt} />
        ) : (
          <>
            <p className="lead">
              Send one question paper, its rubric and a few submissions. Our team runs them and
              e-mails you a link to the marked work within 24 hours. It costs nothing.
            </p>
            <div className="advice">
              <h3>Before you choose files</h3>
              <p>
                Remove learners’ names and ID numbers, and be sure that you may share this work:
                your school or institution can tell you. A number in place of a name is enough for
                us.
              </p>
              <UploadNotice brand={brand} retentionDays={retentionDays} />
            </div>
            <UploadForm
              form="demo-upload"
              fields={demoUploadFields}
              fileFields={demoUploadFileFields}
              action="/?index"
              place="#demo"
              call="/api/demo-request-with-files"
              extra={{ requestType: "demo" }}
              title="Where should the marked work go?"
              openLabel="Process with AI"
              sendLabel="Send the files"
              toOpen="All three are needed."
              missing={demoUploadMessages.missingFiles}
              failure={{
                title: "Submission failed",
                description: "There was an error submitting your information. Please try again.",
              }}
              notice={<UploadNotice brand={brand} retentionDays={retentionDays} />}
              typed={typed}
              texts={{ message: defaultMessage(brand.name) }}
              {...form}
            />
          </>
        )}
      </div>
    </section>
  );
}

/** Who keeps the files, why, and how long. */
function UploadNotice({ brand, retentionDays }: { brand: Brand; retentionDays: number }) {
  return (
    <p className="hint">
      {brand.company} keeps these files and your details to mark them and to answer you, and deletes
      both after {retentionDays} days. Only our team reads them; a model proposes the marks. More in
      the <a href="/privacy-policy">privacy policy</a> and{" "}
      <a href="/security-policy#trust">what is stored, where and who decides</a>.
    </p>
  );
}
