import type { Problem } from "../domain/problem.ts";
import { draftMinutes } from "../domain/service.ts";
import type { UploadDraft } from "../domain/upload.ts";
import { serverProblemId } from "../islands/form/page.ts";
import { ProblemSummary } from "../islands/form/problem-summary.tsx";
import { ButtonLink } from "./button.tsx";
import { PageHead } from "./page-head.tsx";
import "../styles/parts/forms.css";
import "../styles/parts/timeline.css";

/** A form page's title and metadata, and the problem or missing receipt at its top. */
export function FormPageHead({
  title,
  description,
  path,
  noindex,
  data,
  receipt,
  receiptMissing,
  problem,
  idPrefix,
  advice,
  formHref,
}: {
  title: string;
  description: string;
  path: string;
  /** Whether to hide the page from search engines, which a receipt and a problem always do. */
  noindex?: boolean;
  data?: object;
  receipt: object | null;
  receiptMissing: boolean;
  problem: Problem | undefined;
  idPrefix?: string;
  advice?: string | undefined;
  /** The URL of the empty form. */
  formHref: string;
}) {
  const ofReceipt = receipt ? `Received: ${title}` : title;
  return (
    <>
      {problem && (
        <div className="page" id={serverProblemId}>
          <ProblemSummary problem={problem} idPrefix={idPrefix} advice={advice} />
        </div>
      )}
      {receiptMissing && (
        <div className="page notice">
          <h2>We can’t find anything under this reference</h2>
          <p>
            Please compare it with the one you were given. Old requests are deleted after a time.
          </p>
          <ButtonLink href={formHref} quiet>
            Go to the form
          </ButtonLink>
        </div>
      )}
      <PageHead
        title={problem ? `Error: ${title}` : ofReceipt}
        description={description}
        path={path}
        noindex={Boolean(noindex || problem || receipt || receiptMissing)}
        {...(data && { data })}
      />
    </>
  );
}

/** Returns what to tell the visitor about the files that need not be chosen again. */
export function adviceFor(draft: UploadDraft | undefined): string {
  return draft && draft.files.length > 0
    ? `What you typed is still here. We have kept the files marked as received, for ${draftMinutes} minutes from when you first sent them; please choose only the others again.`
    : "What you typed is still here. Please choose the files again.";
}
