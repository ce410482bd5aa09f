import { readMarks } from "../../results/typed-decision.ts";
import { fetchPart, learnerIn, type Part } from "../results/fetch-part.ts";
import { say } from "../results/say.ts";
import { fieldsOf, isTyped } from "../results/typed-fields.ts";
import {
  forgetUnsaved,
  keepUnsaved,
  readUnsaved,
  type UnsavedMark,
  unsavedMarks,
} from "../results/unsaved-marks.ts";
import { addKeys, focusMarks } from "./keys.ts";

/** How often marks that could not be sent are sent again, in milliseconds. */
const retryMs = 10_000;

/** An answer that was fetched before it is needed; its pictures are loading. */
interface Ahead {
  url: string;
  desk: HTMLElement;
}

/**
 * Adds to the marking desk: answers are saved without leaving the page, the next one is fetched ahead, and what
 * cannot be sent is kept and sent again. Every form and link works without this.
 */
export async function enhanceDesk(desk: HTMLElement): Promise<void> {
  const isSample = desk.classList.contains("sample");
  if (!isSample) {
    const token = new URLSearchParams(window.location.search).get("link") ?? "";
    await readUnsaved(token, { isEducators: desk.dataset.educators !== undefined });
  }
  window.addEventListener("online", () => void resend(desk));
  setInterval(() => void resend(desk), retryMs);
  void resend(desk);
  window.addEventListener("beforeunload", (event) => {
    // The desk has a draft of a rejected mark.
    const isUnsent = unsavedMarks().some(({ problem }) => !problem);
    if (hasTyped(desk) || isUnsent || unplaced > 0) event.preventDefault();
  });
  if (!desk.querySelector(".mark-form")) return;
  showKeys = addKeys(desk);
  desk.addEventListener("submit", (event) => {
    const form = event.target as HTMLFormElement;
    if (!form.matches(".mark-form, .agree")) return;
    event.preventDefault();
    const { submitter } = event;
    const isDecision = submitter?.getAttribute("name") === "intent";
    if (submitter?.getAttribute("name") === "use") useComment(form, submitter);
    else if (!isDecision) stamp(desk, form, submitter);
    else if (form.ariaBusy !== "true") void save(desk, form, submitter);
  });
  desk.addEventListener("click", (event) => {
    // In the sample, another page would forget what was decided.
    const kept = isSample ? `a[href^="${window.location.pathname}?"]` : "a.next";
    const link = (event.target as HTMLElement).closest<HTMLAnchorElement>(kept);
    if (!link || hasTyped(desk) || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    if (!link.matches(".next")) {
      void open(desk, link.href);
      return;
    }
    void fetching.then(() => {
      // A second click may wait for the same answer, and the marker may have typed meanwhile.
      if (!link.isConnected || hasTyped(desk)) return;
      if (ahead) show(desk, ahead);
      else window.location.assign(link.href);
    });
  });
  // Back leads to another answer; an anchor does not.
  window.addEventListener("popstate", () => {
    if (window.location.search === shownSearch) return;
    if (isSample) void open(desk, window.location.href);
    else window.location.reload();
  });
  prepare(desk);
}

let ahead: Ahead | undefined;
let fetching = Promise.resolve();
let showKeys = () => {};
let shownSearch = window.location.search;
const inFlight = new Set<UnsavedMark>();

const hasTyped = (desk: HTMLElement) =>
  [...desk.querySelectorAll(".mark-form")].some((form) => fieldsOf(form).some(isTyped));

/** What an answer needs once it is shown. */
function prepare(desk: HTMLElement): void {
  showUnsaved(desk);
  showKeys();
  // The marker may type into another field already.
  if (document.activeElement === document.body) focusMarks(desk, { preventScroll: true });
  ahead = undefined;
  const next = desk.querySelector<HTMLAnchorElement>("a.next");
  if (next) fetching = fetchAhead(desk, next.href);
}

async function fetchAhead(desk: HTMLElement, url: string): Promise<void> {
  const here = answerOf(desk);
  const part = await fetchPart(url).catch(() => undefined);
  const isCurrent = desk.querySelector<HTMLAnchorElement>("a.next")?.href === url;
  const found = part?.results && isCurrent && document.importNode(part.results, true);
  if (!part || !found) return;
  if (!found.querySelector(".mark-form") || answerOf(found) === here) return;
  // Lazy pictures load when they are seen, which these are not yet.
  for (const picture of [...found.querySelectorAll("img")].slice(0, 2)) picture.loading = "eager";
  ahead = { url: part.url, desk: found };
}

const answerOf = (desk: HTMLElement) => desk.querySelector("#answer")?.textContent;

function show(desk: HTMLElement, { url, desk: fresh }: Ahead): void {
  const stampsAreOpen = desk.querySelector(".stamp-tools[open]") !== null;
  const isSameWork = replaceChildren(desk, fresh);
  if (stampsAreOpen) desk.querySelector(".stamp-tools")?.setAttribute("open", "");
  if (url !== window.location.href) window.history.pushState(null, "", url);
  shownSearch = window.location.search;
  if (!isSameWork) window.scrollTo(0, 0);
  prepare(desk);
}

/** Opens another page of the desk without leaving this one. */
async function open(desk: HTMLElement, url: string): Promise<void> {
  const part = await fetchPart(url).catch(() => undefined);
  if (!part?.results) return window.location.assign(url);
  show(desk, { url: part.url, desk: document.importNode(part.results, true) });
}

/** Adds a comment that was used before to the field. */
function useComment(form: HTMLFormElement, button: HTMLElement): void {
  const field = form.querySelector<HTMLTextAreaElement>("#comment")!;
  field.value = [field.value, (button as HTMLButtonElement).value].filter(Boolean).join(" ");
  field.focus();
}

let stamping = Promise.resolve();
let unplaced = 0;

/** Posts what changes the pages alone, one after another: a stamp, or how they are shown. */
function stamp(desk: HTMLElement, form: HTMLFormElement, button: HTMLElement | null): void {
  const fields = valuesOf(form, button);
  unplaced += 1;
  stamping = stamping.then(async () => {
    const url = form.action;
    let part = await fetchPart(url, fields).catch(() => undefined);
    // What was typed may be saved by then.
    const { marks: _, comment: __, notAnswered: ___, ...later } = fields;
    while (!part) {
      say({ results: desk }, "Not placed yet: the line is gone. It is sent again once it is back.");
      await lineMayBeBack();
      part = await fetchPart(url, later).catch(() => undefined);
    }
    unplaced -= 1;
    const work = desk.querySelector(".work");
    // Another answer may be shown by now.
    if (!work || desk.querySelector<HTMLFormElement>(".mark-form")?.action !== url) return;
    if (part.results && part.status < 400) {
      showWork(work, document.importNode(part.results, true), button);
      say({ results: desk }, saidOf[button?.getAttribute("name") ?? ""] ?? "Placed.");
    } else say({ results: desk }, part.problem || "This link opens no marking desk any more.");
  });
}

const lineMayBeBack = () =>
  new Promise<void>((resolve) => {
    const go = () => resolve();
    window.addEventListener("online", go, { once: true });
    setTimeout(go, retryMs);
  });

const saidOf: Record<string, string> = { remove: "Removed.", turn: "Turned.", zoom: "Done." };

/** Shows a learner's work as it is now. What was clicked on stays where it is, and keeps the focus. */
function showWork(work: Element, fresh: HTMLElement, button: HTMLElement | null): void {
  const topOf = (id: string) => document.getElementById(id)?.getBoundingClientRect().top ?? 0;
  const place = button?.closest("[id]")?.id ?? "";
  const top = topOf(place);
  const hadFocus = document.activeElement === button;
  const shown = fresh.querySelector(".work")!;
  work.className = shown.className;
  replaceChildren(work, shown);
  const form = document.querySelector<HTMLFormElement>(".mark-form")!;
  form.action = fresh.querySelector(".mark-form")!.getAttribute("action")!;
  window.scrollBy({ top: topOf(place) - top, behavior: "instant" });
  if (!hadFocus) return;
  const same = document.querySelector<HTMLElement>(`[name="${button!.getAttribute("name")}"]`);
  (same ?? document.querySelector<HTMLElement>(".work"))?.focus({ preventScroll: true });
}

function valuesOf(form: HTMLFormElement, submitter: HTMLElement | null) {
  const fields: Record<string, string> = {};
  for (const [name, value] of new FormData(form, submitter)) fields[name] = String(value);
  return fields;
}

/** Shows other elements, with the pictures that are there already: no cache has them. */
function replaceChildren(element: Element, fresh: Element): boolean {
  const before = new Map([...element.querySelectorAll("img")].map((image) => [image.src, image]));
  for (const image of fresh.querySelectorAll("img")) {
    const loaded = before.get(image.src);
    if (loaded) image.replaceWith(loaded);
  }
  element.replaceChildren(...fresh.childNodes);
  return before.size > 0 && element.contains([...before.values()][0]!);
}

async function save(desk: HTMLElement, form: HTMLFormElement, submitter: HTMLElement | null) {
  const fields = valuesOf(form, submitter);
  const mark = { learner: learnerIn(form.action)!, fields };
  const label = answerOf(desk) ?? "";
  const post = send(form.action, mark);
  const next = isPlain(form, fields) ? ahead : undefined;
  if (next) show(desk, next);
  else form.ariaBusy = "true";
  const part = await post;
  form.ariaBusy = null;
  if (!part) {
    showUnsaved(desk);
    say({ results: desk }, `${label}: ${unsavedText}`);
  } else if (part.status >= 400) {
    reject(desk, part, { mark, label, isShown: !next });
  } else {
    const { results } = part;
    if (!next && results) {
      show(desk, { url: part.url, desk: document.importNode(results, true) });
    }
    const progress = results?.querySelector(".desk-progress")?.textContent;
    const shown = desk.querySelector(".desk-progress");
    if (progress && shown) shown.textContent = progress;
    const saved = results?.querySelector(".desk-saved")?.firstChild?.textContent ?? "Saved. ";
    say({ results: desk }, `${saved}${progress ?? ""}`);
  }
}

/** Whether the server has no reason to reject what was typed. */
function isPlain(
  form: HTMLFormElement,
  { intent, marks = "", notAnswered }: UnsavedMark["fields"],
) {
  if (intent === "agree") return true;
  const total = Number(form.querySelector<HTMLElement>("#marks")?.dataset.total);
  return notAnswered === undefined ? typeof readMarks(marks, total) === "number" : marks === "";
}

/** Posts a mark. What cannot be sent is kept. */
async function send(url: string, mark: UnsavedMark): Promise<Part | undefined> {
  // Kept first: the page may be closed before there is a response.
  keepUnsaved(mark);
  inFlight.add(mark);
  try {
    const part = await fetchPart(url, mark.fields);
    forgetUnsaved(mark);
    return part;
  } catch {
    return undefined;
  } finally {
    inFlight.delete(mark);
  }
}

interface RejectedMark {
  mark: UnsavedMark;
  /** Learner and question. */
  label: string;
  /** Whether the answer is still on the page. */
  isShown: boolean;
}

function reject(desk: HTMLElement, part: Part, { mark, label, isShown }: RejectedMark): void {
  const problem = part.problem || "This link opens no marking desk any more.";
  say({ results: desk }, `Not stored: ${label}. ${problem}`);
  if (isShown && part.results) {
    desk.replaceChildren(...document.importNode(part.results, true).childNodes);
    prepare(desk);
    return;
  }
  keepUnsaved({ ...mark, problem });
  showUnsaved(desk);
}

let isSending = false;

/** Sends the marks again that could not be sent, until one fails again. */
async function resend(desk: HTMLElement): Promise<void> {
  if (isSending || inFlight.size > 0) return;
  isSending = true;
  for (const mark of unsavedMarks().filter(({ problem }) => !problem)) {
    const part = await send(urlOf(mark), mark);
    if (!part) break;
    if (part.status >= 400) reject(desk, part, { mark, label: labelOf(mark), isShown: false });
    else say({ results: desk }, `Saved: ${labelOf(mark)}.`);
    showUnsaved(desk);
  }
  isSending = false;
}

function urlOf({ learner, fields }: UnsavedMark): string {
  const url = new URL(window.location.href);
  const link = url.searchParams.get("link") ?? "";
  url.search = String(
    new URLSearchParams({ link, view: "mark", learner, question: fields.question ?? "" }),
  );
  return url.href;
}

const labelOf = ({ fields }: UnsavedMark) =>
  `question ${fields.question}, ${fields.notAnswered ? "not answered" : `${fields.marks ?? fields.was} marks`}`;

const unsavedText = "Not saved: your mark is kept here, and sent again once the line is back.";

/** Lists the marks that were not stored, each with the way back to it, and fills in the one that is shown. */
function showUnsaved(desk: HTMLElement): void {
  desk.querySelector(".not-saved")?.remove();
  const form = desk.querySelector<HTMLFormElement>(".mark-form");
  const list = document.createElement("ul");
  list.className = "not-saved";
  for (const mark of unsavedMarks().filter((one) => !inFlight.has(one))) {
    const { fields, learner, problem } = mark;
    const isHere =
      form &&
      learnerIn(form.action) === learner &&
      form.querySelector<HTMLInputElement>('[name="question"]')?.value === fields.question;
    if (isHere && fields.intent === "save") fill(form, fields);
    const item = document.createElement("li");
    const back = document.createElement("a");
    back.href = urlOf(mark);
    back.textContent = labelOf(mark);
    item.append(problem ? "Not stored: " : "Not saved yet: ", back, `. ${problem ?? unsavedText}`);
    list.append(item);
    // The page of a rejected mark has it from here on.
    if (isHere && problem) forgetUnsaved(mark);
  }
  if (list.firstChild) desk.querySelector(".desk-head")?.after(list);
}

function fill(form: HTMLFormElement, values: Record<string, string>): void {
  for (const field of fieldsOf(form)) {
    if (field.type === "checkbox") {
      (field as HTMLInputElement).checked = values[field.name] !== undefined;
    } else {
      field.value = values[field.name] ?? "";
    }
  }
}
