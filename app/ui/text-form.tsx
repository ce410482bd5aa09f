import { useRef, useState } from "react";
import { flushSync } from "react-dom";
import type { Problem } from "../domain/problem.ts";
import type { Receipt } from "../domain/receipt.ts";
import type { FormName } from "../domain/request.ts";
import { elapsedField } from "../forms/machine-fields.ts";
import { errorSummary, type TextFields as Fields, isMissingTexts } from "../forms/text-fields.ts";
import { apiPaths } from "../site.ts";
import { type FormResponse, readResponse } from "./api-response.ts";
import { TextFields } from "./field.tsx";
import { Honeypot } from "./honeypot.tsx";
import { RequestFailed, request } from "./http-request.ts";
import { ProblemSummary } from "./problem-summary.tsx";
import { type ToastText, useToast } from "./use-toast.tsx";

const loadRules = () => import("../forms/text-rules.ts");

/** A form without files. As HTML it is a plain post; script validates it at once and posts it to the API. */
export function TextForm({
  form: name,
  fields,
  idPrefix = "",
  action,
  extra = {},
  submitLabel,
  failure,
  missing,
  notice,
  typed,
  problem,
  onReceived,
  onResponse,
}: {
  form: FormName;
  fields: Fields;
  idPrefix?: string;
  /** The page that handles the plain post. */
  action: string;
  /** Hidden fields. */
  extra?: Record<string, string>;
  submitLabel: string;
  /** The toast shown if sending fails. `preferServerMessage` replaces its description by the server's. */
  failure: ToastText & { preferServerMessage?: true };
  /** Heading of the error summary if a required text is missing. */
  missing?: string;
  /** Privacy notice, above the submit button. */
  notice: React.ReactNode;
  typed: Record<string, string> | undefined;
  problem: Problem | undefined;
  onReceived: (receipt: Receipt) => void;
  /** Called for every response: the summary rendered by the page is then out of date. */
  onResponse: () => void;
}) {
  const form = useRef<HTMLFormElement>(null);
  const [errors, setErrors] = useState<Problem["fields"]>(problem?.fields ?? {});
  const [summary, setSummary] = useState<Problem>();
  const [failureMessage, setFailureMessage] = useState<string>();
  const [isPending, setIsPending] = useState(false);
  const [wasValidated, setWasValidated] = useState(false);
  // A ref, not state: a double click is faster than a render.
  const inFlight = useRef(false);
  const { toast, show, hide } = useToast();

  const currentValues = () =>
    Object.fromEntries(new FormData(form.current!)) as Record<string, string>;

  async function validate() {
    const { textErrors } = await loadRules();
    const found = textErrors(fields, currentValues());
    setErrors(found);
    return found;
  }

  async function submit() {
    if (inFlight.current) return;
    inFlight.current = true;
    setIsPending(true);
    try {
      const found = await validate();
      if (Object.keys(found).length > 0) {
        const isMissing = missing && isMissingTexts(fields, currentValues());
        showRejection({ error: isMissing ? missing : errorSummary(found), fields: found });
        return;
      }
      handleResponse(await send());
    } catch {
      // A part of the script did not load: treat it as a failed request.
      handleResponse({ kind: "failed" });
    } finally {
      inFlight.current = false;
      setIsPending(false);
    }
  }

  async function send(): Promise<FormResponse> {
    const elapsed = String(Math.round(performance.now()));
    try {
      const response = await request("POST", apiPaths[name], {
        ...currentValues(),
        ...extra,
        [elapsedField]: elapsed,
      });
      return readResponse(response.status, await response.json());
    } catch (error) {
      if (!(error instanceof RequestFailed)) return { kind: "failed" };
      return readResponse(error.status, parseJson(error.body));
    }
  }

  function handleResponse(response: FormResponse) {
    onResponse();
    setFailureMessage(undefined);
    hide();
    if (response.kind === "received") {
      const receivedAt = new Date().toISOString();
      onReceived({
        form: name,
        reference: response.reference,
        receivedAt,
        fileCount: 0,
        files: [],
      });
    } else if (response.kind === "rejected") {
      showRejection(response);
    } else if (response.kind === "failed") {
      const { preferServerMessage, ...toastText } = failure;
      const description = (preferServerMessage && response.error) || toastText.description;
      show({ ...toastText, description, destructive: true });
      setSummary(undefined);
      setFailureMessage(
        [`${toastText.title} - ${description}`, response.error !== description && response.error]
          .filter(Boolean)
          .join(" "),
      );
    }
  }

  function showRejection({ error, fields }: Pick<Problem, "error" | "fields">) {
    flushSync(() => {
      setWasValidated(true);
      setErrors(fields);
      setFailureMessage(undefined);
      setSummary({ status: 422, code: "rejected", error, fields });
    });
  }

  return (
    <form
      ref={form}
      className="text-form"
      method="post"
      action={action}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
      onInput={() => {
        if (wasValidated) void validate();
      }}
    >
      {summary && <ProblemSummary problem={summary} idPrefix={idPrefix} />}
      {Object.entries({ intent: name, ...extra }).map(([key, value]) => (
        <input key={key} type="hidden" name={key} value={value} />
      ))}
      <Honeypot />
      <TextFields fields={fields} idPrefix={idPrefix} typed={typed} errors={errors} />
      {notice}
      <div role="alert">{failureMessage && <p className="field-error">{failureMessage}</p>}</div>
      <div className="actions">
        <button type="submit" className="button" aria-disabled={isPending || undefined}>
          {isPending ? "Sending…" : submitLabel}
        </button>
      </div>
      {toast}
    </form>
  );
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
