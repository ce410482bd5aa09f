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
import { Sending } from "./sending.tsx";
import { loadSendForm, useSending } from "./use-sending.ts";

const Toast = lazy(() => import("./toast.tsx"));
const loadRules = () => import("../forms/demo-upload-rules.ts");

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
  const [hydrated, setHydrated] = useState(false);
  const [isOpen, setOpen] = useState(false);
  const [files, setFiles] = useState<Files>({});
  const [missing, setMissing] = useState(false);
  const [errors, setErrors] = useState<Problem["fields"]>(problem?.fields ?? {});
  const [judged, setJudged] = useState(false);
  const [failed, setFailed] = useState(false);
  const [toasted, setToasted] = useState(false);
  const { progress, send, cancel } = useSending("/api/demo-request-with-files");
  const sending = Boolean(progress);

  useLayoutEffect(() => setHydrated(true), []);
  useFoldAway(dialog, Boolean(typed));

  // On a small screen the progress, or the failure, would come up below the edge.
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
    setFailed(false);
    setOpen(true);
    dialog.current!.close();
    dialog.current!.showModal();
    void loadRules();
    void loadSendForm();
  }

  /** Shows what is wrong with the text, and returns whether nothing is. */
  async function judgeText(): Promise<boolean> {
    const { demoUploadErrors } = await loadRules();
    const found = demoUploadErrors(Object.fromEntries(new FormData(form.current!)));
    flushSync(() => {
      setJudged(true);
      setErrors((before) => ({ ...onlyFiles(before), ...found }));
    });
    return Object.keys(found).length === 0;
  }

  async function submit() {
    setFailed(false);
    setToasted(false);
    const answer = await send(form.current!, all, async () => {
      const ready = await judgeText();
      if (!ready) focusFirstInvalid(dialog.current!);
      // The fields go inert while it is sent; the focus stays on what was pressed.
      else foot.current!.querySelector("button")!.focus();
      return ready;
    });
    if (answer?.kind === "received") {
      dialog.current!.close();
      // What the server held is for the server to tell.
      if (held) window.location.assign(`/?received=${answer.reference}#demo`);
      else onReceived(receiptFor(answer.reference, files));
    } else if (answer?.kind === "refused") {
      showRefusal({ ...answer, status: 422, code: "refused" });
    } else if (answer?.kind === "failed") {
      setFailed(true);
      setToasted(true);
    }
  }

  function showRefusal(refusal: Problem) {
    const aboutText = Object.keys(refusal.fields).some((field) => !isDemoUploadFileField(field));
    flushSync(() => {
      setErrors(refusal.fields);
      setToasted(true);
    });
    if (aboutText) {
      focusFirstInvalid(dialog.current!);
      return;
    }
    dialog.current!.close();
    onRefused(refusal);
  }

  function choose(field: string, chosen: File[]) {
    setMissing(false);
    setFiles((before) => ({ ...before, [field]: chosen }));
    setErrors(({ [field]: _, ...others }) => others);
    if (problem?.fields[field]) onRefused(without(problem, field));
  }

  const errorsOf = (field: string) => errors[field];
  const toast = toasted && (
    <Suspense>
      <Toast {...failure} onGone={() => setToasted(false)} />
    </Suspense>
  );

  return (
    <form
      ref={form}
      className="demo-upload"
      method="post"
      action="/?index"
      encType="multipart/form-data"
      noValidate
      onSubmit={(event) => {
        const { submitter } = event.nativeEvent as SubmitEvent;
        // Removing a file that the server holds is a plain post.
        if (submitter?.getAttribute("name") === "remove") return;
        event.preventDefault();
        if (!dialog.current!.matches(":modal")) openDialog();
        else if (submitter?.id !== "process") void submit();
      }}
      onInput={() => {
        if (judged) void judgeText();
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
            onChange={(chosen) => choose(name, chosen)}
          />
        ))}
      </div>

      <dialog
        ref={dialog}
        className="contact-details"
        aria-labelledby="contact-details-title"
        open
        // Told late: closed in the page and opened again as a modal, it is open.
        onClose={() => setOpen(dialog.current!.matches(":modal"))}
        onCancel={(event) => {
          // Escape while sending would hide what is going on; the Cancel button ends it.
          if (sending) event.preventDefault();
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
                onClick={() => {
                  cancel();
                  if (!sending) dialog.current!.close();
                }}
              >
                Cancel
              </button>
            </div>
          </div>
        )}
        {isOpen && toast}
      </dialog>

      <div className="before-submit">{notice}</div>
      <div className="actions">
        <button
          type="submit"
          id="process"
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

/**
 * Closes the dialog that lies open in the page, once nothing scrolls any more: folded away under an
 * anchor's way it would make the visitor land elsewhere. It stays where it has been typed into, where the
 * form came back, and where it lies above what is being read.
 */
function useFoldAway(dialog: React.RefObject<HTMLDialogElement | null>, cameBack: boolean) {
  useEffect(() => {
    const element = dialog.current!;
    const fold = () => {
      window.removeEventListener("scroll", wait);
      const isAbove = element.getBoundingClientRect().bottom < 0;
      if (!cameBack && !isAbove && !element.matches(":modal") && !isTouched(element)) {
        element.close();
      }
    };
    let timer = setTimeout(fold, stillMs);
    const wait = () => {
      clearTimeout(timer);
      timer = setTimeout(fold, stillMs);
    };
    window.addEventListener("scroll", wait, { passive: true });
    return () => {
      clearTimeout(timer);
      window.removeEventListener("scroll", wait);
    };
  }, [dialog, cameBack]);
}

const stillMs = 150;

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

const onlyFiles = (fields: Problem["fields"]) =>
  Object.fromEntries(Object.entries(fields).filter(([field]) => isDemoUploadFileField(field)));

/** The problem once a field of it is seen to; none where that was the last. */
function without(problem: Problem, field: string): Problem | undefined {
  const { [field]: _, ...fields } = problem.fields;
  return Object.keys(fields).length > 0 ? { ...problem, fields } : undefined;
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
