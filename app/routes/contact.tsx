import ContactForm, { contactIdPrefix } from "../islands/contact.tsx";
import { ThankYou } from "../islands/form/thank-you.tsx";
import { FormPageHead } from "../ui/form-page.tsx";
import { Island } from "../ui/island.tsx";
import type { Route } from "./+types/contact";
import { formAction, formLoader, formPageHeaders } from "./form-route.ts";

export const loader = formLoader("contact");

export const action = formAction("contact", "/contact");
export const headers = formPageHeaders;

export default function Contact({ loaderData, actionData, matches }: Route.ComponentProps) {
  const { brand } = matches[0].loaderData;
  const { company, retentionDays, receipt, receiptMissing } = loaderData;
  const { typed, problem } = actionData ?? {};
  return (
    <>
      <FormPageHead
        title={`Contact: ask ${brand.name} about marking at your school`}
        description={`Write to the people behind ${brand.name} about a pilot, a subject, your learners’ data or an invoice. A person answers every message by e-mail.`}
        path="/contact"
        receipt={receipt}
        receiptMissing={receiptMissing}
        problem={problem}
        idPrefix={contactIdPrefix}
        formHref="/contact"
      />
      <div className="page columns contact-page">
        <div>
          <h1>Contact us</h1>
          <p className="lead">
            A person reads every message and answers by e-mail. Tell us the subject, the level and
            how many scripts, if it is about marking: the answer will be the better for it.
          </p>
          <p>
            You can also write to <a href={`mailto:${brand.email}`}>{brand.email}</a>.
          </p>
        </div>
        <section aria-labelledby="form-title">
          <h2 id="form-title">Your message</h2>
          {receipt ? (
            <ThankYou receipt={receipt} />
          ) : (
            <Island
              name="contact"
              component={ContactForm}
              props={{
                action: "/contact",
                requestType: "contact",
                company,
                retentionDays,
                typed,
                problem,
              }}
            />
          )}
        </section>
      </div>
    </>
  );
}
