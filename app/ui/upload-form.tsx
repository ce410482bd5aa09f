import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import type { Problem } from "../domain/problem.ts";
import type { Receipt } from "../domain/receipt.ts";
import type { FormName } from "../domain/request.ts";
import type { UploadDraft } from "../domain/upload.ts";
import { type FileField, megabytes } from "../forms/files.ts";
import { elapsedField } from "../forms/machine-fields.ts";
import type { TextFields as Fields } from "../forms/text-fields.ts";
import { apiPaths } from "../site.ts";
import type { Answer } from "./api-response.ts";
import { TextFields } from "./field.tsx";
import { FilePicker } from "./file-picker.tsx";
import { Honeypot } from "./honeypot.tsx";
import { Sending } from "./sending.tsx";
import { useFoldAway } from "./use-fold-away.ts";
import { loadSendForm, useSending } from "./use-sending.ts";
import { type ToastText, useToast } from "./use-toast.tsx";

const loadRules = () => import("../forms/text-rules.ts");

export interface UploadFormProps {
  form: FormName;
  fields: Fields;
  fileFields: Record<string, FileField>;
  /** The page that takes the plain post. */
  action: string;
  /** Where on it the form stands, with its #. */
  place: string;
  /** Sent besides what is typed and chosen. */
  extra?: Record<string, string>;
  /** Heads the dialog of the texts. */
  title: string;
  /** The button that opens the dialog, or sends all of it where there is no script. */
  openLabel: string;
  /** Drawn around that button, for a hint of its own. */
  around?: (button: React.ReactElement, isComplete: boolean) => React.ReactNode;
  sendLabel: string;
  pendingLabel?: string;
  /** Stands under that button. */
  note?: string;
  /** Stands beside the button until every required file is there. */
  toOpen: string;
  /** Said aloud where the button is pressed before that. */
  missing: string;
  /** What a toast says when sending fails; the server's own words take the description's place where it says so. */
  failure: ToastText & { orServersWords?: true };
  /** Shown in the dialog for a while once it is received, with a toast. */
  success?: { toast: ToastText; confirmation: React.ReactNode; closesAfterMs: number };
  /** Who keeps what, why and how long; stands under the texts. What is ticked there is sent with them. */
  notice: React.ReactNode;
  problem: Problem | undefined;
  typed: Record<string, string> | undefined;
  /** Stands in the fields at first. */
  texts?: Record<string, string>;
  draft: UploadDraft | undefined;
  onReceived: (receipt: Receipt) => void;
  onRejected: (problem: Problem | undefined) => void;
}

type Files = Record<string, File[]>;

/**
 * A form with files. As HTML it is one page: files, texts, one post. With script the texts move into a
 * dialog that a button opens once the files are there, and sending shows its progress.
 */
export function UploadForm({
  form: name,
  fields,
  fileFields,
  action,
  place,
  extra = {},
  problem,
  typed,
  texts,
  draft,
  onReceived,
  onRejected,
  ...words
}: UploadFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const dialog = useRef<HTMLDialogElement>(null);
  const foot = useRef<HTMLDivElement>(null);
  const confirmation = useRef<HTMLDivElement>(null);
  const elapsed = useRef<HTMLInputElement>(null);
  const [hydrated, setHydrated] = useState(false);
  const [isOpen, setOpen] = useState(false);
  const [files, setFiles] = useState<Files>({});
  /** Raised to draw the pickers and texts anew, empty. */
  const [round, setRound] = useState(0);
  const [missing, setMissing] = useState(false);
  const [errors, setErrors] = useState<Problem["fields"]>(problem?.fields ?? {});
  const [validated, setValidated] = useState(false);
  const [failed, setFailed] = useState<string>();
  const [confirmed, setConfirmed] = useState<Receipt>();
  const { toast, show, hide } = useToast();
  const { progress, send, cancel } = useSending(apiPaths[name]);
  const sending = Boolean(progress);

  useLayoutEffect(() => setHydrated(true), []);
  useFoldAway(dialog, Boolean(typed));

  // On a small screen the progress, or the failure, would come up below the edge.
  useEffect(() => {
    if (sending || failed) foot.current?.scrollIntoView({ block: "end" });
  }, [sending, failed]);

  // The confirmation goes by itself; what lasts stands on the page.
  useEffect(() => {
    if (!confirmed) return;
    confirmation.current?.focus();
    const timer = setTimeout(() => dialog.current!.close(), words.success!.closesAfterMs);
    return () => clearTimeout(timer);
  }, [confirmed, words.success]);

  const all = Object.values(files).flat();
  const draftFilesIn = (field: string) => draft?.files.filter((file) => file.field === field) ?? [];
  const complete = Object.entries(fileFields).every(
    ([field, { missing }]) =>
      !missing || files[field]?.length || (round === 0 && draftFilesIn(field).length > 0),
  );

  function openDialog() {
    if (!complete) {
      setMissing(true);
      return;
    }
    setFailed(undefined);
    setConfirmed(undefined);
    setOpen(true);
    dialog.current!.close();
    dialog.current!.showModal();
    void loadRules();
    void loadSendForm();
  }

  /** Shows what is wrong with the text, and returns whether nothing is. */
  async function validateText(): Promise<boolean> {
    const { textErrors } = await loadRules();
    const found = textErrors(fields, Object.fromEntries(new FormData(form.current!)));
    flushSync(() => {
      setValidated(true);
      setErrors((before) => ({ ...aboutFiles(before), ...found }));
    });
    return Object.keys(found).length === 0;
  }

  async function submit() {
    setFailed(undefined);
    hide();
    elapsed.current!.value = String(Math.round(performance.now()));
    const answer = await send(form.current!, all, async () => {
      const ready = await validateText();
      if (!ready) focusFirstInvalid(dialog.current!);
      // The fields go inert while it is sent; the focus stays on what was pressed.
      else foot.current!.querySelector("button")!.focus();
      return ready;
    });
    if (answer) take(answer);
  }

  function take(answer: Answer) {
    if (answer.kind === "received") {
      const receipt = receiptFor(name, answer.reference, files);
      if (words.success) {
        show(words.success.toast);
        setConfirmed(receipt);
        startAgain();
        return;
      }
      dialog.current!.close();
      // What the server held is for the server to tell.
      if (draft) window.location.assign(addressOf(action, answer.reference) + place);
      else onReceived(receipt);
    } else if (answer.kind === "refused") {
      showRejection({ ...answer, status: 422, code: "refused" });
    } else if (answer.kind === "failed") {
      const { orServersWords, ...said } = words.failure;
      const description = (orServersWords && answer.error) || said.description;
      show({ ...said, description, destructive: true });
      setFailed(
        [`${said.title} - ${description}`, answer.error !== description && answer.error]
          .filter(Boolean)
          .join(" "),
      );
    }
  }

  function showRejection(rejection: Problem) {
    const { orServersWords, ...said } = words.failure;
    const aboutTexts = Object.keys(rejection.fields).some((field) => Object.hasOwn(fields, field));
    flushSync(() => {
      setErrors(rejection.fields);
      show({
        ...said,
        description: orServersWords ? rejection.error : said.description,
        destructive: true,
      });
    });
    if (aboutTexts) {
      focusFirstInvalid(dialog.current!);
      return;
    }
    dialog.current!.close();
    onRejected(rejection);
  }

  /** The form as it was at first. */
  function startAgain() {
    form.current!.reset();
    setFiles({});
    setErrors({});
    setValidated(false);
    setRound((before) => before + 1);
  }

  function choose(field: string, chosen: File[]) {
    setMissing(false);
    setFiles((before) => ({ ...before, [field]: chosen }));
    setErrors(({ [field]: _, ...others }) => others);
    if (problem?.fields[field]) onRejected(without(problem, field));
  }

  const aboutFiles = (before: Problem["fields"]) =>
    Object.fromEntries(
      Object.entries(before).filter(([field]) => Object.hasOwn(fileFields, field)),
    );

  const openButton = (
    <button
      type="submit"
      id="process"
      className="button"
      aria-disabled={(hydrated && !complete) || undefined}
      aria-describedby="to-send"
    >
      {words.openLabel}
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
        // Removing a file that the server holds is a plain post.
        if (submitter?.getAttribute("name") === "remove") return;
        event.preventDefault();
        if (!dialog.current!.matches(":modal")) openDialog();
        else if (submitter?.id !== "process" && !confirmed) void submit();
      }}
      onInput={() => {
        if (validated) void validateText();
      }}
    >
      {Object.entries({ intent: name, ...extra }).map(([key, value]) => (
        <input key={key} type="hidden" name={key} value={value} />
      ))}
      {hydrated && <input type="hidden" name={elapsedField} ref={elapsed} />}
      <Honeypot />
      {draft && round === 0 && <input type="hidden" name="draft" value={draft.token} />}
      {/* Return in a text field presses the form's first button, and that must not be a Remove. */}
      {draft && (
        <button type="submit" className="visually-hidden" tabIndex={-1} aria-hidden="true" />
      )}
      <div className="pickers">
        {Object.entries(fileFields).map(([field, about]) => (
          <FilePicker
            key={`${field} ${round}`}
            name={field}
            field={about}
            action={action + place}
            draft={round === 0 ? draftFilesIn(field) : []}
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
        // Told late: closed in the page and opened again as a modal, it is open.
        onClose={() => {
          const stillOpen = dialog.current!.matches(":modal");
          setOpen(stillOpen);
          if (!stillOpen && confirmed) {
            setConfirmed(undefined);
            onReceived(confirmed);
          }
        }}
        onCancel={(event) => {
          // Escape while sending would hide what is going on; the Cancel button ends it.
          if (sending) event.preventDefault();
        }}
      >
        <h3 id="contact-details-title">{words.title}</h3>
        {confirmed && (
          <div role="status" tabIndex={-1} ref={confirmation}>
            {words.success!.confirmation}
          </div>
        )}
        <div className="fields" inert={sending} hidden={Boolean(confirmed)}>
          <TextFields
            key={round}
            fields={fields}
            typed={{ ...texts, ...(round === 0 && typed) }}
            errors={errors}
          />
          {words.notice}
        </div>
        {hydrated && !confirmed && (
          <div className="dialog-foot" ref={foot}>
            {failed && (
              <p className="field-error" role="alert">
                {failed}
              </p>
            )}
            {progress && <Sending progress={progress} />}
            <div className="actions">
              <button type="submit" className="button" aria-disabled={sending}>
                {(sending && words.pendingLabel) || words.sendLabel}
              </button>
              <button
                type="button"
                className="button quiet"
                onClick={() => {
                  cancel();
                  if (!sending) dialog.current!.close();
                }}
              >
                Cancel
              </button>
            </div>
            {words.note && <p className="faded">{words.note}</p>}
          </div>
        )}
        {isOpen && toast}
      </dialog>

      {words.note && <p className="faded before-submit">{words.note}</p>}
      <div className="actions">
        {words.around ? words.around(openButton, complete) : openButton}
        <p id="to-send" className="faded">
          {complete && all.length > 0
            ? `${all.length} ${all.length === 1 ? "file" : "files"}, ${megabytes(all.reduce((sum, file) => sum + file.size, 0))} to send in all.`
            : words.toOpen}
        </p>
      </div>
      <div role="alert">{missing && <p className="field-error">{words.missing}</p>}</div>
      {!isOpen && toast}
    </form>
  );
}

function focusFirstInvalid(dialog: HTMLDialogElement): void {
  dialog.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
}

/** Where the page that takes the form shows a receipt. */
function addressOf(action: string, reference: string): string {
  const { pathname } = new URL(action, window.location.href);
  return `${pathname}?received=${reference}`;
}

/** The problem once a field of it is seen to; none where that was the last. */
function without(problem: Problem, field: string): Problem | undefined {
  const { [field]: _, ...fields } = problem.fields;
  return Object.keys(fields).length > 0 ? { ...problem, fields } : undefined;
}

/** The browser knows what it sent; asking the server again could fail after all has gone well. */
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
