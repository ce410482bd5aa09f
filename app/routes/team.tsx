import { data } from "react-router";
import { routeContext } from "../context.ts";
import { PageHead } from "../ui/page-head.tsx";
import { ClosedTeamLink, TeamPage } from "../ui/team/team-page.tsx";
import type { Route } from "./+types/team";
import { deletionOf, formPageHeaders, privateHeaders } from "./form-route.ts";
import { teamAction } from "./team-action.ts";

export async function loader({ request: { url }, context }: Route.LoaderArgs) {
  const { team, retentionDays } = context.get(routeContext);
  const token = new URL(url).searchParams.get("link") ?? "";
  const request = await team.findRequest(token);
  if (!request) return data({ shown: null }, { status: 404, headers: privateHeaders });
  const deletedAt = deletionOf(request.receivedAt, retentionDays);
  return data({ shown: { token, request, deletedAt } }, { headers: privateHeaders });
}

export const action = ({ request, context }: Route.ActionArgs) =>
  teamAction(new URL(request.url), context.get(routeContext));

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
