import { routeContext } from "../context.ts";
import { demoRequestFields } from "../forms/demo-request.ts";
import { FormPageHead, TextNotice, useFormPage } from "../ui/form-page.tsx";
import { TextForm } from "../ui/text-form.tsx";
import { ThankYou } from "../ui/thank-you.tsx";
import type { Route } from "./+types/demo";
import { formPageHeaders, loadFormPage, respondToPost } from "./form-route.ts";

export const handle = { hydrate: true };

/** Script changes the URL to show the reference; the data stays valid. */
export const shouldRevalidate = () => false;

export const loader = ({ request, context }: Route.LoaderArgs) =>
  loadFormPage(request, context.get(routeContext), ["demo-request"]);

export async function action({ context }: Route.ActionArgs) {
  const outcome = await context.get(routeContext).submit("demo-request");
  return respondToPost("demo-request", outcome, "/demo");
}

export const headers = formPageHeaders;

export default function Demo({ loaderData, actionData, matches }: Route.ComponentProps) {
  const { brand } = matches[0].loaderData;
  const { company, retentionDays, receiptMissing } = loaderData;
  const page = useFormPage("/demo", loaderData.receipt, actionData?.problem);
  return (
    <>
      <FormPageHead
        title={`Request a demo of ${brand.name}`}
        description={`Ask for a demo of ${brand.name} with your own subject and rubric. You hear from us within 24 hours; it costs nothing and binds you to nothing.`}
        path="/demo"
        receipt={page.receipt}
        receiptMissing={receiptMissing}
        problem={page.problem}
        formHref="/demo"
      />
      <div className="page columns demo-page" data-needs-script>
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
          <h2 id="form-title" className={page.receipt ? "visually-hidden" : undefined}>
            Your details
          </h2>
          {page.receipt ? (
            <ThankYou receipt={page.receipt} />
          ) : (
            <TextForm
              form="demo-request"
              fields={demoRequestFields}
              action="/demo"
              submitLabel="Request a demo"
              failure={{
                title: "Submission Failed",
                description: "Please try again later.",
                preferServerMessage: true,
              }}
              notice={<TextNotice company={company} retentionDays={retentionDays} />}
              typed={actionData?.typed}
              problem={actionData?.problem}
              onReceived={page.onReceived}
              onResponse={page.onResponse}
            />
          )}
        </section>
      </div>
    </>
  );
}
