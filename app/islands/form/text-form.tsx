import type { ReplyTime } from "../../forms/reply-time.ts";
import { Boundary } from "./boundary.tsx";
import { TextInputs } from "./field.tsx";
import { HiddenFields } from "./hidden-fields.tsx";
import { updatePage } from "./page.ts";
import { PageProblem } from "./page-problem.tsx";
import { PlainPost } from "./plain-post.tsx";
import { focusSummary } from "./problem-summary.tsx";
import { sendTexts } from "./send-texts.ts";
import { Stalled } from "./stalled.tsx";
import { ThankYou } from "./thank-you.tsx";
import { type FormOptions, useForm } from "./use-form.ts";

export interface TextFormIsland {
  returned: FormOptions["returned"];
  /** Undefined if what is sent is not deleted after a fixed time. */
  retentionDays?: number;
  reply?: ReplyTime;
}

interface TextFormProps extends FormOptions, TextFormIsland {
  /** Keeps ids unique if two forms on a page have the same fields. */
  idPrefix?: string;
  /** The page that handles the plain post. */
  action: string;
  extra?: Record<string, string>;
  submitLabel: string;
  intro?: React.ReactNode;
  notice: React.ReactNode;
}

/** A form without files. As HTML it is a plain post; script validates it at once and posts it to the API. */
export function TextForm({
  idPrefix,
  action,
  extra,
  submitLabel,
  intro,
  notice,
  retentionDays,
  reply,
  ...options
}: TextFormProps) {
  const { returned } = options;
  const { fields, endpoint } = options.form;
  const form = useForm(options, (body, signal) => sendTexts(endpoint, body, signal));
  const { state, dispatch, extras } = form;

  async function submit() {
    const event = await form.submit();
    if (!event) return;
    updatePage(event);
    // Another form of the page may have a summary too. The newest is at the top of the page, so it is found first.
    if ("problem" in event) focusSummary(document);
  }

  return (
    <>
      {state.status === "received" ? (
        <ThankYou
          form={options.form}
          receipt={state.receipt}
          retentionDays={retentionDays}
          reply={reply}
          isNew
        />
      ) : (
        <form
          ref={form.ref}
          className="text-form fields"
          method="post"
          action={action}
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            void submit();
          }}
          onInput={form.revalidate}
          {...form.onUse}
        >
          {/* The page of a returned form has its problem already. */}
          {"problem" in state && state.problem !== returned?.problem && (
            <PageProblem problem={state.problem} idPrefix={idPrefix} />
          )}
          {intro}
          <HiddenFields extra={extra} />
          <TextInputs
            fields={fields}
            idPrefix={idPrefix}
            typed={returned?.typed}
            errors={state.errors}
          />
          {notice}
          <SendingState form={form} submitLabel={submitLabel} />
        </form>
      )}
      <Boundary>
        {extras && (
          <extras.Toast toast={state.toast} onGone={() => dispatch({ type: "toast closed" })} />
        )}
      </Boundary>
    </>
  );
}

function SendingState({
  form: { state, keepWaiting, cancel, isBlocked, sendPlainly },
  submitLabel,
}: {
  form: ReturnType<typeof useForm>;
  submitLabel: string;
}) {
  const isSending = state.status === "sending";
  return (
    <>
      <div role="alert">
        {state.status === "failed" && <p className="field-error">{state.message}</p>}
        {isBlocked && <PlainPost onSend={sendPlainly} />}
      </div>
      {state.status === "sending" && state.isStalled && (
        <Stalled keepWaiting={keepWaiting} cancel={cancel} />
      )}
      <div className="actions">
        <button type="submit" className="button" aria-disabled={isSending || undefined}>
          {isSending ? "Sending…" : submitLabel}
        </button>
      </div>
    </>
  );
}
