import { maxSubmissions, replyHours } from "../domain/service.ts";
import { demoRequest } from "../forms/demo-request.ts";
import DemoRequest from "../islands/demo-request.tsx";
import { ButtonLink } from "../ui/button.tsx";
import { ClassPicture } from "../ui/class-picture.tsx";
import { FormPageHead } from "../ui/form-page.tsx";
import { Island } from "../ui/island.tsx";
import { noticeOf } from "../ui/notice-texts.ts";
import { ReceiptPage } from "../ui/receipt-page.tsx";
import { titleWith } from "../ui/title.ts";
import type { Route } from "./+types/demo";
import { formAction, formLoader, formPageHeaders } from "./form-route.ts";

export const loader = formLoader("demo-request");

export const action = formAction("demo-request", "/demo");
export const headers = formPageHeaders;

export default function Demo({ loaderData, actionData, matches }: Route.ComponentProps) {
  const { brand } = matches[0].loaderData;
  const { retentionDays, receipt, receiptMissing } = loaderData;
  const { typed, problem } = actionData ?? {};
  return (
    <>
      <FormPageHead
        title={titleWith("Free AI marking demo: send a test, or watch us", brand.name)}
        description={`Send us a test with its memo, or watch us mark in your subject. We answer within ${replyHours} hours; both demos are free and bind you to nothing.`}
        path="/demo"
        receipt={receipt}
        receiptMissing={receiptMissing}
        problem={problem}
        formHref="/demo"
      />
      {receipt ? (
        <ReceiptPage receipt={receipt} brand={brand} retentionDays={retentionDays} />
      ) : (
        <div className="page demo-page">
          <h1>See it mark in your subject</h1>
          <p className="lead">There are two demos, and both are free.</p>
          <div className="halves">
            <SendUs />
            <section aria-labelledby="form-title">
              <h2 id="form-title">Watch us mark</h2>
              <HowItGoes />
              <Island
                name="demo-request"
                component={DemoRequest}
                props={{
                  notice: noticeOf(demoRequest, brand, retentionDays),
                  retentionDays,
                  typed,
                  problem,
                }}
              />
            </section>
          </div>
        </div>
      )}
    </>
  );
}

function SendUs() {
  return (
    <section aria-labelledby="send-title">
      <h2 id="send-title">Send us a test</h2>
      <p>
        A question paper, its memo and up to {maxSubmissions} scripts. You get the marks{" "}
        <span className="whole">by e-mail</span> within {replyHours} hours: the class on one page,
        and a reason for every mark.
      </p>
      <ClassPicture />
      <div className="actions">
        <ButtonLink href="/#demo">Choose the files</ButtonLink>
        <a className="standalone-link" href="/?results=sample">
          See a sample result
        </a>
      </div>
    </section>
  );
}

function HowItGoes() {
  return (
    <>
      <p>Half an hour, on screen, with your subject and your rubric.</p>
      <ol>
        <li>You tell us the subject, the level and what you would like to see.</li>
        <li>
          We write back within {replyHours} hours, weekends included, and agree on a time that suits
          a school day.
        </li>
        <li>
          We mark a few scripts while you watch, and you change any mark you disagree with. You
          bring the doubts; we bring scripts that aren’t easy to mark.
        </li>
      </ol>
    </>
  );
}
