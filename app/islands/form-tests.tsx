import { useState } from "react";
import type { FormName } from "../domain/request.ts";
import { allForms } from "../forms/all-forms.ts";
import { type Form, hasFiles } from "../forms/form.ts";
import { sampleTexts, sampleUpload, testEndpoint } from "../forms/samples.ts";
import { postJson } from "./form/send-texts.ts";

interface TestResult {
  form: FormName;
  ok: boolean;
  message: string;
  id?: number | undefined;
  /** ISO 8601, UTC. */
  at: string;
}

export default function FormTests({ initialResult }: { initialResult: TestResult | undefined }) {
  const [results, setResults] = useState(initialResult ? [initialResult] : []);
  const [running, setRunning] = useState<FormName>();

  async function run(form: Form, withMail: boolean) {
    if (running) return;
    setRunning(form.name);
    const result = await runTest(form, withMail);
    setResults((others) => [result, ...others.filter((other) => other.form !== form.name)]);
    setRunning(undefined);
  }

  return (
    <ul className="tests">
      {allForms.map((form) => {
        const result = results.find((other) => other.form === form.name);
        return (
          <li key={form.name} className="sheet">
            <TestForm
              form={form}
              isRunning={form.name === running}
              run={(withMail) => void run(form, withMail)}
            />
            <div role="status">{result && <Result result={result} />}</div>
          </li>
        );
      })}
    </ul>
  );
}

function TestForm({
  form: { name, label, endpoint, email },
  isRunning,
  run,
}: {
  form: Form;
  isRunning: boolean;
  run: (withMail: boolean) => void;
}) {
  return (
    <form
      method="post"
      action="/test-forms"
      aria-label={label}
      className="cluster"
      onSubmit={(event) => {
        event.preventDefault();
        run(new FormData(event.currentTarget).has("mail"));
      }}
    >
      <div className="flush">
        <h2 className="term">{label}</h2>
        <p className="hint">POST {endpoint}</p>
      </div>
      <input type="hidden" name="form" value={name} />
      {email && (
        <label className="check">
          <input type="checkbox" name="mail" value="yes" /> Send the email too
        </label>
      )}
      <button type="submit" className="button quiet small" aria-disabled={isRunning}>
        {isRunning ? "Testing…" : "Run this test"}
      </button>
    </form>
  );
}

function Result({ result: { ok, message, id, at } }: { result: TestResult }) {
  return (
    <dl className={ok ? "result rows good" : "result rows bad"}>
      <div>
        <dt>Result</dt>
        <dd>
          <strong>{ok ? "SUCCESS" : "ERROR"}</strong>
        </dd>
      </div>
      <div>
        <dt>Message</dt>
        <dd>{message}</dd>
      </div>
      {id !== undefined && (
        <div>
          <dt>Id</dt>
          <dd>{id}</dd>
        </div>
      )}
      <div>
        <dt>Time</dt>
        <dd>
          <time dateTime={at}>{at}</time>
        </dd>
      </div>
    </dl>
  );
}

/** Runs one test from the browser, against the API endpoint. Without script the action of /test-forms runs it. */
async function runTest(form: Form, withMail: boolean): Promise<TestResult> {
  const at = new Date();
  const path = testEndpoint(form, { sendEmail: withMail });
  const failed = (message: string): TestResult => ({
    form: form.name,
    ok: false,
    message,
    at: at.toISOString(),
  });
  try {
    const response = hasFiles(form)
      ? await fetch(path, { method: "POST", body: sampleUpload(form, at) })
      : await postJson(path, sampleTexts(form, at));
    if (response.ok) return toResult({ form: form.name, ok: true, at }, await response.json());
    return failed(`${response.status}: ${(await response.text()) || response.statusText}`);
  } catch {
    return failed("The server cannot be reached.");
  }
}

/** The result of a test as the page shows it. @param body what the endpoint responded with */
export function toResult(
  { form, ok, at }: Pick<TestResult, "form" | "ok"> & { at: Date },
  body: unknown,
): TestResult {
  const { message, error, id } = body as { message?: string; error?: string; id?: number };
  return { form, ok, message: message ?? error ?? "", id, at: at.toISOString() };
}
