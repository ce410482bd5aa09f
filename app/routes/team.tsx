import { randomUUID } from "node:crypto";
import { data } from "react-router";
import { routeContext } from "../context.ts";
import type { TeamPageData } from "../domain/team.ts";
import { PageHead } from "../ui/page-head.tsx";
import { ClosedTeamLink, TeamPage } from "../ui/team/team-page.tsx";
import type { Route } from "./+types/team";
import { deletionOf, formPageHeaders, privateHeaders } from "./form-route.ts";
import { teamAction } from "./team-action.ts";

export async function loader({ request: { url }, context }: Route.LoaderArgs) {
  const { team, retentionDays } = context.get(routeContext);
  const token = new URL(url).searchParams.get("link") ?? "";
  const request = await team.findPage(token);
  if (!request) return data({ shown: null }, { status: 404, headers: privateHeaders });
  const deletedAt = deletionOf(request.receivedAt, retentionDays);
  return data(
    { shown: { token, request, deletedAt, formKey: randomUUID(), isNext: nextPart(request) } },
    { headers: privateHeaders },
  );
}

/** What comes next: setting questions and marking, then publishing. */
function nextPart({
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

export default function Team({ loaderData: { shown }, actionData: reply }: Route.ComponentProps) {
  return (
    <>
      <PageHead
        title={shown ? shown.request.title : "This link opens no page"}
        description="The work of a class, from the files to the marks."
        path="/team"
        noindex
      />
      {shown ? <TeamPage shown={{ ...shown, reply }} /> : <ClosedTeamLink />}
    </>
  );
}
