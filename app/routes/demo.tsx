import DemoRequest from "../islands/demo-request.tsx";
import { ThankYou } from "../islands/form/thank-you.tsx";
import { FormPageHead } from "../ui/form-page.tsx";
import { Island } from "../ui/island.tsx";
import type { Route } from "./+types/demo";
import { formAction, formLoader, formPageHeaders } from "./form-route.ts";

export const loader = formLoader("demo-request");

export const action = formAction("demo-request", "/demo");
export const headers = formPageHeaders;

export default function Demo({ loaderData, actionData, matches }: Route.ComponentProps) {
  const { brand } = matches[0].loaderData;
  const { company, retentionDays, receipt, receiptMissing } = loaderData;
  const { typed, problem } = actionData ?? {};
  return (
    <>
      <FormPageHead
        title={`Request a demo of ${brand.name}`}
        description={`Ask for a demo of ${brand.name} with your own subject and rubric. You hear from us within 24 hours; it costs nothing and binds you to nothing.`}
        path="/demo"
        receipt={receipt}
        receiptMissing={receiptMissing}
        problem={problem}
        formHref="/demo"
      />
      <div className="page columns demo-page">
        <div>
          <h1>See it mark in your subject</h1>
          <p className="lead">
            Half an hour, on screen, with your subject and your rubric. You bring the doubts; we
            bring scripts that are not easy to mark.
          </p>
          <ol>
            <li>You tell us the subject, the level and what you would like to see.</li>
            <li>
              We write back within 24 hours, weekends included, and agree on a time that suits a
              school day.
            </li>
            <li>
              We mark a few scripts while you watch, and you change any mark you disagree with.
            </li>
          </ol>
          <p>
            Would you rather send papers at once? <a href="/#demo">Upload them here</a>.
          </p>
        </div>
        <section aria-labelledby="form-title">
          <h2 id="form-title">Your details</h2>
          {receipt ? (
            <ThankYou receipt={receipt} />
          ) : (
            <Island
              name="demo-request"
              component={DemoRequest}
              props={{ company, retentionDays, typed, problem }}
            />
          )}
        </section>
      </div>
    </>
  );
}
