import { useState } from "react";
import { data, redirect, useNavigate } from "react-router";
import type { Receipt } from "../forms/receipt.ts";
import { type HeldFiles, type Problem, services } from "../services.ts";
import { ButtonLink } from "../ui/button.tsx";
import { ContactSection } from "../ui/home/contact-section.tsx";
import { DemoSection } from "../ui/home/demo-section.tsx";
import { Features } from "../ui/home/features.tsx";
import { Hero } from "../ui/home/hero.tsx";
import { HowItWorks } from "../ui/home/how-it-works.tsx";
import { Testimonials } from "../ui/home/testimonials.tsx";
import { WhatComesBack } from "../ui/home/what-comes-back.tsx";
import { ProblemSummary } from "../ui/problem-summary.tsx";
import type { Route } from "./+types/home";

export const handle = { hydrate: true };

/** The address may change to show the reference; what is on the page stays as it is. */
export const shouldRevalidate = () => false;

export async function loader({ request, context }: Route.LoaderArgs) {
  const { brand, demoUpload, retentionDays } = context.get(services);
  const page = { brand, retentionDays };
  const reference = new URL(request.url).searchParams.get("received");
  if (reference === null) return { ...page, receipt: null, receiptMissing: false };
  const receipt = await demoUpload.findReceipt(reference);
  return data(
    { ...page, receipt, receiptMissing: !receipt },
    { status: receipt ? 200 : 404, headers: privateHeaders },
  );
}

/** The demo upload as a plain form post. */
export async function action({ request, context }: Route.ActionArgs) {
  const outcome = await context.get(services).demoUpload.submit(request, "page");
  if (outcome.received) return redirect(`/?received=${outcome.reference}#demo`, 303);
  const { problem, typed, held } = outcome;
  const retry = problem?.status === 503 ? { "Retry-After": "60" } : undefined;
  return data(
    { problem, typed, held },
    { status: problem?.status ?? 200, headers: { ...privateHeaders, ...retry } },
  );
}

/** In plain words: which files the visitor need not choose again. */
function adviceFor(held: HeldFiles | undefined): string {
  return held && held.files.length > 0
    ? "What you typed is still here. We have kept the files marked as received, for an hour from when you first sent them; please choose only the others again."
    : "What you typed is still here. Please choose the files again.";
}

const privateHeaders = { "Cache-Control": "no-store", "X-Robots-Tag": "noindex" };

export function headers({ loaderHeaders, actionHeaders }: Route.HeadersArgs) {
  return actionHeaders.has("Cache-Control") ? actionHeaders : loaderHeaders;
}

export default function Home({ loaderData, actionData }: Route.ComponentProps) {
  const { brand, retentionDays } = loaderData;
  const navigate = useNavigate();
  const [receipt, setReceipt] = useState<Receipt | null>(loaderData.receipt);
  const [problem, setProblem] = useState<Problem | undefined>(actionData?.problem);

  function showReceipt(received: Receipt) {
    setProblem(undefined);
    setReceipt(received);
    // So that a reload shows the receipt, and not an empty form.
    navigate(`/?received=${received.reference}`, { replace: true, preventScrollReset: true });
  }

  const title = `${brand.name}: exams and assignments marked against your own rubric`;
  return (
    <>
      <title>{problem ? `Error: ${title}` : receipt ? `Received: ${title}` : title}</title>
      <meta
        name="description"
        content={`Upload questions, a rubric and your learners’ submissions. ${brand.name} proposes a mark and a reason for every question, and you decide.`}
      />
      {(problem || receipt || loaderData.receiptMissing) && (
        <meta name="robots" content="noindex" />
      )}
      {problem && (
        <div className="page">
          <ProblemSummary
            problem={problem}
            advice={actionData?.problem === problem ? adviceFor(actionData.held) : undefined}
          />
        </div>
      )}
      {loaderData.receiptMissing && (
        <div className="page notice">
          <h2>We cannot find an upload with this reference</h2>
          <p>Please compare it with the one you were given. Old uploads are deleted with time.</p>
          <ButtonLink href="/#demo" quiet>
            Go to the upload
          </ButtonLink>
        </div>
      )}
      <Hero brand={brand} />
      <HowItWorks />
      <WhatComesBack />
      <Features />
      <DemoSection
        brand={brand}
        retentionDays={retentionDays}
        receipt={receipt}
        problem={problem}
        typed={actionData?.typed}
        held={actionData?.held}
        onReceived={showReceipt}
        onRefused={setProblem}
      />
      <Testimonials testimonials={brand.testimonials} />
      <ContactSection brand={brand} />
    </>
  );
}
