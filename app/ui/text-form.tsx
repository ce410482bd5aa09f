import { useRef, useState } from "react";
import { flushSync } from "react-dom";
import type { Problem } from "../domain/problem.ts";
import type { Receipt } from "../domain/receipt.ts";
import type { FormName } from "../domain/request.ts";
import { elapsedField } from "../forms/machine-fields.ts";
import { type TextFields as Fields, headingOf, isMissingTexts } from "../forms/text-fields.ts";
import { apiPaths } from "../site.ts";
import { type Answer, readResponse } from "./api-response.ts";
import { TextFields } from "./field.tsx";
import { Honeypot } from "./honeypot.tsx";
import { RequestFailed, request } from "./http-request.ts";
import { ProblemSummary } from "./problem-summary.tsx";
import { type ToastText, useToast } from "./use-toast.tsx";

const loadRules = () => import("../forms/text-rules.ts");

/** A form of texts alone. As HTML it is a plain post; with script it is judged at once and sent by a call. */
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
  onAnswered,
}: {
  form: FormName;
  fields: Fields;
  idPrefix?: string;
  /** The page that takes the plain post. */
  action: string;
  /** Sent besides what is typed. */
  extra?: Record<string, string>;
  submitLabel: string;
  /** What a toast says when sending fails; the server's own words take the description's place where `failure` says so. */
  failure: ToastText & { orServersWords?: true };
  /** Heads the summary where a required text is missing. */
  missing?: string;
  /** Who keeps what, why and how long; stands at the button that sends. */
  notice: React.ReactNode;
  typed: Record<string, string> | undefined;
  problem: Problem | undefined;
  onReceived: (receipt: Receipt) => void;
  /** The page's own summary is out of date once there is a newer answer. */
  onAnswered: () => void;
}) {
  const form = useRef<HTMLFormElement>(null);
  const [errors, setErrors] = useState<Problem["fields"]>(problem?.fields ?? {});
  const [summary, setSummary] = useState<Problem>();
  const [failed, setFailed] = useState<string>();
  const [pending, setPending] = useState(false);
  const [validated, setValidated] = useState(false);
  // Not state: a double click is faster than a render.
  const underWay = useRef(false);
  const { toast, show, hide } = useToast();

  const typedNow = () => Object.fromEntries(new FormData(form.current!)) as Record<string, string>;

  async function validate() {
    const { textErrors } = await loadRules();
    const found = textErrors(fields, typedNow());
    setErrors(found);
    return found;
  }

  async function submit() {
    if (underWay.current) return;
    underWay.current = true;
    setPending(true);
    try {
      const found = await validate();
      if (Object.keys(found).length > 0) {
        const isMissing = missing && isMissingTexts(fields, typedNow());
        rejectUpload({ error: isMissing ? missing : headingOf(found), fields: found });
        return;
      }
      take(await send());
    } catch {
      // A part of the script did not load: the line is down, as if the call had failed.
      take({ kind: "failed" });
    } finally {
      underWay.current = false;
      setPending(false);
    }
  }

  async function send(): Promise<Answer> {
    const elapsed = String(Math.round(performance.now()));
    try {
      const answer = await request("POST", apiPaths[name], {
        ...typedNow(),
        ...extra,
        [elapsedField]: elapsed,
      });
      return readResponse(answer.status, await answer.json());
    } catch (error) {
      if (!(error instanceof RequestFailed)) return { kind: "failed" };
      return readResponse(error.status, parsed(error.body));
    }
  }

  function take(answer: Answer) {
    onAnswered();
    setFailed(undefined);
    hide();
    if (answer.kind === "received") {
      const receivedAt = new Date().toISOString();
      onReceived({
        form: name,
        reference: answer.reference,
        receivedAt,
        fileCount: 0,
        files: [],
      });
    } else if (answer.kind === "refused") {
      rejectUpload(answer);
    } else if (answer.kind === "failed") {
      const { orServersWords, ...said } = failure;
      const description = (orServersWords && answer.error) || said.description;
      show({ ...said, description, destructive: true });
      setSummary(undefined);
      setFailed(
        [`${said.title} - ${description}`, answer.error !== description && answer.error]
          .filter(Boolean)
          .join(" "),
      );
    }
  }

  function rejectUpload({ error, fields }: Pick<Problem, "error" | "fields">) {
    flushSync(() => {
      setValidated(true);
      setErrors(fields);
      setFailed(undefined);
      setSummary({ status: 422, code: "refused", error, fields });
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
        if (validated) void validate();
      }}
    >
      {summary && <ProblemSummary problem={summary} idPrefix={idPrefix} />}
      {Object.entries({ intent: name, ...extra }).map(([key, value]) => (
        <input key={key} type="hidden" name={key} value={value} />
      ))}
      <Honeypot />
      <TextFields fields={fields} idPrefix={idPrefix} typed={typed} errors={errors} />
      {notice}
      <div role="alert">{failed && <p className="field-error">{failed}</p>}</div>
      <div className="actions">
        <button type="submit" className="button" aria-disabled={pending || undefined}>
          {pending ? "Sending…" : submitLabel}
        </button>
      </div>
      {toast}
    </form>
  );
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
