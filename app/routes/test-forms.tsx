import { data } from "react-router";
import { routeContext } from "../context.ts";
import { allForms } from "../forms/all-forms.ts";
import { hasFiles } from "../forms/form.ts";
import { sampleTexts, sampleUpload, testEndpoint } from "../forms/samples.ts";
import FormTests, { toResult } from "../islands/form-tests.tsx";
import { Island } from "../ui/island.tsx";
import { NotFound } from "../ui/not-found.tsx";
import "../styles/parts/forms.css";
import "../styles/pages/test-forms.css";
import type { Route } from "./+types/test-forms";
import { formPageHeaders, privateHeaders } from "./form-route.ts";

export function loader({ context }: Route.LoaderArgs) {
  const { testForms } = context.get(routeContext);
  return data(testForms ?? null, { status: testForms ? 200 : 404, headers: privateHeaders });
}

/** Runs one test inside the server, through the same steps as an API post, for a page without script. */
export async function action({ request, context }: Route.ActionArgs) {
  const { testForms, readTexts, submitTest } = context.get(routeContext);
  const rejected = (status: number) => data(null, { status, headers: privateHeaders });
  if (!testForms) return rejected(404);
  const typed = await readTexts();
  if (!typed) return rejected(400);
  const form = allForms.find(({ name }) => name === typed.form);
  if (!form) return rejected(404);
  const url = new URL(testEndpoint(form, { sendEmail: "mail" in typed }), request.url);
  const at = new Date();
  const post = hasFiles(form)
    ? new Request(url, { method: "POST", body: sampleUpload(form, at) })
    : new Request(url, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(sampleTexts(form, at)),
      });
  const outcome = await submitTest(form.name, post);
  const result = outcome.received
    ? toResult({ form: form.name, ok: true, at }, { message: "Received", id: outcome.id })
    : toResult({ form: form.name, ok: false, at }, outcome.problem);
  // `problem` is missing only after the removal of a draft's file, and no test removes one.
  const status = outcome.received ? 200 : outcome.problem!.status;
  return data(result, { status, headers: privateHeaders });
}

export const headers = formPageHeaders;

export default function TestForms({ loaderData, actionData }: Route.ComponentProps) {
  if (!loaderData) return <NotFound />;
  const { sender, team } = loaderData;
  return (
    <div className="page">
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
        Email notifications are sent on demo requests{" "}
        {sender ? (
          <>
            from <strong>{sender}</strong> to <strong>{team.join(", ")}</strong>.
          </>
        ) : (
          "once a mail server is set; until then emails wait."
        )}{" "}
        Those of tests are put on hold unless you ask for them.
      </p>
      <Island
        name="form-tests"
        component={FormTests}
        props={{ initialResult: actionData ?? undefined }}
      />
    </div>
  );
}
