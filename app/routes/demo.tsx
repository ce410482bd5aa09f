import type { Brand } from "../brand.ts";
import { maxSubmissions } from "../domain/service.ts";
import { demoRequest } from "../forms/demo-request.ts";
import { replyTimeOf } from "../forms/reply-time.ts";
import DemoRequest from "../islands/demo-request.tsx";
import { ButtonLink } from "../ui/button.tsx";
import { ClassPicture } from "../ui/class-picture.tsx";
import { FormPage } from "../ui/form-page.tsx";
import { Island } from "../ui/island.tsx";
import { noticeOf } from "../ui/notice-texts.ts";
import { titleWith } from "../ui/title.ts";
import type { Route } from "./+types/demo";
import { formAction, formLoader, formPageHeaders } from "./form-route.ts";

export const loader = formLoader("demo-request");

export const action = formAction("demo-request", "/demo");
export const headers = formPageHeaders;

export default function Demo({ loaderData, actionData, matches }: Route.ComponentProps) {
  const { brand } = matches[0].loaderData;
  const { retentionDays } = loaderData;
  const reply = replyTimeOf(demoRequest, brand);
  const hasCall = brand.demoCall.length > 0;
  return (
    <FormPage
      page={loaderData}
      returned={actionData}
      brand={brand}
      {...headOf(brand)}
      path="/demo"
      formHref="/demo"
    >
      <div className="page">
        <h1>See it mark in your subject</h1>
        <p className="lead">
          There are two demos{brand.pricing && ", and both are free"}. {reply.aim}
        </p>
        <div className="halves">
          <SendUs />
          <section className="sheet" aria-labelledby="form-title">
            <h2 id="form-title">{hasCall ? "Watch us mark" : "Ask for a demo"}</h2>
            <HowItGoes brand={brand} />
            <Island
              name="demo-request"
              component={DemoRequest}
              props={{
                notice: noticeOf(demoRequest, brand, loaderData),
                reply,
                retentionDays,
                returned: actionData,
              }}
            />
          </section>
        </div>
      </div>
    </FormPage>
  );
}

/** Title and description. They call the demos free only if the brand states a price for other work. */
function headOf({ name, pricing, model, demoCall: { length: steps } }: Brand) {
  const article = model ? "An" : "A";
  const demo = `${pricing ? "Free" : article}${model && " AI"} marking demo`;
  const wish = steps > 0 ? "watch us mark in your subject" : "say what you would like to see";
  const cost = pricing
    ? "Both demos are free and bind you to nothing"
    : "Neither binds you to anything";
  return {
    title: titleWith(`${demo}: send a test, or ${steps > 0 ? "watch us" : "ask us"}`, name),
    description: `Send us a test with its memo, or ${wish}. ${cost}.`,
  };
}

function SendUs() {
  return (
    <section className="sheet" aria-labelledby="send-title">
      <h2 id="send-title">Send us a test</h2>
      <p>
        A question paper, its memo and up to {maxSubmissions} scripts. You get the marks by email:
        the class on one page, and each learner with marks and comments.
      </p>
      <ClassPicture />
      <div className="actions">
        <ButtonLink href="/#demo" quiet>
          Choose the files
        </ButtonLink>
        <a className="standalone-link" href="/?results=sample">
          See a sample result
        </a>
      </div>
    </section>
  );
}

function HowItGoes({ brand: { demoCall } }: { brand: Brand }) {
  if (demoCall.length === 0) {
    return <p>Tell us your subject and level, and what you would like to see.</p>;
  }
  return (
    <ol>
      {demoCall.map((step) => (
        <li key={step}>{step}</li>
      ))}
    </ol>
  );
}
