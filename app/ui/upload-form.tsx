import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import type { Problem } from "../domain/problem.ts";
import type { Receipt } from "../domain/receipt.ts";
import type { FormName } from "../domain/request.ts";
import type { UploadDraft } from "../domain/upload.ts";
import { type FileField, formatBytes } from "../forms/files.ts";
import { elapsedField } from "../forms/machine-fields.ts";
import type { TextFields as Fields } from "../forms/text-fields.ts";
import { apiPaths } from "../site.ts";
import type { FormResponse } from "./api-response.ts";
import { TextFields } from "./field.tsx";
import { FilePicker } from "./file-picker.tsx";
import { Honeypot } from "./honeypot.tsx";
import { Sending } from "./sending.tsx";
import { useCollapse } from "./use-collapse.ts";
import { loadSendForm, useSending } from "./use-sending.ts";
import { type ToastText, useToast } from "./use-toast.tsx";

const loadRules = () => import("../forms/text-rules.ts");

export interface UploadFormProps {
  form: FormName;
  fields: Fields;
  fileFields: Record<string, FileField>;
  /** The page that handles the plain post. */
  action: string;
  /** The form's anchor on that page, with its #. */
  anchor: string;
  /** Hidden fields. */
  extra?: Record<string, string>;
  /** Heading of the dialog with the text fields. */
  title: string;
  /** Label of the button that opens the dialog or, without script, sends the form. */
  openLabel: string;
  /** Wraps that button, to add a tooltip. */
  wrapButton?: (button: React.ReactElement, isComplete: boolean) => React.ReactNode;
  /** Label of the button in the dialog that sends the form. */
  sendLabel: string;
  /** Its label while sending. */
  pendingLabel?: string;
  /** Text below that button. */
  note?: string;
  /** Shown beside the open button until every required file is chosen. */
  incompleteHint: string;
  /** Error shown if the open button is pressed before that. */
  missing: string;
  /** The toast shown if sending fails. `preferServerMessage` replaces its description by the server's. */
  failure: ToastText & { preferServerMessage?: true };
  /** A toast, and a confirmation in the dialog that closes by itself, shown once the form is received. */
  success?: { toast: ToastText; confirmation: React.ReactNode; closesAfterMs: number };
  /** Privacy notice below the text fields. Its checkboxes are sent with the form. */
  notice: React.ReactNode;
  problem: Problem | undefined;
  typed: Record<string, string> | undefined;
  /** Default values of the text fields. */
  defaultTexts?: Record<string, string>;
  draft: UploadDraft | undefined;
  onReceived: (receipt: Receipt) => void;
  onRejected: (problem: Problem | undefined) => void;
}

type Files = Record<string, File[]>;

/**
 * A form with files. As HTML it is one form with one post. Script moves the text fields into a dialog, which
 * opens once the files are chosen, and shows the upload's progress.
 */
export function UploadForm({
  form: name,
  fields,
  fileFields,
  action,
  anchor,
  extra = {},
  problem,
  typed,
  defaultTexts,
  draft,
  onReceived,
  onRejected,
  ...labels
}: UploadFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const dialog = useRef<HTMLDialogElement>(null);
  const footer = useRef<HTMLDivElement>(null);
  const confirmation = useRef<HTMLDivElement>(null);
  const elapsed = useRef<HTMLInputElement>(null);
  const [isHydrated, setIsHydrated] = useState(false);
  const [isOpen, setOpen] = useState(false);
  const [files, setFiles] = useState<Files>({});
  /** Part of keys: increment it to mount the pickers and text fields again, empty. */
  const [resetCount, setResetCount] = useState(0);
  const [missing, setMissing] = useState(false);
  const [errors, setErrors] = useState<Problem["fields"]>(problem?.fields ?? {});
  const [wasValidated, setWasValidated] = useState(false);
  const [failureMessage, setFailureMessage] = useState<string>();
  const [confirmed, setConfirmed] = useState<Receipt>();
  const { toast, show, hide } = useToast();
  const { progress, send, cancel } = useSending(apiPaths[name]);
  const isSending = Boolean(progress);

  useLayoutEffect(() => setIsHydrated(true), []);
  useCollapse(dialog, Boolean(typed));

  // On a small screen the progress or the failure appears below the visible part of the dialog.
  useEffect(() => {
    if (isSending || failureMessage) footer.current?.scrollIntoView({ block: "end" });
  }, [isSending, failureMessage]);

  // The confirmation closes by itself; the receipt on the page stays.
  useEffect(() => {
    if (!confirmed) return;
    confirmation.current?.focus();
    const timer = setTimeout(() => dialog.current!.close(), labels.success!.closesAfterMs);
    return () => clearTimeout(timer);
  }, [confirmed, labels.success]);

  const allFiles = Object.values(files).flat();
  const draftFilesIn = (field: string) => draft?.files.filter((file) => file.field === field) ?? [];
  const isComplete = Object.entries(fileFields).every(
    ([field, { missing }]) =>
      !missing || files[field]?.length || (resetCount === 0 && draftFilesIn(field).length > 0),
  );

  function openDialog() {
    if (!isComplete) {
      setMissing(true);
      return;
    }
    setFailureMessage(undefined);
    setConfirmed(undefined);
    setOpen(true);
    dialog.current!.close();
    dialog.current!.showModal();
    void loadRules();
    void loadSendForm();
  }

  /** Shows the errors of the text fields. Returns whether there are none. */
  async function validateText(): Promise<boolean> {
    const { textErrors } = await loadRules();
    const found = textErrors(fields, Object.fromEntries(new FormData(form.current!)));
    flushSync(() => {
      setWasValidated(true);
      setErrors((before) => ({ ...fileErrors(before), ...found }));
    });
    return Object.keys(found).length === 0;
  }

  async function submit() {
    setFailureMessage(undefined);
    hide();
    elapsed.current!.value = String(Math.round(performance.now()));
    const response = await send(form.current!, allFiles, async () => {
      const ready = await validateText();
      if (!ready) focusFirstInvalid(dialog.current!);
      // The fields become inert while sending, so move the focus to the send button.
      else footer.current!.querySelector("button")!.focus();
      return ready;
    });
    if (response) handleResponse(response);
  }

  function handleResponse(response: FormResponse) {
    if (response.kind === "received") {
      const receipt = receiptFor(name, response.reference, files);
      if (labels.success) {
        show(labels.success.toast);
        setConfirmed(receipt);
        resetForm();
        return;
      }
      dialog.current!.close();
      // Only the server knows the names of draft files: load its receipt.
      if (draft) window.location.assign(receiptUrl(action, response.reference) + anchor);
      else onReceived(receipt);
    } else if (response.kind === "rejected") {
      showRejection({ ...response, status: 422, code: "rejected" });
    } else if (response.kind === "failed") {
      const { preferServerMessage, ...toastText } = labels.failure;
      const description = (preferServerMessage && response.error) || toastText.description;
      show({ ...toastText, description, destructive: true });
      setFailureMessage(
        [`${toastText.title} - ${description}`, response.error !== description && response.error]
          .filter(Boolean)
          .join(" "),
      );
    }
  }

  function showRejection(rejection: Problem) {
    const { preferServerMessage, ...toastText } = labels.failure;
    const hasTextErrors = Object.keys(rejection.fields).some((field) =>
      Object.hasOwn(fields, field),
    );
    flushSync(() => {
      setErrors(rejection.fields);
      show({
        ...toastText,
        description: preferServerMessage ? rejection.error : toastText.description,
        destructive: true,
      });
    });
    if (hasTextErrors) {
      focusFirstInvalid(dialog.current!);
      return;
    }
    dialog.current!.close();
    onRejected(rejection);
  }

  /** Resets the form to its initial state. */
  function resetForm() {
    form.current!.reset();
    setFiles({});
    setErrors({});
    setWasValidated(false);
    setResetCount((before) => before + 1);
  }

  function choose(field: string, chosen: File[]) {
    setMissing(false);
    setFiles((before) => ({ ...before, [field]: chosen }));
    setErrors(({ [field]: _, ...others }) => others);
    if (problem?.fields[field]) onRejected(withoutField(problem, field));
  }

  const fileErrors = (before: Problem["fields"]) =>
    Object.fromEntries(
      Object.entries(before).filter(([field]) => Object.hasOwn(fileFields, field)),
    );

  const openButton = (
    <button
      type="submit"
      id="process"
      className="button"
      aria-disabled={(isHydrated && !isComplete) || undefined}
      aria-describedby="files-summary"
    >
      {labels.openLabel}
    </button>
  );

  return (
    <form
      ref={form}
      className="upload-form"
      method="post"
      action={action}
      encType="multipart/form-data"
      noValidate
      onSubmit={(event) => {
        const { submitter } = event.nativeEvent as SubmitEvent;
        // Removing a draft file is a plain post.
        if (submitter?.getAttribute("name") === "remove") return;
        event.preventDefault();
        if (!dialog.current!.matches(":modal")) openDialog();
        else if (submitter?.id !== "process" && !confirmed) void submit();
      }}
      onInput={() => {
        if (wasValidated) void validateText();
      }}
    >
      {Object.entries({ intent: name, ...extra }).map(([key, value]) => (
        <input key={key} type="hidden" name={key} value={value} />
      ))}
      {isHydrated && <input type="hidden" name={elapsedField} ref={elapsed} />}
      <Honeypot />
      {draft && resetCount === 0 && <input type="hidden" name="draft" value={draft.token} />}
      {/* Enter in a text field presses the form's first button, which must not be a Remove button. */}
      {draft && (
        <button type="submit" className="visually-hidden" tabIndex={-1} aria-hidden="true" />
      )}
      <div className="pickers">
        {Object.entries(fileFields).map(([field, about]) => (
          <FilePicker
            key={`${field} ${resetCount}`}
            name={field}
            field={about}
            action={action + anchor}
            draft={resetCount === 0 ? draftFilesIn(field) : []}
            errors={errors[field]}
            onChange={(chosen) => choose(field, chosen)}
          />
        ))}
      </div>

      <dialog
        ref={dialog}
        className="contact-details"
        aria-labelledby="contact-details-title"
        open
        // `close` fires asynchronously: the dialog may already be open again as a modal.
        onClose={() => {
          const stillOpen = dialog.current!.matches(":modal");
          setOpen(stillOpen);
          if (!stillOpen && confirmed) {
            setConfirmed(undefined);
            onReceived(confirmed);
          }
        }}
        onCancel={(event) => {
          // Escape must not hide an upload in progress; the Cancel button ends it.
          if (isSending) event.preventDefault();
        }}
      >
        <h3 id="contact-details-title">{labels.title}</h3>
        {confirmed && (
          <div role="status" tabIndex={-1} ref={confirmation}>
            {labels.success!.confirmation}
          </div>
        )}
        <div className="fields" inert={isSending} hidden={Boolean(confirmed)}>
          <TextFields
            key={resetCount}
            fields={fields}
            typed={{ ...defaultTexts, ...(resetCount === 0 && typed) }}
            errors={errors}
          />
          {labels.notice}
        </div>
        {isHydrated && !confirmed && (
          <div className="dialog-foot" ref={footer}>
            {failureMessage && (
              <p className="field-error" role="alert">
                {failureMessage}
              </p>
            )}
            {progress && <Sending progress={progress} />}
            <div className="actions">
              <button type="submit" className="button" aria-disabled={isSending}>
                {(isSending && labels.pendingLabel) || labels.sendLabel}
              </button>
              <button
                type="button"
                className="button quiet"
                onClick={() => {
                  cancel();
                  if (!isSending) dialog.current!.close();
                }}
              >
                Cancel
              </button>
            </div>
            {labels.note && <p className="faded">{labels.note}</p>}
          </div>
        )}
        {isOpen && toast}
      </dialog>

      {labels.note && <p className="faded before-submit">{labels.note}</p>}
      <div className="actions">
        {labels.wrapButton ? labels.wrapButton(openButton, isComplete) : openButton}
        <p id="files-summary" className="faded">
          {isComplete && allFiles.length > 0
            ? `${allFiles.length} ${allFiles.length === 1 ? "file" : "files"}, ${formatBytes(allFiles.reduce((sum, file) => sum + file.size, 0))} to send in all.`
            : labels.incompleteHint}
        </p>
      </div>
      <div role="alert">{missing && <p className="field-error">{labels.missing}</p>}</div>
      {!isOpen && toast}
    </form>
  );
}

function focusFirstInvalid(dialog: HTMLDialogElement): void {
  dialog.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
}

/** The URL of the receipt on the page that handles the form. */
function receiptUrl(action: string, reference: string): string {
  const { pathname } = new URL(action, window.location.href);
  return `${pathname}?received=${reference}`;
}

/** Drops one field's errors; undefined if none are left. */
function withoutField(problem: Problem, field: string): Problem | undefined {
  const { [field]: _, ...fields } = problem.fields;
  return Object.keys(fields).length > 0 ? { ...problem, fields } : undefined;
}

/** Built from what the browser sent: fetching it could fail after a successful post. */
function receiptFor(form: FormName, reference: string, files: Files): Receipt {
  const list = Object.entries(files).flatMap(([field, chosen]) =>
    chosen.map(({ name, size }) => ({ field, name, size })),
  );
  return {
    form,
    reference,
    receivedAt: new Date().toISOString(),
    fileCount: list.length,
    files: list,
  };
}
