import { data, redirect } from "react-router";
import { routeContext } from "../context.ts";
import { type AnswerKey, type Desk, type DeskHead, opensProblems } from "../domain/desk.ts";
import { inTime, type LateArgs, readClass, readyPart } from "../rendering.ts";
import { paperTotal } from "../results/grade.ts";
import { questionLines } from "../results/question-lines.ts";
import { markingPath } from "../site.ts";
import { ClosedDesk } from "../ui/marking/closed-desk.tsx";
import { DeskHelp } from "../ui/marking/desk-help.tsx";
import { DeskPage, type ShownClass, type ShownDesk } from "../ui/marking/desk-page.tsx";
import { type DeskView, deskLinks, deskViewOf, readKey } from "../ui/marking/desk-urls.ts";
import { PageHead } from "../ui/page-head.tsx";
import type { Route } from "./+types/marking";
import { deletionOf, formPageHeaders, isRead, privateHeaders } from "./form-route.ts";
import { markingAction, nextUrl } from "./marking-action.ts";

export async function loader(args: Route.LoaderArgs) {
  const { request, context } = args;
  const { desk: services, retentionDays, markingGuide } = context.get(routeContext);
  const query = new URL(request.url).searchParams;
  if (query.has("help")) {
    return data({ shown: null, guide: markingGuide() }, { headers: privateHeaders });
  }
  const token = query.get("link") ?? "";
  const view = deskViewOf(query);
  if (view.kind === "next") {
    // HEAD must not take an answer, so it is redirected to the overview.
    if (!isRead(args)) throw redirect(deskLinks(token).overview, { headers: privateHeaders });
    const next = await services.takeNextAnswer(token, view.from);
    throw redirect(nextUrl(deskLinks(token), next, view.shown), { headers: privateHeaders });
  }
  const saved = readKey(query.get("saved"));
  const shown =
    view.kind === "answer"
      ? await showAnswer(args, token, view, saved)
      : await showClass(args, token, view, saved);
  const missing = { status: 404, headers: privateHeaders };
  if (!shown) return data({ shown: null, guide: null }, missing);
  const deletedAt = deletionOf(shown.head.link.receivedAt, retentionDays);
  return data(
    { shown: { token, ...shown, deletedAt } satisfies ShownDesk, guide: null },
    shown.view.kind === "missing" ? missing : { headers: privateHeaders },
  );
}

/** What the page of an answer shows; null if the token opens no desk. */
async function showAnswer(
  args: LateArgs,
  token: string,
  view: Extract<DeskView, { kind: "answer" }>,
  saved: AnswerKey | undefined,
) {
  const { order } = view.shown;
  const { openAnswer } = args.context.get(routeContext).desk;
  const answer = await openAnswer(token, { ...view.answer, order, saved, isRead: isRead(args) });
  if (answer === "missing") return await showClass(args, token, { kind: "missing" }, saved);
  return answer && { view, head: answer.head, answer, saved: answer.saved };
}

async function findClass(
  { context }: LateArgs,
  token: string,
  { progress }: DeskHead,
): Promise<ShownClass> {
  const services = context.get(routeContext).desk;
  const desk = await readClass(context, () => services.findDesk(token), progress.total);
  // The link was closed after the heading was read.
  if (!desk) throw data({ error: "This link opens no marking desk any more." }, { status: 404 });
  return {
    desk,
    paperFiles: await services.findPaperFiles(token),
    paper: { lines: questionLines(desk.questions), total: paperTotal(desk.questions) },
    problemPages: await services.findProblemPages(token),
  };
}

/** Whether the link opens what a view shows. */
function opensView(view: DeskView, { link, learners }: Desk): boolean {
  if (view.kind === "problems") return opensProblems(link);
  if (view.kind !== "learners" || view.learnerId === null) return true;
  return learners.some(({ id }) => id === view.learnerId);
}

/** Shows a page about the class as a whole, or that the page is missing; null if the token opens no desk. */
async function showClass(
  args: LateArgs,
  token: string,
  view: Exclude<DeskView, { kind: "answer" | "next" }>,
  saved: AnswerKey | undefined,
) {
  const head = await args.context.get(routeContext).desk.findDeskHead(token, isRead(args));
  if (!head) return null;
  if (view.kind === "overview") {
    // The heading is sent at once; the grid follows when the class has been read.
    return { view, head, found: await inTime(findClass(args, token, head), args), saved: null };
  }
  const ready = await findClass(args, token, head);
  const learner = ready.desk.learners.find(({ id }) => id === saved?.learnerId);
  const mark = learner?.marks.find((one) => one.questionNumber === saved?.questionNumber);
  return {
    view: opensView(view, ready.desk) ? view : { kind: "missing" as const },
    head,
    found: readyPart(ready),
    saved: learner && mark ? { learner, mark } : null,
  };
}

export const action = ({ request, context }: Route.ActionArgs) =>
  markingAction(new URL(request.url), context.get(routeContext));

export const headers = formPageHeaders;

export default function Marking({ loaderData, actionData }: Route.ComponentProps) {
  const { shown, guide } = loaderData;
  if (guide !== null) return <DeskHelp html={guide} />;
  // A preview of new questions is returned like a rejected form, but is no error.
  const isRejected = actionData && !actionData.effects;
  const title = shown ? `Marking: ${shown.head.title}` : "This link opens no marking desk";
  return (
    <>
      <PageHead
        title={isRejected ? `Error: ${title}` : title}
        description="The work of a class, to mark question by question."
        path={markingPath}
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
