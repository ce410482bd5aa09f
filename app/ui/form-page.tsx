import { useState } from "react";
import { useNavigate } from "react-router";
import type { Problem } from "../domain/problem.ts";
import type { Receipt } from "../domain/receipt.ts";
import type { UploadDraft } from "../domain/upload.ts";
import { ButtonLink } from "./button.tsx";
import { PageHead } from "./page-head.tsx";
import { ProblemSummary } from "./problem-summary.tsx";

/** What a page with a form shows above it: the receipt or the problem that the server told, and later the browser's own. */
export function useFormPage(
  path: string,
  receiptAtFirst: Receipt | null,
  problemAtFirst: Problem | undefined,
) {
  const navigate = useNavigate();
  const [receipt, setReceipt] = useState(receiptAtFirst);
  const [problem, setProblem] = useState(problemAtFirst);
  return {
    receipt,
    problem,
    onRejected: setProblem,
    onAnswered: () => setProblem(undefined),
    onReceived(received: Receipt) {
      setProblem(undefined);
      setReceipt(received);
      // So that a reload shows the receipt, and not an empty form.
      navigate(`${path}?received=${received.reference}`, {
        replace: true,
        preventScrollReset: true,
      });
    },
  };
}

/** A form page's title, and what must come first on it. */
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
  formAt,
}: {
  title: string;
  description: string;
  path: string;
  /** For reasons of the page's own. */
  noindex?: boolean;
  data?: object;
  receipt: Receipt | null;
  receiptMissing: boolean;
  problem: Problem | undefined;
  idPrefix?: string;
  advice?: string | undefined;
  /** Where the empty form is. */
  formAt: string;
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
          <ButtonLink href={formAt} quiet>
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

/** Who keeps what is typed, why, and how long; stands at the button that sends it. */
export function TextNotice({ company, retentionDays }: { company: string; retentionDays: number }) {
  return (
    <p className="hint">
      {company} keeps what you type here to answer you, and deletes it after {retentionDays} days.
      Only our team reads it. More in the <a href="/privacy-policy">privacy policy</a>.
    </p>
  );
}

/** In plain words: which files the visitor need not choose again. */
export function adviceFor(draft: UploadDraft | undefined): string {
  return draft && draft.files.length > 0
    ? "What you typed is still here. We have kept the files marked as received, for an hour from when you first sent them; please choose only the others again."
    : "What you typed is still here. Please choose the files again.";
}
