import { useState } from "react";
import { data } from "react-router";
import { routeContext, type TestForms as TestFormsSettings } from "../context.ts";
import type { FormName } from "../domain/request.ts";
import { sampleForms, sampleTexts, sampleUpload, testEndpoint } from "../forms/samples.ts";
import { apiPaths } from "../site.ts";
import { RequestFailed, request as sendRequest } from "../ui/http-request.ts";
import { NotFound } from "../ui/not-found.tsx";
import "../styles/forms.css";
import type { Route } from "./+types/test-forms";

export const handle = { hydrate: true };

interface TestResult {
  form: FormName;
  ok: boolean;
  message: string;
  id?: number | undefined;
  /** ISO 8601, UTC. */
  at: string;
}

/** Larger posts are rejected; the page's own are far smaller. */
const maxBytes = 4096;

const privateHeaders = { "Cache-Control": "no-store", "X-Robots-Tag": "noindex" };

export function loader({ context }: Route.LoaderArgs) {
  const { testForms } = context.get(routeContext);
  return data(testForms ?? null, { status: testForms ? 200 : 404, headers: privateHeaders });
}

/** Without script: runs one test inside the server, through the same steps as an API post. */
export async function action({ request, context }: Route.ActionArgs) {
  const { testForms, submitTest } = context.get(routeContext);
  const length = Number(request.headers.get("Content-Length"));
  if (!testForms || !(length <= maxBytes))
    return data(null, { status: 404, headers: privateHeaders });
  const typed = new URLSearchParams(await request.text());
  const sample = sampleForms.find(({ form }) => form === typed.get("form"));
  if (!sample) return data(null, { status: 404, headers: privateHeaders });
  const { form, hasFiles } = sample;
  const url = new URL(testEndpoint(apiPaths[form], typed.has("mail")), request.url);
  const at = new Date();
  const post = hasFiles
    ? new Request(url, { method: "POST", body: sampleUpload(form, at) })
    : new Request(url, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(sampleTexts(form, at)),
      });
  const outcome = await submitTest(form, post);
  const result = outcome.received
    ? toResult(form, true, { message: "Received", id: outcome.id }, at)
    : toResult(form, false, outcome.problem, at);
  const status = outcome.received ? 200 : outcome.problem!.status;
  return data(result, { status, headers: privateHeaders });
}

export const headers = ({ loaderHeaders }: Route.HeadersArgs) => loaderHeaders;

export default function TestForms({ loaderData, actionData }: Route.ComponentProps) {
  if (!loaderData) return <NotFound />;
  return <Dashboard settings={loaderData} initialResult={actionData ?? undefined} />;
}

function Dashboard({
  settings: { sender, team },
  initialResult,
}: {
  settings: TestFormsSettings;
  initialResult: TestResult | undefined;
}) {
  const [results, setResults] = useState(initialResult ? [initialResult] : []);
  const [running, setRunning] = useState<FormName>();

  async function run(form: FormName, withMail: boolean) {
    setRunning(form);
    const result = await runTest(form, withMail);
    setResults((others) => [result, ...others.filter((other) => other.form !== form)]);
    setRunning(undefined);
  }

  return (
    <div className="page" data-needs-script>
      <title>Test the forms</title>
      <meta name="robots" content="noindex" />
      <meta
        name="description"
        content="Sends a marked test through each form of this site and shows what came of it."
      />
      <h1>Test the forms</h1>
      <p className="lead">
        Each button sends one made-up request through everything that a real one goes through. It is
        kept with a mark that says it is a test.
      </p>
      <p>
        E-mail notifications are sent on demo requests{" "}
        {sender ? (
          <>
            from <strong>{sender}</strong> to <strong>{team.join(", ")}</strong>.
          </>
        ) : (
          "once a mail server is set; until then emails wait."
        )}{" "}
        Those of tests are put on hold unless you ask for them.
      </p>
      <ul className="tests">
        {sampleForms.map(({ form, label }) => {
          const result = results.find((other) => other.form === form);
          return (
            <li key={form}>
              <form
                method="post"
                aria-label={label}
                onSubmit={(event) => {
                  event.preventDefault();
                  if (!running) void run(form, new FormData(event.currentTarget).has("mail"));
                }}
              >
                <h2>{label}</h2>
                <p className="hint">POST {apiPaths[form]}</p>
                <input type="hidden" name="form" value={form} />
                {form !== "subscription" && (
                  <label className="check">
                    <input type="checkbox" name="mail" value="yes" /> Send the email too
                  </label>
                )}
                <button
                  type="submit"
                  className="button quiet small"
                  aria-disabled={form === running}
                >
                  {form === running ? "Testing…" : "Run this test"}
                </button>
              </form>
              <div role="status">{result && <Result result={result} />}</div>
            </li>
          );
        })}
      </ul>
    </div>
  );
}

function Result({ result: { ok, message, id, at } }: { result: TestResult }) {
  return (
    <dl className={ok ? "result good" : "result bad"}>
      <dt>Result</dt>
      <dd>
        <strong>{ok ? "SUCCESS" : "ERROR"}</strong>
      </dd>
      <dt>Message</dt>
      <dd>{message}</dd>
      {id !== undefined && (
        <>
          <dt>Id</dt>
          <dd>{id}</dd>
        </>
      )}
      <dt>Time</dt>
      <dd>
        <time dateTime={at}>{at}</time>
      </dd>
    </dl>
  );
}

/** With script: runs one test from the browser, against the API endpoint. */
async function runTest(form: FormName, withMail: boolean): Promise<TestResult> {
  const at = new Date();
  const sample = sampleForms.find((candidate) => candidate.form === form)!;
  const path = testEndpoint(apiPaths[form], withMail);
  try {
    const body = sample.hasFiles ? sampleUpload(form, at) : sampleTexts(form, at);
    const response = await sendRequest("POST", path, body);
    return toResult(form, true, await response.json(), at);
  } catch (error) {
    const message =
      error instanceof RequestFailed ? error.message : "The server cannot be reached.";
    return { form, ok: false, message, at: at.toISOString() };
  }
}

function toResult(form: FormName, ok: boolean, body: unknown, at: Date): TestResult {
  const { message, error, id } = body as { message?: string; error?: string; id?: number };
  return { form, ok, message: message ?? error ?? "", id, at: at.toISOString() };
}
