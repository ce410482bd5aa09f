import type { Brand } from "../../brand.ts";
import type { Problem } from "../../domain/problem.ts";
import type { Receipt } from "../../domain/receipt.ts";
import type { UploadDraft } from "../../domain/upload.ts";
import DemoUpload from "../../islands/demo-upload.tsx";
import { UploadNotice } from "../../islands/form/notices.tsx";
import { ThankYou } from "../../islands/form/thank-you.tsx";
import Sample from "../../islands/sample.tsx";
import { Island } from "../island.tsx";

interface FormProps {
  retentionDays: number;
  problem: Problem | undefined;
  typed: Record<string, string> | undefined;
  draft: UploadDraft | undefined;
}

export function DemoSection({
  brand,
  receipt,
  ...form
}: FormProps & { brand: Brand; receipt: Receipt | null }) {
  return (
    <section className="demo" id="demo" aria-labelledby="demo-title">
      <div className="page">
        <h2 id="demo-title">Try it with your own papers</h2>
        {receipt ? (
          <ThankYou receipt={receipt} />
        ) : (
          <>
            <BeforeForm brand={brand} retentionDays={form.retentionDays} />
            <Island
              name="demo-upload"
              component={DemoUpload}
              props={{ product: brand.name, company: brand.company, ...form }}
            />
          </>
        )}
      </div>
    </section>
  );
}

/** What leads to the form. CSS hides it once a receipt has replaced the form. */
function BeforeForm({ brand, retentionDays }: { brand: Brand; retentionDays: number }) {
  return (
    <div className="before-form">
      <p className="lead">
        Send one question paper, its rubric and a few submissions. Our team runs them and e-mails
        you a link to the marked work within 24 hours. It costs nothing.
      </p>
      <Island name="sample" component={Sample} props={{ levels: brand.results.levels }} />
      <div className="advice">
        <h3>Before you choose files</h3>
        <p>
          Remove learners’ names and ID numbers, and be sure that you may share this work: your
          school or institution can tell you. A number in place of a name is enough for us.
        </p>
        <UploadNotice company={brand.company} retentionDays={retentionDays} />
      </div>
    </div>
  );
}
