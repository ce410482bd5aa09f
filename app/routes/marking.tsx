import { data, redirect } from "react-router";
import { routeContext } from "../context.ts";
import type { Desk } from "../domain/desk.ts";
import { sumOf } from "../results/grade.ts";
import { questionLines } from "../results/question-lines.ts";
import { ClosedDesk } from "../ui/marking/closed-desk.tsx";
import { DeskPage, type ShownDesk } from "../ui/marking/desk-page.tsx";
import { deskLinks, deskViewOf, readKey } from "../ui/marking/desk-urls.ts";
import { PageHead } from "../ui/page-head.tsx";
import type { Route } from "./+types/marking";
import { deletionOf, formPageHeaders, privateHeaders } from "./form-route.ts";
import { markingAction } from "./marking-action.ts";

export async function loader({ request, context }: Route.LoaderArgs) {
  const { desk: services, retentionDays } = context.get(routeContext);
  const query = new URL(request.url).searchParams;
  const token = query.get("link") ?? "";
  const desk = await services.find(token);
  const missing = { status: 404, headers: privateHeaders };
  if (!desk) return data({ shown: null }, missing);
  const view = deskViewOf(query, desk);
  if (view.kind === "next") {
    const next = await services.takeNext(token, view);
    const links = deskLinks(token);
    throw redirect(next.outcome === "answer" ? links.answer(next, view) : links.finish(), {
      headers: privateHeaders,
    });
  }
  if (view.kind === "answer" && !desk.signed) await services.recordOpen(token, view.answer);
  const shown: ShownDesk = {
    ...{ token, desk, view },
    work: await services.findWork(
      token,
      view.kind === "answer" ? { learnerId: view.answer.learnerId } : "paper",
    ),
    problems: await services.findProblemPages(token),
    paper: { lines: questionLines(desk.questions), total: totalOf(desk) },
    saved: readKey(query.get("saved")) ?? null,
    deletedAt: deletionOf(desk.link.receivedAt, retentionDays),
  };
  return data({ shown }, view.kind === "missing" ? missing : { headers: privateHeaders });
}

const totalOf = ({ questions }: Desk) =>
  sumOf(questions.map((one) => ({ ...one, marksAwarded: null, feedback: "" }))).total;

export const action = ({ request, context }: Route.ActionArgs) =>
  markingAction(new URL(request.url), context.get(routeContext));

export const headers = formPageHeaders;

export default function Marking({ loaderData: { shown }, actionData }: Route.ComponentProps) {
  const title = shown ? shown.desk.title : "This link opens no marking desk";
  return (
    <>
      <PageHead
        title={title}
        description="The work of a class, to mark question by question."
        path="/marking"
        noindex
      />
      {shown ? (
        <DeskPage shown={shown} returned={actionData} />
      ) : (
        <ClosedDesk returned={actionData} />
      )}
    </>
  );
}
