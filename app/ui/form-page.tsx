import type { Brand } from "../brand.ts";
import type { ReturnedForm } from "../domain/problem.ts";
import { draftMinutes } from "../domain/service.ts";
import type { UploadDraft } from "../domain/upload.ts";
import { forms } from "../forms/all-forms.ts";
import { type Form, hasFiles } from "../forms/form.ts";
import { contactIdPrefix } from "../islands/contact.tsx";
import { serverProblemId } from "../islands/form/page.ts";
import { ProblemSummary } from "../islands/form/problem-summary.tsx";
import type { FileHelp } from "../islands/form/upload-form.tsx";
import { ButtonLink } from "./button.tsx";
import { PageHead } from "./page-head.tsx";
import { ReceiptPage, type ShownReceipt } from "./receipt-page.tsx";
import "../styles/parts/forms.css";
import "../styles/parts/timeline.css";

/** Loader data of a page with a form. */
export interface FormPageData {
  /** "unknown" if nothing was received under the URL's reference; null if the URL has none. */
  receipt: ShownReceipt | "unknown" | null;
  retentionDays: number;
  /** Whether emails to the team carry the files. */
  mailsFiles: boolean;
  fileHelp: FileHelp;
}

/** A page with a form: its receipt if the URL asks for one, otherwise `children`. Problems are at the top. */
export function FormPage({
  page: { receipt, retentionDays },
  returned,
  brand,
  formHref,
  thanks,
  children,
  ...head
}: React.ComponentProps<typeof PageHead> & {
  page: Pick<FormPageData, "receipt"> & { retentionDays: number | undefined };
  returned: ReturnedForm | undefined;
  brand: Brand;
  /** The URL of the empty form. */
  formHref: string;
  /** Texts of the receipt, in place of those that its form defines. */
  thanks?: Form["thanks"];
  children: React.ReactNode;
}) {
  const { title, noindex } = head;
  const shown = receipt === "unknown" ? null : receipt;
  const storedTitle = shown ? `Received: ${title}` : title;
  return (
    <>
      {returned?.problem && (
        <div className="page" id={serverProblemId}>
          <ProblemSummary
            problem={returned.problem}
            idPrefix={returned.form === "contact" ? contactIdPrefix : ""}
            advice={hasFiles(forms[returned.form]) ? adviceFor(returned.draft) : undefined}
          />
        </div>
      )}
      {receipt === "unknown" && (
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
        {...head}
        title={returned?.problem ? `Error: ${title}` : storedTitle}
        noindex={Boolean(noindex || returned?.problem || receipt)}
      />
      {shown ? (
        <ReceiptPage receipt={shown} brand={brand} retentionDays={retentionDays} thanks={thanks} />
      ) : (
        children
      )}
    </>
  );
}

/** Says what is kept of a form that came back, and which files to choose again. */
function adviceFor(draft: UploadDraft | undefined): string {
  return draft && draft.files.length > 0
    ? `What you typed is still here. We have kept the files marked as received, for ${draftMinutes} minutes from when you first sent them; please choose only the others again.`
    : "What you typed is still here. Please choose the files again.";
}
