import { useState } from "react";
import { useNavigate } from "react-router";
import type { Problem } from "../domain/problem.ts";
import type { Receipt } from "../domain/receipt.ts";
import type { UploadDraft } from "../domain/upload.ts";
import { ButtonLink } from "./button.tsx";
import { PageHead } from "./page-head.tsx";
import { ProblemSummary } from "./problem-summary.tsx";

/** The receipt or problem of a form page: the server's at first, later those of posts made by script. */
export function useFormPage(
  path: string,
  initialReceipt: Receipt | null,
  initialProblem: Problem | undefined,
) {
  const navigate = useNavigate();
  const [receipt, setReceipt] = useState(initialReceipt);
  const [problem, setProblem] = useState(initialProblem);
  return {
    receipt,
    problem,
    onRejected: setProblem,
    onResponse: () => setProblem(undefined),
    onReceived(received: Receipt) {
      setProblem(undefined);
      setReceipt(received);
      // A reload must show the receipt, not an empty form.
      navigate(`${path}?received=${received.reference}`, {
        replace: true,
        preventScrollReset: true,
      });
    },
  };
}

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
  /** For reasons other than a receipt or problem, which always imply it. */
  noindex?: boolean;
  data?: object;
  receipt: Receipt | null;
  receiptMissing: boolean;
  problem: Problem | undefined;
  idPrefix?: string;
  advice?: string | undefined;
  /** Link to the empty form. */
  formHref: string;
}) {
  return (
    <>
      {problem && (
        <div className="page">
          <ProblemSummary problem={problem} idPrefix={idPrefix ?? ""} advice={advice} />
        </div>
      )}
      {receiptMissing && (
        <div className="page notice">
          <h2>We cannot find anything under this reference</h2>
          <p>
            Please compare it with the one you were given. Old requests are deleted after a time.
          </p>
          <ButtonLink href={formHref} quiet>
            Go to the form
          </ButtonLink>
        </div>
      )}
      <PageHead
        title={problem ? `Error: ${title}` : receipt ? `Received: ${title}` : title}
        description={description}
        path={path}
        noindex={Boolean(noindex || problem || receipt || receiptMissing)}
        {...(data && { data })}
      />
    </>
  );
}

/** The privacy notice of a form without files. */
export function TextNotice({ company, retentionDays }: { company: string; retentionDays: number }) {
  return (
    <p className="hint">
      {company} keeps what you type here to answer you, and deletes it after {retentionDays} days.
      Only our team reads it. More in the <a href="/privacy-policy">privacy policy</a>.
    </p>
  );
}

/** Tells the visitor which files need not be chosen again. */
export function adviceFor(draft: UploadDraft | undefined): string {
  return draft && draft.files.length > 0
    ? "What you typed is still here. We have kept the files marked as received, for an hour from when you first sent them; please choose only the others again."
    : "What you typed is still here. Please choose the files again.";
}
