import { routeContext } from "../context.ts";
import { replyTimeOf } from "../forms/reply-time.ts";
import { rubricRequest } from "../forms/rubric-request.ts";
import RubricRequest from "../islands/rubric-request.tsx";
import { FormPage } from "../ui/form-page.tsx";
import { Island } from "../ui/island.tsx";
import { Challenge } from "../ui/latest-feature/challenge.tsx";
import { Repair } from "../ui/latest-feature/repair.tsx";
import { Benefits, Hero, WhyItMatters } from "../ui/latest-feature/sections.tsx";
import { noticeOf } from "../ui/notice-texts.ts";
import { titleWith } from "../ui/title.ts";
import "../styles/parts/hands.css";
import "../styles/parts/upload-form.css";
import "../styles/parts/answer-sheet.css";
import "../styles/pages/latest-feature.css";
import type { Route } from "./+types/latest-feature";
import { formAction, formPageHeaders, loadFormPage } from "./form-route.ts";

export const loader = ({ request, context }: Route.LoaderArgs) =>
  loadFormPage({ request, context }, ["rubric-request"], {
    text: context.get(routeContext).texts["latest-feature"],
  });

export const action = formAction("rubric-request", "/latest-feature", "#upload");
export const headers = formPageHeaders;

export default function LatestFeature({ loaderData, actionData, matches }: Route.ComponentProps) {
  const { brand } = matches[0].loaderData;
  const { text, retentionDays, fileHelp } = loaderData;
  return (
    <FormPage
      page={loaderData}
      returned={actionData}
      brand={brand}
      title={titleWith(text.title, brand.name)}
      description={text.description}
      path="/latest-feature"
      formHref="/latest-feature#upload"
    >
      <Hero text={text} />
      <Challenge text={text} />
      <Repair text={text} />
      <Benefits text={text} />
      <section className="demo desk" id="upload" aria-labelledby="upload-title">
        <div className="page">
          <h2 id="upload-title">Send your rubric</h2>
          <Island
            name="rubric-request"
            component={RubricRequest}
            props={{
              notice: noticeOf(rubricRequest, brand, loaderData),
              fileHelp,
              retentionDays,
              reply: replyTimeOf(rubricRequest, brand),
              returned: actionData,
            }}
          />
        </div>
      </section>
      <WhyItMatters text={text} />
    </FormPage>
  );
}
