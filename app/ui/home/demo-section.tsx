import type { Brand } from "../../brand.ts";
import type { Problem } from "../../domain/problem.ts";
import type { Receipt } from "../../domain/receipt.ts";
import type { Results } from "../../domain/result.ts";
import { replyHours } from "../../domain/service.ts";
import type { UploadDraft } from "../../domain/upload.ts";
import DemoUpload from "../../islands/demo-upload.tsx";
import { Notice } from "../../islands/form/notices.tsx";
import { ThankYou } from "../../islands/form/thank-you.tsx";
import LearnerDialogs from "../../islands/learner-dialogs.tsx";
import { ClosedLink } from "../../islands/results/closed-link.tsx";
import { ResultsView } from "../../islands/results/results-view.tsx";
import Sample from "../../islands/sample.tsx";
import { Island } from "../island.tsx";
import { uploadNotice } from "../notice-texts.ts";

/** The results that the URL asks for. */
export interface ShownResults {
  isSample: boolean;
  title: string;
  /** Null if the token opens none. */
  results: Results | null;
}

interface FormProps {
  retentionDays: number;
  problem: Problem | undefined;
  typed: Record<string, string> | undefined;
  draft: UploadDraft | undefined;
}

export function DemoSection({
  brand,
  shown,
  retentionDays,
  receipt,
  ...form
}: FormProps & { brand: Brand; shown: ShownResults | undefined; receipt: Receipt | null }) {
  // A visitor's own results replace the form.
  const notice = uploadNotice(brand, retentionDays);
  const isOwn = shown && !shown.isSample;
  return (
    <section className="demo" id="demo" aria-labelledby="demo-title">
      <div className="page">
        <h2 id="demo-title">{isOwn ? shown.title : "Try it with your own papers"}</h2>
        {receipt && <ThankYou receipt={receipt} />}
        {!receipt && isOwn && <ResultsArea {...shown} />}
        {!receipt && !isOwn && (
          <>
            <BeforeForm shown={shown} notice={notice} />
            <Island
              name="demo-upload"
              component={DemoUpload}
              props={{ product: brand.name, notice, ...form }}
            />
          </>
        )}
      </div>
    </section>
  );
}

/** What leads to the form. CSS hides it once a receipt has replaced the form. */
function BeforeForm({ shown, notice }: { shown: ShownResults | undefined; notice: string }) {
  return (
    <div className="before-form">
      <p className="lead">
        Send one question paper, its rubric and a few submissions. Our team runs them, checks the
        marks that the model proposes, and e-mails you a link to them within {replyHours} hours. It
        costs nothing.
      </p>
      {shown ? <ResultsArea {...shown} /> : <Island name="sample" component={Sample} props={{}} />}
      <div className="advice">
        <h3>Before you choose files</h3>
        <p>
          Remove learners’ names and ID numbers, and be sure that you may share this work: your
          school or institution can tell you. A number in place of a name is enough for us.
        </p>
        <Notice text={notice} hasFiles />
      </div>
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
