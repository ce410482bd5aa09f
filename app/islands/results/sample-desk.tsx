/** The sample's desk: what is decided here is in memory alone, until the page is left. */
import { noTexts } from "../../domain/decision.ts";
import type { Results } from "../../domain/result.ts";
import { sampleToken } from "../../domain/result.ts";
import { withDecision } from "../../results/decide-in-memory.ts";
import { readDecision } from "../../results/decision-form.ts";
import { hasOpenProposal } from "../../results/decision-progress.ts";
import type { LevelScale } from "../../results/grade.ts";
import { readName } from "../../results/typed-decision.ts";
import { type Desk, decideInPlace, fill } from "./decide-in-place.ts";
import { type Part, partsIn } from "./fetch-part.ts";
import { openLearnersInDialog } from "./learner-dialog.ts";
import { say } from "./say.ts";
import { appendTo } from "./to-dom.ts";
import type { ReturnedDecision } from "./view/deciding.tsx";
import { linksOf, viewOf } from "./view/results-urls.ts";
import { ResultsView } from "./view/results-view.tsx";

type Form = Record<string, string>;

const links = linksOf(sampleToken);

/** The marks with what was decided here; undefined before they are fetched. */
let memory: Promise<Results> | undefined;
let hasDecided = false;

function remembered(): Promise<Results> {
  memory ??= fetch(links.json).then((response) => {
    if (!response.ok) throw new Error(`status ${response.status}`);
    return response.json();
  });
  memory.catch(() => {
    memory = undefined;
  });
  return memory;
}

/** Responds as the server does to a form of a private link, or to the URL of a view. */
async function respond(url: string, form?: Form): Promise<Part> {
  const query = new URL(url, window.location.href).searchParams;
  const before = await remembered();
  if (!form) return rendered(200, url, before);
  const outcome = form.intent === "sign" ? signed(before, form) : decided(before, query, form);
  if ("error" in outcome) {
    const { intent = "", question } = form;
    const part = rendered(422, url, before, { intent, typed: form, error: outcome.error });
    return { ...part, problem: `${question ? `Question ${question}: ` : ""}${outcome.error}` };
  }
  memory = Promise.resolve(outcome.results);
  hasDecided = true;
  return rendered(200, outcome.next, outcome.results);
}

type Outcome = { results: Results; next: string } | { error: string };

function decided(before: Results, query: URLSearchParams, form: Form): Outcome {
  const learner = Number(query.get("learner")) - 1;
  const { questionMarks } = before.submissions[learner]!;
  const by = { learner, by: "you", at: new Date().toISOString() };
  if (form.intent === "rest") {
    const agree = (results: Results, { questionNumber, marksAwarded }: (typeof questionMarks)[0]) =>
      withDecision(results, {
        ...by,
        questionNumber,
        given: { ...noTexts, marks: marksAwarded },
        how: "rest",
      });
    const results = questionMarks.filter(hasOpenProposal).reduce(agree, before);
    return { results, next: links.learner(learner) };
  }
  const at = questionMarks.findIndex(({ questionNumber }) => questionNumber === form.question);
  const decision = readDecision(form, questionMarks[at]!.totalMarks);
  if ("error" in decision) return decision;
  const results = withDecision(before, { ...decision, ...by, questionNumber: form.question! });
  const next = query.has("look")
    ? links.afterLook(results.submissions, learner)
    : links.question(learner, at);
  return { results, next };
}

function signed(before: Results, form: Form): Outcome {
  const by = readName(form.name ?? "");
  if (typeof by !== "string") return by;
  const results = { ...before, signed: { by, at: new Date().toISOString() } };
  return { results, next: `${links.classPage}#signed` };
}

function rendered(
  status: number,
  url: string,
  results: Results,
  returned?: ReturnedDecision,
): Part {
  const levels = document.querySelector<HTMLElement>("[data-levels]")!.dataset.levels as LevelScale;
  const page = document.createElement("div");
  const query = new URL(url, window.location.href).searchParams;
  const view = viewOf(query, results.totalSubmissions);
  appendTo(page, <ResultsView {...{ results, view, levels, links, returned }} contact={null} />);
  return { status, url, problem: "", ...partsIn(page) };
}

/** Makes the sample decidable, on its own page or in another one. */
export function enhanceSample(results: HTMLElement): void {
  const around = results.parentElement!;
  const isOwnPage = () => new URLSearchParams(window.location.search).has("results");
  let shown = isOwnPage() ? window.location.href : links.classPage;
  const moved = (url: string) => {
    shown = url;
    if (isOwnPage()) window.history.pushState(null, "", url);
  };
  const show = async (url: string) => {
    const part = await respond(url).catch(() => undefined);
    if (!part) return window.location.assign(url);
    shown = url;
    replaceAround(around, results, part);
    fill(place, part.results!);
    const { hash } = new URL(url, window.location.href);
    const anchor = (hash && document.querySelector(hash)) || results;
    results.querySelector<HTMLElement>("h2, h3[tabindex]")?.focus({ preventScroll: true });
    anchor.scrollIntoView();
  };
  const open = (url: string) => {
    moved(url);
    void show(url);
  };
  const desk: Desk = { fetch: respond, open, moved, classUrl: () => shown };
  const place = { results, desk, prepare: () => {}, onDecided: () => {} };
  decideInPlace(place);
  openLearnersInDialog(results, desk, () => {});
  results.addEventListener("click", (event) => {
    const href = (event.target as Element).closest("a")?.getAttribute("href") ?? "";
    const isPlain = event.ctrlKey || event.metaKey || event.shiftKey;
    if (event.defaultPrevented || isPlain || !href.startsWith(links.classPage)) return;
    event.preventDefault();
    open(href);
  });
  around.addEventListener("submit", (event) => {
    const form = event.target as HTMLFormElement;
    if (form.id !== "sign") return;
    event.preventDefault();
    void sign(form);
  });
  const sign = async (form: HTMLFormElement) => {
    const fields = { intent: "sign", name: String(new FormData(form).get("name") ?? "") };
    const part = await respond(links.classPage, fields);
    if (part.status === 200) open(part.url);
    else say(place, part.problem);
  };
  window.addEventListener("popstate", () => {
    const { href, search } = window.location;
    if (isOwnPage() && new URL(shown, href).search !== search) void show(href);
  });
  // Decided, closed and opened again.
  if (hasDecided) void show(shown);
  else void remembered().catch(() => {});
}

/** The form that signs and the signature are around the results. */
function replaceAround(around: Element, results: Element, { sign, signed }: Part): void {
  for (const old of around.querySelectorAll("#sign, #signed")) old.remove();
  if (signed) results.before(signed);
  if (sign) results.after(sign);
}
