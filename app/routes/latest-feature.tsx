import { routeContext } from "../context.ts";
import { adviceFor, FormPageHead, useFormPage } from "../ui/form-page.tsx";
import { Benefits } from "../ui/latest-feature/benefits.tsx";
import { Challenge } from "../ui/latest-feature/challenge.tsx";
import { Hero } from "../ui/latest-feature/hero.tsx";
import { Repair } from "../ui/latest-feature/repair.tsx";
import { RubricUpload } from "../ui/latest-feature/rubric-upload.tsx";
import { WhyItMatters } from "../ui/latest-feature/why-it-matters.tsx";
import { StaticHtml } from "../ui/static-html.tsx";
import "../styles/marking.css";
import "../styles/latest-feature.css";
import type { Route } from "./+types/latest-feature";
import { formPageHeaders, loadFormPage, respondToPost } from "./form-route.ts";

export const handle = { hydrate: true };

/** Script changes the URL to show the reference; the data stays valid. */
export const shouldRevalidate = () => false;

export const loader = ({ request, context }: Route.LoaderArgs) =>
  loadFormPage(request, context.get(routeContext), ["rubric-request"]);

export async function action({ context }: Route.ActionArgs) {
  const outcome = await context.get(routeContext).submit("rubric-request");
  return respondToPost("rubric-request", outcome, "/latest-feature", "#upload");
}

export const headers = formPageHeaders;

export default function LatestFeature({ loaderData, actionData, matches }: Route.ComponentProps) {
  const { brand } = matches[0].loaderData;
  const { company, retentionDays, receiptMissing } = loaderData;
  const page = useFormPage("/latest-feature", loaderData.receipt, actionData?.problem);
  return (
    <>
      <FormPageHead
        title={`Smart Rubric and Memo Alignment: ${brand.name}`}
        description={`${brand.name} reads your questions, rubric and memo side by side, shows where they disagree, and suggests wording for each row that markers read two ways.`}
        path="/latest-feature"
        receipt={page.receipt}
        receiptMissing={receiptMissing}
        problem={page.problem}
        advice={
          page.problem && page.problem === actionData?.problem
            ? adviceFor(actionData.draft)
            : undefined
        }
        formHref="/latest-feature#upload"
      />
      <StaticHtml id="before-upload">
        {import.meta.env.SSR && (
          <>
            <Hero brand={brand} />
            <Challenge />
            <Repair brand={brand} />
            <Benefits />
          </>
        )}
      </StaticHtml>
      <RubricUpload
        company={company}
        retentionDays={retentionDays}
        receipt={page.receipt}
        problem={page.problem}
        typed={actionData?.typed}
        draft={actionData?.draft}
        onReceived={page.onReceived}
        onRejected={page.onRejected}
      />
      <StaticHtml id="after-upload">{import.meta.env.SSR && <WhyItMatters />}</StaticHtml>
    </>
  );
}
