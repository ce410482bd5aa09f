import type { Brand } from "../../brand.ts";
import type { Problem } from "../../domain/problem.ts";
import type { Receipt } from "../../domain/receipt.ts";
import type { UploadDraft } from "../../domain/upload.ts";
import { confirmationField, noticeVersions } from "../../forms/confirmation.ts";
import {
  defaultMessage,
  demoUploadFields,
  demoUploadFileFields,
  demoUploadMessages,
} from "../../forms/demo-upload.ts";
import { ResultsArea } from "../results/results-area.tsx";
import { StaticHtml } from "../static-html.tsx";
import { ThankYou } from "../thank-you.tsx";
import { UploadForm } from "../upload-form.tsx";

export function DemoSection({
  brand,
  retentionDays,
  results,
  receipt,
  typed,
  ...form
}: {
  brand: Brand;
  retentionDays: number;
  /** The results that the URL asks for, if any. */
  results: { isSample: boolean; title: string } | undefined;
  receipt: Receipt | null;
  problem: Problem | undefined;
  typed: Record<string, string> | undefined;
  draft: UploadDraft | undefined;
  onReceived: (receipt: Receipt) => void;
  onRejected: (problem: Problem | undefined) => void;
}) {
  // A visitor's own results replace the form.
  const isOwn = results && !results.isSample;
  return (
    <section className="demo" id="demo" aria-labelledby="demo-title" data-needs-script>
      <div className="page">
        <StaticHtml id="demo-head">
          {import.meta.env.SSR && (
            <h2 id="demo-title">{isOwn ? results.title : "Try it with your own papers"}</h2>
          )}
        </StaticHtml>
        {receipt ? (
          <ThankYou receipt={receipt} />
        ) : (
          <ResultsArea>
            {import.meta.env.SSR && !isOwn && (
              <p className="lead">
                Send one question paper, its rubric and a few submissions. Our team runs them and
                e-mails you a link to the marked work within 24 hours. It costs nothing.
              </p>
            )}
          </ResultsArea>
        )}
        {!receipt && !isOwn && (
          <>
            <StaticHtml id="before-files">
              {import.meta.env.SSR && <BeforeFiles brand={brand} retentionDays={retentionDays} />}
            </StaticHtml>
            <UploadForm
              form="demo-upload"
              fields={demoUploadFields}
              fileFields={demoUploadFileFields}
              action="/?index"
              anchor="#demo"
              extra={{ requestType: "demo" }}
              title="Where should the marked work go?"
              openLabel="Process with AI"
              sendLabel="Send the files"
              incompleteHint="All three are needed."
              missing={demoUploadMessages.missingFiles}
              failure={{
                title: "Submission failed",
                description: "There was an error submitting your information. Please try again.",
              }}
              notice={
                <StaticHtml id="upload-notice">
                  {import.meta.env.SSR && (
                    <>
                      <MayShare checked={Boolean(typed?.[confirmationField])} />
                      <UploadNotice brand={brand} retentionDays={retentionDays} />
                    </>
                  )}
                </StaticHtml>
              }
              typed={typed}
              defaultTexts={{ message: defaultMessage(brand.name) }}
              {...form}
            />
          </>
        )}
      </div>
    </section>
  );
}

function BeforeFiles({ brand, retentionDays }: { brand: Brand; retentionDays: number }) {
  return (
    <div className="advice">
      <h3>Before you choose files</h3>
      <p>
        Remove learners’ names and ID numbers, and be sure that you may share this work: your school
        or institution can tell you. A number in place of a name is enough for us.
      </p>
      <UploadNotice brand={brand} retentionDays={retentionDays} />
    </div>
  );
}

/** When you change the wording, add the date to noticeVersions. */
function MayShare({ checked }: { checked: boolean }) {
  return (
    <label className="check">
      <input
        type="checkbox"
        name={confirmationField}
        value={noticeVersions.at(-1)}
        defaultChecked={checked}
      />
      <span>
        I may share this work: my school or institution allows it, or I have removed the learners’
        names. <span className="faded">(optional)</span>
      </span>
    </label>
  );
}

/** The privacy notice of the upload. */
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
