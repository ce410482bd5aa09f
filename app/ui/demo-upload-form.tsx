import { lazy, Suspense, useEffect, useLayoutEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import {
  type DemoUploadFileField,
  defaultMessage,
  demoUploadFileFields,
  isDemoUploadFileField,
} from "../forms/demo-upload.ts";
import { fileMessages, megabytes } from "../forms/files.ts";
import type { Receipt } from "../forms/receipt.ts";
import type { HeldFiles, Problem } from "../services.ts";
import { ContactFields } from "./contact-fields.tsx";
import { FilePicker } from "./file-picker.tsx";
import { type Progress, Sending } from "./sending.tsx";

const Toast = lazy(() => import("./toast.tsx"));
const loadRules = () => import("../forms/demo-upload-rules.ts");
const loadSendForm = () => import("./send-form.ts");

const failure = {
  title: "Submission failed",
  description: "There was an error submitting your information. Please try again.",
};

type Files = Partial<Record<DemoUploadFileField, File[]>>;

/**
 * The demo upload. As HTML it is one page: files, contact details, one post. With script the contact
 * details move into a dialog that "Process with AI" opens, and sending shows its progress.
 */
export function DemoUploadForm({
  productName,
  notice,
  problem,
  typed,
  held,
  onReceived,
  onRefused,
}: {
  productName: string;
  /** Who keeps what, why and how long; stands at the button that sends. */
  notice: React.ReactNode;
  problem: Problem | undefined;
  typed: Record<string, string> | undefined;
  held: HeldFiles | undefined;
  onReceived: (receipt: Receipt) => void;
  onRefused: (problem: Problem | undefined) => void;
}) {
  const form = useRef<HTMLFormElement>(null);
  const dialog = useRef<HTMLDialogElement>(null);
  const foot = useRef<HTMLDivElement>(null);
  const cancel = useRef(new AbortController());
  const [hydrated, setHydrated] = useState(false);
  const [files, setFiles] = useState<Files>({});
  const [missing, setMissing] = useState(false);
  const [textErrors, setTextErrors] = useState<Problem["fields"]>(problem?.fields ?? {});
  const [judged, setJudged] = useState(false);
  const [progress, setProgress] = useState<Progress>();
  const [failed, setFailed] = useState(false);
  const [toasted, setToasted] = useState(false);

  useLayoutEffect(() => {
    setHydrated(true);
    // Who came back to an error, or has begun to type before the script arrived, keeps the fields in sight.
    if (!typed && !isTouched(dialog.current!)) dialog.current!.close();
  }, [typed]);

  // The call goes on only as long as somebody can see how it ends.
  useEffect(() => () => cancel.current.abort(), []);

  // On a small screen the progress, or the failure, would come up below the edge.
  const sending = Boolean(progress);
  useEffect(() => {
    if (sending || failed) foot.current?.scrollIntoView({ block: "end" });
  }, [sending, failed]);

  const all = Object.values(files).flat();
  const heldIn = (field: string) => held?.files.filter((file) => file.field === field) ?? [];
  const complete = Object.keys(demoUploadFileFields).every(
    (field) => files[field as DemoUploadFileField]?.length || heldIn(field).length > 0,
  );

  function openDialog() {
    if (!complete) {
      setMissing(true);
      return;
    }
    dialog.current!.close();
    dialog.current!.showModal();
    void loadRules();
    void loadSendForm();
  }

  /** Shows what is wrong with the text, and returns whether nothing is. */
  async function judge(): Promise<boolean> {
    const { demoUploadErrors } = await loadRules();
    const errors = demoUploadErrors(Object.fromEntries(new FormData(form.current!)));
    flushSync(() => {
      setJudged(true);
      setTextErrors(errors);
    });
    return Object.keys(errors).length === 0;
  }

  async function send() {
    if (progress) return;
    setFailed(false);
    setToasted(false);
    cancel.current = new AbortController();
    const total = all.reduce((sum, file) => sum + file.size, 0);
    try {
      if (!(await judge())) {
        focusFirstInvalid(dialog.current!);
        return;
      }
      const { sendForm } = await loadSendForm();
      const begun: Progress = { fileCount: all.length, total, sent: 0, step: "sending" };
      setProgress(begun);
      const answer = await sendForm(
        "/api/demo-request-with-files",
        new FormData(form.current!),
        {
          onBytes: (sent, body) => setProgress({ ...begun, sent: (sent / body) * total }),
          onStep: (step) => setProgress({ ...begun, sent: total, step }),
        },
        cancel.current.signal,
      );
      if (answer.kind === "received") {
        dialog.current!.close();
        // What the server held is for the server to tell.
        if (held) window.location.assign(`/?received=${answer.reference}#demo`);
        else onReceived(receiptFor(answer.reference, files));
      } else if (answer.kind === "refused") {
        showRefusal({ ...answer, status: 422, code: "refused" });
      } else if (answer.kind === "failed") {
        setFailed(true);
        setToasted(true);
      }
    } catch {
      // A part of the script did not load: the line is down, as if the call had failed.
      setFailed(true);
      setToasted(true);
    } finally {
      setProgress(undefined);
    }
  }

  function showRefusal(refusal: Problem) {
    const aboutText = Object.keys(refusal.fields).some((field) => !isDemoUploadFileField(field));
    flushSync(() => {
      setTextErrors(refusal.fields);
      setToasted(true);
    });
    if (aboutText) {
      focusFirstInvalid(dialog.current!);
      return;
    }
    dialog.current!.close();
    onRefused(refusal);
  }

  const errorsOf = (field: string) => textErrors[field] ?? problem?.fields[field];
  const toast = toasted && (
    <Suspense>
      <Toast {...failure} onGone={() => setToasted(false)} />
    </Suspense>
  );
  const isOpen = hydrated && dialog.current?.matches(":modal");

  return (
    <form
      ref={form}
      className="demo-upload"
      method="post"
      action="/?index"
      encType="multipart/form-data"
      noValidate
      onSubmit={(event) => {
        // Removing a file that the server holds is a plain post.
        if ((event.nativeEvent as SubmitEvent).submitter?.getAttribute("name") === "remove") return;
        event.preventDefault();
        if (dialog.current!.matches(":modal")) void send();
        else openDialog();
      }}
      onInput={() => {
        if (judged) void judge();
      }}
    >
      <input type="hidden" name="requestType" value="demo" />
      {held && <input type="hidden" name="staged" value={held.token} />}
      {/* Return in a text field presses the form's first button, and that must not be a Remove. */}
      {held && (
        <button type="submit" className="visually-hidden" tabIndex={-1} aria-hidden="true" />
      )}
      <div className="pickers">
        {Object.entries(demoUploadFileFields).map(([name, field]) => (
          <FilePicker
            key={name}
            name={name}
            field={field}
            held={heldIn(name)}
            errors={errorsOf(name)}
            onChange={(chosen) => {
              setMissing(false);
              onRefused(undefined);
              setFiles((before) => ({ ...before, [name]: chosen }));
            }}
          />
        ))}
      </div>

      <dialog
        ref={dialog}
        className="contact-details"
        aria-labelledby="contact-details-title"
        open
        onCancel={(event) => {
          // Escape while sending would hide what is going on; the Cancel button ends it.
          if (progress) event.preventDefault();
        }}
      >
        <h3 id="contact-details-title">Where should the marked work go?</h3>
        <div className="fields" inert={sending}>
          <ContactFields
            typed={{ message: defaultMessage(productName), ...typed }}
            errorsOf={errorsOf}
          />
        </div>
        {hydrated && (
          <div className="dialog-foot" ref={foot}>
            {notice}
            {failed && (
              <p className="field-error" role="alert">
                {failure.title} - {failure.description}
              </p>
            )}
            {progress && <Sending progress={progress} />}
            <div className="actions">
              <button type="submit" className="button" aria-disabled={sending}>
                Send the files
              </button>
              <button
                type="button"
                className="button quiet"
                onClick={() => (progress ? cancel.current.abort() : dialog.current!.close())}
              >
                Cancel
              </button>
            </div>
          </div>
        )}
        {isOpen && toast}
      </dialog>

      {!hydrated && notice}
      <div className="actions">
        <button
          type="submit"
          className="button"
          aria-disabled={(hydrated && !complete) || undefined}
          aria-describedby="to-send"
        >
          Process with AI
        </button>
        <p id="to-send" className="faded">
          {all.length > 0
            ? `${all.length} ${all.length === 1 ? "file" : "files"}, ${megabytes(all.reduce((sum, file) => sum + file.size, 0))} to send in all.`
            : "All three are needed."}
        </p>
      </div>
      <div role="alert">{missing && <p className="field-error">{fileMessages.missing}</p>}</div>
      {!isOpen && toast}
    </form>
  );
}

function isTouched(dialog: HTMLDialogElement): boolean {
  const fields = dialog.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>("input, textarea");
  return (
    dialog.contains(document.activeElement) ||
    [...fields].some((field) => field.value !== field.defaultValue)
  );
}

function focusFirstInvalid(dialog: HTMLDialogElement): void {
  dialog.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
}

/** The browser knows what it sent; asking the server again could fail after all has gone well. */
function receiptFor(reference: string, files: Files): Receipt {
  const list = Object.entries(files).flatMap(([field, chosen]) =>
    chosen.map(({ name, size }) => ({ field, name, size })),
  );
  return {
    reference,
    receivedAt: new Date().toISOString(),
    fileCount: list.length,
    files: list,
  };
}
