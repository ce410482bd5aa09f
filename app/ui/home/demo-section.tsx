import type { Brand } from "../../brand.ts";
import type { Receipt } from "../../forms/receipt.ts";
import type { HeldFiles, Problem } from "../../services.ts";
import { DemoUploadForm } from "../demo-upload-form.tsx";
import { ThankYou } from "../thank-you.tsx";

export function DemoSection({
  brand,
  retentionDays,
  receipt,
  problem,
  typed,
  held,
  onReceived,
  onRefused,
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
              e-mails you the marked work within 24 hours. It costs nothing.
            </p>
            <div className="advice">
              <h3>Before you choose files</h3>
              <p>
                Remove learners’ names and numbers, or be sure that you may share this work: your
                school or institution can tell you. A number in place of a name is enough for us.
              </p>
              <Notice brand={brand} retentionDays={retentionDays} />
            </div>
            <DemoUploadForm
              productName={brand.name}
              notice={<Notice brand={brand} retentionDays={retentionDays} />}
              problem={problem}
              typed={typed}
              held={held}
              onReceived={onReceived}
              onRefused={onRefused}
            />
          </>
        )}
      </div>
    </section>
  );
}

/** Who keeps what, why, and how long. */
function Notice({ brand, retentionDays }: { brand: Brand; retentionDays: number }) {
  return (
    <p className="hint">
      {brand.company} keeps these files and your details to mark them and to answer you, and deletes
      both after {retentionDays} days. Only our team reads them. More in the{" "}
      <a href="/privacy-policy">privacy policy</a>.
    </p>
  );
}
