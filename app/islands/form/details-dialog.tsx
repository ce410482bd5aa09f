import { useEffect, useLayoutEffect, useRef } from "react";
import { amountToSend } from "../../forms/sending-time.ts";
import { TextInputs } from "./field.tsx";
import { PlainPost } from "./plain-post.tsx";
import { Sending } from "./sending.tsx";
import { Stalled } from "./stalled.tsx";
import type { PartProps } from "./upload-form.tsx";

/**
 * The dialog with the text fields of a form with files. As HTML it is open and inline. entry.client.ts closes it,
 * unless the visitor may have seen it or the form came back. Later, script opens it as a modal.
 */
export function DetailsDialog({
  props,
  upload,
  children,
}: PartProps & { children: React.ReactNode }) {
  const { form, title, returned, defaultTexts, notice } = props;
  const { state, dialog, round, isHydrated } = upload;
  const isSending = state.status === "sending";
  const confirmation = state.status === "received" ? props.confirmation : undefined;
  return (
    <dialog
      ref={dialog}
      className="contact-details sheet"
      aria-labelledby="contact-details-title"
      data-collapsible={returned ? undefined : ""}
      open
      suppressHydrationWarning
      onClose={upload.onClose}
      onCancel={(event) => {
        // Escape must not hide an upload in progress; the Cancel button ends it.
        if (isSending) event.preventDefault();
      }}
    >
      <h3 id="contact-details-title">{title}</h3>
      {confirmation && (
        <Confirmation
          closesAfterMs={confirmation.closesAfterMs}
          close={() => dialog.current!.close()}
        >
          {confirmation.content}
        </Confirmation>
      )}
      <div className="fields" inert={isSending} hidden={confirmation !== undefined} key={round}>
        <TextInputs
          fields={form.fields}
          typed={{ ...defaultTexts, ...(round === 0 && returned?.typed) }}
          errors={state.errors}
        />
        {notice(state.errors)}
      </div>
      {isHydrated && !confirmation && <DialogFoot props={props} upload={upload} />}
      {children}
    </dialog>
  );
}

/** A message that closes the dialog after a time; the receipt on the page stays. */
function Confirmation({
  closesAfterMs,
  close,
  children,
}: {
  closesAfterMs: number;
  close: () => void;
  children: React.ReactNode;
}) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    element.current?.focus();
    const timer = setTimeout(close, closesAfterMs);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div role="status" tabIndex={-1} ref={element}>
      {children}
    </div>
  );
}

function DialogFoot({ props, upload }: PartProps) {
  const { sendLabel, pendingLabel, note } = props;
  const { state, dialog, cancel, keepWaiting, files, hasArrived } = upload;
  const foot = useRef<HTMLDivElement>(null);
  const isSending = state.status === "sending";
  // While sending, the fields are inert and lose the focus: move it to the Send button.
  useLayoutEffect(() => {
    if (isSending) foot.current!.querySelector("button")!.focus();
  }, [isSending]);
  // Scroll to the progress or the failure, which a small screen shows below the visible part of the dialog.
  useEffect(() => {
    if (["sending", "failed"].includes(state.status))
      foot.current!.scrollIntoView({ block: "end" });
  }, [state.status]);
  return (
    <div className="dialog-foot" ref={foot}>
      {state.status === "failed" && (
        <div role="alert">
          <p className="field-error">{state.message}</p>
          {upload.isBlocked && <PlainPost onSend={upload.sendPlainly} />}
        </div>
      )}
      {isSending && state.progress && <Sending progress={state.progress} />}
      {isSending && state.isStalled && <Stalled keepWaiting={keepWaiting} />}
      {!isSending && upload.isOpen && <p className="figures">{amountToSend(files, hasArrived)}</p>}
      <div className="actions">
        <button type="submit" className="button" aria-disabled={isSending}>
          {(isSending && pendingLabel) || sendLabel}
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
      {note && <p className="faded">{note}</p>}
    </div>
  );
}
