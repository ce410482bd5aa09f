/**
 * The sample desk in the browser. The server knows no decisions on it: they are kept in the memory of the page, and
 * added to each part that the server sends before it is shown.
 */
import { decisionTexts, textsIn } from "../../domain/decision.ts";
import { readDecision, withoutReason } from "../../results/decision-form.ts";
import type { FetchedPart } from "../results/fetch-part.ts";

type Fields = Record<string, string>;

interface DecidedAnswer {
  text: string;
  fields: Fields;
  /** Whether the learner reads the reason of the proposal. */
  takesReason: boolean;
}

/** The decided answers by their keys: the learner's id, a colon and the question. */
const decided = new Map<string, DecidedAnswer>();

const answerKeys = document.querySelector<HTMLElement>(".sample")!.dataset.answers!.split(" ");
const questionOf = (key: string) => key.split(":")[1]!;
const keyOf = (query: URLSearchParams) => `${query.get("learner")}:${query.get("question")}`;

/** Responds as the server does under a marking link. @throws if a page cannot be fetched */
export async function respondInSample(
  url: string,
  fields: Fields | undefined,
  get: (url: string) => Promise<FetchedPart>,
): Promise<FetchedPart> {
  const query = new URL(url, window.location.href).searchParams;
  const key = keyOf(query);
  if (!fields) return await viewOf(query, query.has("question") ? key : undefined, get);
  const answer = await get(answerUrl(query, key));
  const { total } = answer.results!.querySelector<HTMLElement>("#marks")!.dataset;
  const read = readDecision(fields, Number(total));
  if ("error" in read) return returned(answer, fields, read.error);
  decide(key, fields, String(read.given.marks ?? 0));
  query.set("after", key);
  const part = await viewOf(query, undefined, get);
  part.results!.querySelector(".desk-head")!.after(savedNote(query, key));
  return part;
}

/** The view of a URL, with what was decided. @param answer the key of the answer that the URL names, if it names one */
async function viewOf(
  query: URLSearchParams,
  answer: string | undefined,
  get: (url: string) => Promise<FetchedPart>,
): Promise<FetchedPart> {
  const isNext = query.get("view") === "mark" && !answer;
  const shown = isNext ? nextOf(query) : answer;
  const view = isNext ? "finish" : query.get("view");
  const part = await get(shown ? answerUrl(query, shown) : viewUrl(query, view));
  const page = part.results!;
  showDecided(page);
  if (shown && decided.has(shown)) showDecidedAnswer(page, shown);
  return part;
}

function decide(key: string, fields: Fields, text: string): void {
  const before = decided.get(key);
  const isAgreed = fields.intent === "agree";
  // As on the server, the same mark saved again keeps the reason.
  const keepsReason = before?.text === text && textsIn(fields).length === 0 && before.takesReason;
  const takesReason = !(withoutReason in fields) && (isAgreed || keepsReason);
  decided.set(key, { text, fields: isAgreed ? { ...fields, marks: text } : fields, takesReason });
}

/** The URL of a view that is no answer. After a decision, `learner` is that of the decided answer, and is left out. */
function viewUrl(query: URLSearchParams, view: string | null): string {
  const learner = query.has("after") ? null : query.get("learner");
  const named = { link: query.get("link")!, ...(view && { view }), ...(learner && { learner }) };
  return `${window.location.pathname}?${new URLSearchParams(named)}`;
}

function answerUrl(query: URLSearchParams, key: string): string {
  const [learner, question] = key.split(":") as [string, string];
  const answer = { link: query.get("link")!, view: "mark", learner, question };
  const order = query.get("order") === "learner" ? "&order=learner" : "";
  return `${window.location.pathname}?${new URLSearchParams(answer)}${order}`;
}

/** The undecided answer after the answers that the browser has; undefined if there is no such answer. */
function nextOf(query: URLSearchParams): string | undefined {
  const byQuestion = answerKeys.toSorted((one, other) =>
    questionOf(one).localeCompare(questionOf(other)),
  );
  const order = query.get("order") === "learner" ? answerKeys : byQuestion;
  const from = order.indexOf(query.get("ahead") ?? query.get("after") ?? "") + 1;
  return [...order.slice(from), ...order.slice(0, from)].find(
    (key) => !decided.has(key) && key !== query.get("shown"),
  );
}

const givenText = (key: string) => decided.get(key)!.text;

function element(name: string, text: string, className = ""): HTMLElement {
  const made = document.createElement(name);
  made.className = className;
  made.textContent = text;
  return made;
}

function savedNote(query: URLSearchParams, key: string): HTMLElement {
  const label = `Learner ${key.replace(":", ", question ")}`;
  const text = `Decided in this page: ${label}: ${givenText(key)}. `;
  const note = element("p", text, "desk-saved margin-note no-print");
  const again = document.createElement("a");
  again.href = answerUrl(query, key);
  again.textContent = "Change it";
  note.append(again);
  return note;
}

const progressOf = (keys: string[]) =>
  `${keys.filter((key) => decided.has(key)).length} of ${keys.length} decided`;

/** Updates the head, the learners, the overview and the list of what is left with what was decided. */
function showDecided(page: HTMLElement): void {
  page.querySelector(".desk-progress")!.textContent = progressOf(answerKeys);
  for (const progress of page.querySelectorAll<HTMLElement>("[data-decided-of]")) {
    const learner = `${progress.dataset.decidedOf}:`;
    progress.textContent = progressOf(answerKeys.filter((key) => key.startsWith(learner)));
  }
  for (const link of page.querySelectorAll<HTMLAnchorElement>(".grid td a")) {
    const key = keyOf(new URL(link.href).searchParams);
    if (!decided.has(key)) continue;
    link.querySelector(".pencil")!.replaceWith(element("ins", givenText(key)));
    link.lastElementChild!.textContent = " decided";
  }
  const list = page.querySelector(".answers-left");
  if (!list) return;
  for (const link of list.querySelectorAll("a")) {
    const { searchParams } = new URL(link.href);
    const question = searchParams.get("question")!;
    const open = answerKeys.filter((key) => questionOf(key) === question && !decided.has(key));
    if (!open[0]) link.closest("li")!.remove();
    else link.href = answerUrl(searchParams, open[0]);
    link.textContent = `Question ${question}: ${open.length}`;
  }
  if (decided.size < answerKeys.length) return;
  list.replaceWith(element("p", "Every answer is decided. Nothing was stored."));
}

function showDecidedAnswer(page: HTMLElement, key: string): void {
  const { text, fields, takesReason } = decided.get(key)!;
  const proposed = page.querySelector(".marks b.pencil")!;
  const struck = /\d/.test(proposed.textContent)
    ? [element("del", proposed.textContent, "pencil"), " "]
    : [];
  proposed.replaceWith(...struck, element("ins", text));
  const first = page.querySelector(".question-first")!;
  first.querySelector(".pencil")?.remove();
  first.append(element("ins", `decided: ${text}`));
  page.querySelector(".agree")?.remove();
  const reason = page.querySelector(".below .pencil");
  if (reason && takesReason) {
    reason.className = "";
    reason.replaceChildren(
      element("span", "Reason for the learner: ", "visually-hidden"),
      element("ins", reason.textContent),
    );
  } else reason?.prepend("Not for the learner: ");
  fill(page, fields);
}

/** The page of an answer whose form was rejected, with the error and what was posted. */
function returned(part: FetchedPart, fields: Fields, error: string): FetchedPart {
  const page = part.results!;
  const problem = element("p", error, "field-error");
  problem.id = "marks-error";
  showDecided(page);
  page.querySelector(".mark-form")!.prepend(problem);
  const field = page.querySelector("#marks")!;
  field.setAttribute("aria-invalid", "true");
  field.setAttribute("aria-describedby", "marks-error answer");
  fill(page, fields);
  return { ...part, status: 422, problem: error };
}

/** Fills in the mark form of a page as the server does. */
function fill(page: HTMLElement, fields: Fields) {
  page.querySelector("#marks")!.setAttribute("value", fields.marks ?? "");
  for (const name of decisionTexts) {
    page.querySelector(`#${name}`)!.textContent = fields[name] ?? "";
  }
  for (const box of page.querySelectorAll<HTMLInputElement>(".mark-form [type=checkbox]")) {
    box.toggleAttribute("checked", box.name in fields);
  }
}
