import { data } from "react-router";
import type { Brand } from "../brand.ts";
import { type RouteContext, routeContext } from "../context.ts";
import type { PageText } from "../domain/page-text.ts";
import type { ReturnedForm } from "../domain/problem.ts";
import { sampleToken } from "../domain/result.ts";
import { inTime, type LateArgs, readClass, readyPart } from "../rendering.ts";
import { unsignedNote } from "../results/decision-progress.ts";
import { FormPage, type FormPageData } from "../ui/form-page.tsx";
import {
  ClassOnOnePage,
  ContactSection,
  DemoSection,
  DeskSection,
  FeatureList,
  Hero,
  MarkItYourself,
  Testimonials,
} from "../ui/home/sections.tsx";
import { PageHead } from "../ui/page-head.tsx";
import { type FoundResults, ResultsPage, type ShownResults } from "../ui/results/results-page.tsx";
import { viewOf } from "../ui/results/results-urls.ts";
import { organization } from "../ui/structured-data.ts";
import { titleWith } from "../ui/title.ts";
import "../styles/parts/hands.css";
import "../styles/parts/upload-form.css";
import "../styles/parts/ledger.css";
import "../styles/parts/answer-sheet.css";
import "../styles/pages/home.css";
import type { Route } from "./+types/home";
import {
  deletionOf,
  formAction,
  formPageHeaders,
  isRead,
  loadFormPage,
  privateHeaders,
} from "./form-route.ts";
import { resultsAction } from "./results-action.ts";

export async function loader({ request, context }: Route.LoaderArgs) {
  const site = context.get(routeContext);
  const page = await loadFormPage({ request, context }, ["demo-upload", "contact"], {
    text: site.texts.home,
    shown: undefined as ShownResults | undefined,
  });
  const token = new URL(request.url).searchParams.get("results");
  if (token === null) return page;
  const shown = await showResults({ request, context }, token);
  return data(
    { ...page.data, shown },
    { status: shown.found ? 200 : 404, headers: shown.isSample ? {} : privateHeaders },
  );
}

async function showResults(args: LateArgs, token: string): Promise<ShownResults> {
  const { desk, brand } = args.context.get(routeContext);
  const isSample = token === sampleToken;
  const shown = { token, isSample, contact: brand.email || null };
  const status = isSample ? { isSigned: false, markCount: 0 } : await desk.findResultsStatus(token);
  if (!status)
    return { ...shown, title: "This link opens no results", isUnsigned: false, found: null };
  // Stream only the class after its heading: one learner is read quickly, and slips are printed as a whole.
  const query = new URL(args.request.url).searchParams;
  const isClass = !query.has("learner") && !query.has("slips");
  const finding = findShown(args, token, status.markCount);
  return {
    ...shown,
    title: isSample ? "Sample result" : "Your marked work",
    isUnsigned: !isSample && !status.isSigned,
    found: isClass ? await inTime(finding, args) : readyPart(await finding),
  };
}

async function findShown(args: LateArgs, token: string, markCount: number): Promise<FoundResults> {
  const { request, context } = args;
  const site = context.get(routeContext);
  const isSample = token === sampleToken;
  const find = () => site.findResults(token, isRead(args));
  const results = await readClass(context, find, markCount);
  // The link was revoked after the heading was read.
  if (!results) throw data({ error: "This link opens no results any more." }, { status: 404 });
  const view = viewOf(new URL(request.url).searchParams, results.submissions);
  return {
    results,
    view,
    scripts: isSample ? new Map() : await scriptsOf(site.desk, token, { results, view }),
    hasScripts: !isSample && view.kind === "slips" && (await site.desk.hasScripts(token)),
    deletedAt: results.link ? deletionOf(results.link.receivedAt, site.retentionDays) : null,
  };
}

async function scriptsOf(
  desk: RouteContext["desk"],
  token: string,
  { results, view }: Pick<FoundResults, "results" | "view">,
): Promise<FoundResults["scripts"]> {
  if (view.kind === "learner") {
    return await desk.findScripts(token, results.submissions[view.index]!.learnerId);
  }
  const isPrinted = view.kind === "slips" && view.withScripts;
  return isPrinted ? await desk.findScripts(token, undefined) : new Map();
}

const contactAction = formAction("contact", "/", "#contact");
const demoAction = formAction("demo-upload", "/", "#demo");

/**
 * Handles plain posts of results and of both forms. The URL names the form, because files are checked by the form's
 * rules and stored while the body arrives.
 */
export async function action({ request, context }: Route.ActionArgs) {
  const url = new URL(request.url);
  if (url.searchParams.has("results")) return resultsAction(url, context.get(routeContext));
  const isContact = url.searchParams.get("form") === "contact";
  return isContact ? contactAction({ context }) : demoAction({ context });
}

export const headers = formPageHeaders;

export default function Home({ loaderData, actionData, matches }: Route.ComponentProps) {
  const { brand, origin } = matches[0].loaderData;
  const { shown, text } = loaderData;
  const { description } = text;
  const decision = actionData && "intent" in actionData ? actionData : undefined;
  if (shown) {
    const title = fileTitleOf(shown);
    return (
      <>
        <PageHead
          title={decision ? `Error: ${title}` : title}
          description={description}
          path="/"
          noindex
        />
        <ResultsPage shown={shown} returned={decision} levels={brand.results.levels} />
      </>
    );
  }
  const returned = actionData && "form" in actionData ? actionData : undefined;
  const about = {
    ...organization(brand, origin),
    ...(brand.email && { email: brand.email }),
    ...(brand.social.length > 0 && { sameAs: brand.social.map(({ url }) => url) }),
  };
  return (
    <FormPage
      page={loaderData}
      returned={returned}
      brand={brand}
      title={titleWith(text.title, brand.name)}
      description={description}
      path="/"
      data={about}
      formHref="/#demo"
    >
      <Sections brand={brand} page={loaderData} returned={returned} />
    </FormPage>
  );
}

/** Returns the title, by which browsers name a saved or printed page. It says if the marks are not signed. */
const fileTitleOf = ({ title, isUnsigned }: ShownResults) =>
  isUnsigned ? `${title} - ${unsignedNote}` : title;

/** The page's sections. Each form gets what was returned to it. */
function Sections({
  brand,
  page: { text, retentionDays, mailsFiles, fileHelp },
  returned,
}: {
  brand: Brand;
  page: FormPageData & { text: PageText<"home"> };
  returned: ReturnedForm | undefined;
}) {
  const isContact = returned?.form === "contact";
  return (
    <>
      <Hero text={text} brand={brand} />
      <MarkItYourself text={text} />
      <DeskSection text={text} brand={brand} />
      <ClassOnOnePage text={text} />
      <FeatureList text={text} />
      <DemoSection
        text={text}
        brand={brand}
        retentionDays={retentionDays}
        mailsFiles={mailsFiles}
        fileHelp={fileHelp}
        returned={isContact ? undefined : returned}
      />
      <Testimonials brand={brand} />
      <ContactSection
        text={text}
        brand={brand}
        retentionDays={retentionDays}
        mailsFiles={mailsFiles}
        returned={isContact ? returned : undefined}
      />
    </>
  );
}
