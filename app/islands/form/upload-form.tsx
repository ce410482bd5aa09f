import type { Problem } from "../../domain/problem.ts";
import type { Receipt } from "../../domain/receipt.ts";
import type { ReplyTime } from "../../forms/reply-time.ts";
import { amountToSend } from "../../forms/sending-time.ts";
import { Boundary } from "./boundary.tsx";
import { DetailsDialog } from "./details-dialog.tsx";
import { FilePicker } from "./file-picker.tsx";
import type { ToastText } from "./form-state.ts";
import { HiddenFields } from "./hidden-fields.tsx";
import { PageProblem } from "./page-problem.tsx";
import { ThankYou } from "./thank-you.tsx";
import type { FormOptions } from "./use-form.ts";
import { type UploadState, useUpload } from "./use-upload.ts";

/** What file pickers tell a visitor about files. */
export interface FileHelp {
  /** The article on scanning with a phone; null if the institution has removed it. */
  scanGuide: string | null;
  maxFileBytes: number;
}

export interface UploadFormIsland {
  returned: FormOptions["returned"];
  fileHelp: FileHelp;
  retentionDays: number;
  reply: ReplyTime;
}

export interface UploadFormProps extends UploadFormIsland, Omit<FormOptions, "success"> {
  /** The page that handles the plain post. */
  action: string;
  /** The form's anchor on the page of `action`, with its #. */
  anchor: string;
  extra?: Record<string, string>;
  title: string;
  /** Label of the button that opens the dialog or, without script, sends the form. */
  openLabel: string;
  /** Wraps the open button, to add a tooltip; `isDisabled` until every required file is chosen. */
  wrapButton?: (button: React.ReactElement, isDisabled: boolean) => React.ReactNode;
  sendLabel: string;
  /** Label of the send button while sending; by default `sendLabel`. */
  pendingLabel?: string;
  note?: string;
  /** Shown beside the open button until every required file is chosen; by default, what is missing. */
  incompleteHint?: string;
  /** Shown once the form is received, in the dialog, which then closes. Without it, a receipt replaces the form. */
  confirmation?: {
    toast: ToastText;
    content: React.ReactNode;
    closesAfterMs: number;
    onClosed: (receipt: Receipt) => void;
  };
  /** Privacy notice below the text fields, given the errors by field. Its checkboxes are sent with the form. */
  notice: (errors: Problem["fields"]) => React.ReactNode;
  defaultTexts?: Record<string, string>;
}

/**
 * A form with files. As HTML it is one form with one post. Script moves the text fields into a dialog, which
 * opens once the files are chosen, and shows the upload's progress.
 */
export function UploadForm(props: UploadFormProps) {
  const { form, action, extra, confirmation, note } = props;
  const upload = useUpload(props);
  const { state, draft, isOpen } = upload;
  const toast = upload.extras && (
    <Boundary>
      <upload.extras.Toast
        toast={state.toast}
        onGone={() => upload.dispatch({ type: "toast closed" })}
      />
    </Boundary>
  );
  if (state.status === "received" && !confirmation) {
    const { retentionDays, reply } = props;
    return (
      <ThankYou
        form={form}
        receipt={state.receipt}
        retentionDays={retentionDays}
        reply={reply}
        isNew
      />
    );
  }
  return (
    <form
      ref={upload.ref}
      className="upload-form"
      method="post"
      action={action}
      encType="multipart/form-data"
      noValidate
      onSubmit={upload.onSubmit}
      onInput={upload.revalidate}
      {...upload.onUse}
    >
      {upload.pageProblem && (
        <PageProblem problem={upload.pageProblem} advice={adviceAfter(upload.arrivedCount)} />
      )}
      <HiddenFields extra={extra} />
      {draft && (
        <>
          <input type="hidden" name="draft" value={draft.token} />
          {/* Enter in a text field presses the form's first button, which must not be a Remove button. */}
          <button type="submit" className="visually-hidden" tabIndex={-1} aria-hidden="true" />
        </>
      )}
      <Pickers props={props} upload={upload} />
      <DetailsDialog props={props} upload={upload}>
        {isOpen && toast}
      </DetailsDialog>
      {note && <p className="faded before-submit">{note}</p>}
      <OpenButton props={props} upload={upload} />
      {!isOpen && toast}
      <Boundary>
        {upload.extras && upload.dropped && (
          <upload.extras.DropQuestion
            files={upload.dropped}
            fileFields={form.fileFields}
            onAnswer={upload.takeDrop}
          />
        )}
      </Boundary>
    </form>
  );
}

/** Says after a rejection that files which have arrived need not be sent again; undefined if no file has arrived. */
function adviceAfter(arrivedCount: number): string | undefined {
  if (arrivedCount === 0) return undefined;
  const files = arrivedCount === 1 ? "The other file has" : `The other ${arrivedCount} files have`;
  return `${files} arrived and will not be sent again: they are kept for an hour. Replace or remove what is wrong, and press Send again.`;
}

export interface PartProps {
  props: UploadFormProps;
  upload: UploadState;
}

function Pickers({ props: { form, action, anchor, fileHelp }, upload }: PartProps) {
  return (
    <div className="thirds" key={upload.round}>
      {Object.entries(form.fileFields).map(([field, about]) => (
        <FilePicker
          key={field}
          name={field}
          field={about}
          action={action + anchor}
          draft={upload.draftFilesIn(field)}
          errors={upload.state.errors[field]}
          help={fileHelp}
          hasArrived={upload.hasArrived}
          onChange={(chosen) => upload.chooseFiles(field, chosen)}
          onReady={(addFiles) => upload.registerPicker(field, addFiles)}
        />
      ))}
    </div>
  );
}

function OpenButton({ props, upload }: PartProps) {
  const { form, openLabel, wrapButton } = props;
  const { files, isComplete, isHydrated, isMissing } = upload;
  // Without script the button sends the form, whatever is chosen.
  const isDisabled = isHydrated && !isComplete;
  const button = (
    <button
      type="submit"
      id="process"
      className="button"
      aria-disabled={isDisabled || undefined}
      aria-describedby="files-summary"
    >
      {openLabel}
    </button>
  );
  return (
    <>
      <div className={files.length > 0 ? "actions within-reach" : "actions"}>
        {wrapButton ? wrapButton(button, isDisabled) : button}
        <p id="files-summary" className="faded">
          {filesSummary(props, upload)}
        </p>
      </div>
      <div role="alert">
        {isMissing && <p className="field-error">{form.messages.missingFiles}</p>}
      </div>
    </>
  );
}

function filesSummary(
  { incompleteHint }: UploadFormProps,
  { files, isComplete, missingLabels, hasArrived }: UploadState,
): string {
  if (!isComplete) return incompleteHint ?? `Still needed: ${missingLabels.join(", ")}.`;
  return files.length > 0 ? amountToSend(files, hasArrived) : "All files have been received.";
}
