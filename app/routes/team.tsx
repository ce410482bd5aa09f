import { randomUUID } from "node:crypto";
import { data } from "react-router";
import { routeContext } from "../context.ts";
import type { TeamPageData } from "../domain/team.ts";
import { readClass, readyPart } from "../rendering.ts";
import { classAgreement } from "../results/agreement.ts";
import { teamPath } from "../site.ts";
import { PageHead } from "../ui/page-head.tsx";
import { viewOf } from "../ui/results/results-urls.ts";
import { ClosedTeamLink, TeamPage } from "../ui/team/team-page.tsx";
import { TeamPreview } from "../ui/team/team-preview.tsx";
import type { Route } from "./+types/team";
import { deletionOf, formPageHeaders, privateHeaders } from "./form-route.ts";
import { teamAction } from "./team-action.ts";

export async function loader({ request: { url }, context }: Route.LoaderArgs) {
  const { team, retentionDays } = context.get(routeContext);
  const query = new URL(url).searchParams;
  const token = query.get("link") ?? "";
  const view = query.get("view");
  const readsClass = view === "preview" || view === "agreement";
  const find = () => team.findPreview(token);
  const results = readsClass ? await readClass(context, find, await team.countMarks(token)) : null;
  if (view === "preview" && results) {
    const preview = {
      token,
      found: readyPart({ results, view: viewOf(query, results.submissions) }),
    };
    return data({ preview, shown: null }, { headers: privateHeaders });
  }
  const request = await team.findPage(token, { withFigures: view === "agreement" });
  if (!request)
    return data({ preview: null, shown: null }, { status: 404, headers: privateHeaders });
  const shown = {
    token,
    request,
    formKey: randomUUID(),
    nextPart: nextPartOf(request),
    deletedAt: deletionOf(request.receivedAt, retentionDays),
    agreement: results && classAgreement(results),
  };
  return data({ preview: null, shown }, { headers: privateHeaders });
}

/** The part of the page for the next step, of marking or of publishing; null once marks are published or signed. */
function nextPartOf({
  progress: { decided, total },
  resultsLink,
  signed,
}: TeamPageData): "publish" | "markers" | null {
  if (resultsLink || signed) return null;
  return total > 0 && decided === total ? "publish" : "markers";
}

export const action = ({ request, context }: Route.ActionArgs) =>
  teamAction(request, context.get(routeContext));

export const headers = formPageHeaders;

export default function Team({ loaderData, actionData: reply, matches }: Route.ComponentProps) {
  const { shown, preview } = loaderData;
  const { brand } = matches[0].loaderData;
  const title = preview ? "A preview of the marks" : shown?.request.title;
  return (
    <>
      <PageHead
        title={(reply?.error ? "Error: " : "") + (title ?? "This link opens no page")}
        description="The work of a class, from the files to the marks."
        path={teamPath}
        noindex
      />
      {shown && <TeamPage shown={{ ...shown, reply }} />}
      {preview && <TeamPreview token={preview.token} {...preview.found.ready} brand={brand} />}
      {!shown && !preview && <ClosedTeamLink reply={reply} />}
    </>
  );
}
