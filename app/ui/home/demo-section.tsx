import type { Brand } from "../../brand.ts";
import { confirmationField, noticeVersions } from "../../forms/confirmation.ts";
import {
  defaultMessage,
  demoUploadFields,
  demoUploadFileFields,
  demoUploadMessages,
} from "../../forms/demo-upload.ts";
import type { Receipt } from "../../forms/receipt.ts";
import type { HeldFiles, Problem } from "../../services.ts";
import { Still } from "../still.tsx";
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
            <Still id="before-files">
              {import.meta.env.SSR && <BeforeFiles brand={brand} retentionDays={retentionDays} />}
            </Still>
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
              choices={
                <Still id="may-share">
                  {import.meta.env.SSR && (
                    <MayShare checked={Boolean(typed?.[confirmationField])} />
                  )}
                </Still>
              }
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

function BeforeFiles({ brand, retentionDays }: { brand: Brand; retentionDays: number }) {
  return (
    <>
      <p className="lead">
        Send one question paper, its rubric and a few submissions. Our team runs them and e-mails
        you a link to the marked work within 24 hours. It costs nothing.
      </p>
      <div className="advice">
        <h3>Before you choose files</h3>
        <p>
          Remove learners’ names and ID numbers, and be sure that you may share this work: your
          school or institution can tell you. A number in place of a name is enough for us.
        </p>
        <UploadNotice brand={brand} retentionDays={retentionDays} />
      </div>
    </>
  );
}

/** Its wording is one of noticeVersions: whoever changes it adds the day. */
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

/** Who keeps the files, why, and how long. */
function UploadNotice({ brand, retentionDays }: { brand: Brand; retentionDays: number }) {
  return (
    <p className="hint">
      {brand.company} keeps these files and your details to mark them and to answer you, and deletes
      both after {retentionDays} days. Our team reads them and a model proposes the marks; nobody
      else does. More in the <a href="/privacy-policy">privacy policy</a> and{" "}
      <a href="/security-policy#trust">what is stored, where and who decides</a>.
    </p>
  );
}
