import type { Brand } from "../../brand.ts";
import type { Problem } from "../../domain/problem.ts";
import type { Receipt } from "../../domain/receipt.ts";
import type { Results } from "../../domain/result.ts";
import type { UploadDraft } from "../../domain/upload.ts";
import DemoUpload from "../../islands/demo-upload.tsx";
import { UploadNotice } from "../../islands/form/notices.tsx";
import LearnerDialogs from "../../islands/learner-dialogs.tsx";
import Received from "../../islands/received.tsx";
import { ClosedLink } from "../../islands/results/closed-link.tsx";
import { ResultsView } from "../../islands/results/results-view.tsx";
import Sample from "../../islands/sample.tsx";
import { Island } from "../island.tsx";

/** The results that the URL asks for. */
export interface ShownResults {
  isSample: boolean;
  title: string;
  /** Null if the token opens none. */
  results: Results | null;
}

interface FormProps {
  retentionDays: number;
  scanGuide: string | null;
  problem: Problem | undefined;
  typed: Record<string, string> | undefined;
  draft: UploadDraft | undefined;
}

export function DemoSection({
  brand,
  shown,
  receipt,
  ...form
}: FormProps & { brand: Brand; shown: ShownResults | undefined; receipt: Receipt | null }) {
  // A visitor's own results replace the form.
  const isOwn = shown && !shown.isSample;
  return (
    <section className="demo" id="demo" aria-labelledby="demo-title">
      <div className="page">
        <h2 id="demo-title">{isOwn ? shown.title : "Try it with your own papers"}</h2>
        {receipt && <Island name="received" component={Received} props={{ receipt }} />}
        {!receipt && isOwn && <ResultsArea {...shown} />}
        {!receipt && !isOwn && (
          <>
            <BeforeForm brand={brand} shown={shown} retentionDays={form.retentionDays} />
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
function BeforeForm({
  brand,
  shown,
  retentionDays,
}: {
  brand: Brand;
  shown: ShownResults | undefined;
  retentionDays: number;
}) {
  return (
    <div className="before-form">
      <p className="lead">
        Send one question paper, its rubric and a few submissions. Our team runs them and e-mails
        you a link to the marked work within 24 hours. It costs nothing.
      </p>
      {shown ? <ResultsArea {...shown} /> : <Island name="sample" component={Sample} props={{}} />}
      <details className="advice">
        <summary>
          Before you choose files, remove learners’ names and ID numbers, and be sure that you may
          share this work.
        </summary>
        <p>
          Your school or institution can tell you whether you may. A number in place of a name is
          enough for us.
        </p>
        <UploadNotice company={brand.company} retentionDays={retentionDays} />
      </details>
    </div>
  );
}

/** Results as HTML: complete without script, which adds a dialog for each learner. */
function ResultsArea({ results }: ShownResults) {
  if (!results) return <ClosedLink />;
  return (
    <>
      <Island name="learner-dialogs" component={LearnerDialogs} props={{}} />
      <ResultsView results={results} />
    </>
  );
}
