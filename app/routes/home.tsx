import { data } from "react-router";
import { routeContext } from "../context.ts";
import type { FormName } from "../domain/request.ts";
import { sampleToken } from "../domain/result.ts";
import { contactIdPrefix } from "../ui/contact-form.tsx";
import { adviceFor, FormPageHead, useFormPage } from "../ui/form-page.tsx";
import { ContactSection } from "../ui/home/contact-section.tsx";
import { DemoSection } from "../ui/home/demo-section.tsx";
import { Features } from "../ui/home/features.tsx";
import { Hero } from "../ui/home/hero.tsx";
import { HowItWorks } from "../ui/home/how-it-works.tsx";
import { Testimonials } from "../ui/home/testimonials.tsx";
import { WhatComesBack } from "../ui/home/what-comes-back.tsx";
import { resultsOfPage } from "../ui/results/shown-results.ts";
import { StaticHtml } from "../ui/static-html.tsx";
import "../styles/marking.css";
import "../styles/home.css";
import type { Route } from "./+types/home";
import {
  type FormPageData,
  formPageHeaders,
  loadFormPage,
  privateHeaders,
  respondToPost,
} from "./form-route.ts";

export const handle = { hydrate: true };

/** Script changes the URL to show the reference; the data stays valid. */
export const shouldRevalidate = () => false;

export async function loader({ request, context }: Route.LoaderArgs) {
  const site = context.get(routeContext);
  const token = new URL(request.url).searchParams.get("results");
  if (token === null) return loadFormPage(request, site, ["demo-upload", "contact"]);
  const results = await site.findResults(token);
  context.set(resultsOfPage, results ?? "none");
  const isSample = token === sampleToken;
  return data<FormPageData>(
    {
      receipt: null,
      receiptMissing: false,
      retentionDays: site.retentionDays,
      company: site.brand.company,
      results: {
        isSample,
        title: isSample
          ? "Sample result"
          : results
            ? "Your marked work"
            : "This link opens no results",
      },
    },
    { status: results ? 200 : 404, headers: isSample ? {} : privateHeaders },
  );
}

/** Handles plain posts of both forms. The upload form is multipart; the other one is not. */
export async function action({ request, context }: Route.ActionArgs) {
  const hasFiles = /^multipart\//i.test(request.headers.get("Content-Type") ?? "");
  const form: FormName = hasFiles ? "demo-upload" : "contact";
  const outcome = await context.get(routeContext).submit(form);
  return respondToPost(form, outcome, "/", hasFiles ? "#demo" : "#contact");
}

export const headers = formPageHeaders;

export default function Home({ loaderData, actionData, matches }: Route.ComponentProps) {
  const { brand, origin } = matches[0].loaderData;
  const { retentionDays, receiptMissing, results } = loaderData;
  const page = useFormPage("/", loaderData.receipt, actionData?.problem);
  const { receipt, problem, onReceived, onRejected, onResponse } = page;
  const organization = {
    "@type": "Organization",
    name: brand.company,
    url: origin,
    email: brand.email,
    sameAs: brand.social.map(({ url }) => url),
  };
  const isContact = actionData?.form === "contact";
  const upload = isContact ? undefined : actionData;
  const contact = isContact ? actionData : undefined;
  return (
    <>
      <FormPageHead
        title={
          results?.title ?? `${brand.name}: exams and assignments marked against your own rubric`
        }
        description={`Upload questions, a rubric and your learners’ submissions. ${brand.name} proposes a mark and a reason for every question, and you decide.`}
        path="/"
        noindex={Boolean(results)}
        data={organization}
        receipt={receipt}
        receiptMissing={receiptMissing}
        problem={problem}
        idPrefix={isContact && problem === contact?.problem ? contactIdPrefix : ""}
        advice={problem && problem === upload?.problem ? adviceFor(upload.draft) : undefined}
        formHref="/#demo"
      />
      <StaticHtml id="before-demo">
        {import.meta.env.SSR && (
          <>
            <Hero brand={brand} />
            <HowItWorks />
            <WhatComesBack />
            <Features claims={brand.claims} />
          </>
        )}
      </StaticHtml>
      <DemoSection
        brand={brand}
        retentionDays={retentionDays}
        results={results}
        receipt={receipt?.form === "demo-upload" ? receipt : null}
        problem={isContact ? undefined : problem}
        typed={upload?.typed}
        draft={upload?.draft}
        onReceived={onReceived}
        onRejected={onRejected}
      />
      <StaticHtml id="after-demo">
        {import.meta.env.SSR && <Testimonials brand={brand} />}
      </StaticHtml>
      <ContactSection
        brand={brand}
        retentionDays={retentionDays}
        receipt={receipt?.form === "contact" ? receipt : null}
        problem={contact?.problem}
        typed={contact?.typed}
        onReceived={onReceived}
        onResponse={onResponse}
      />
    </>
  );
}
