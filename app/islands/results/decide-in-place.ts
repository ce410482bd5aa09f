import { fetchPart, learnerIn, type Part } from "./fetch-part.ts";
import { say } from "./say.ts";
import { fieldsOf, isTyped } from "./typed-fields.ts";
import { forgetUnsaved, keepUnsaved, type UnsavedMark, unsavedMarks } from "./unsaved-marks.ts";

/** What fetches pages of results and takes decisions. */
export interface Desk {
  fetch: typeof fetchPart;
  /** Opens another page of the results. */
  open(url: string): void;
  /** Called when another learner is shown without leaving the page. */
  moved(url: string): void;
  /** The URL of the class as it is shown. */
  classUrl(): string;
}

/** Where the marks of one learner are shown and decided. */
export interface Place {
  /** Contains what the server rendered, and is refilled with what it renders next. */
  results: HTMLElement;
  desk: Desk;
  /** Changes what the server rendered before it is shown. */
  prepare(results: HTMLElement): void;
  /** Called after each stored decision. */
  onDecided(): void;
}

/** Sends the forms of a learner without leaving the page. */
export function decideInPlace(place: Place): void {
  place.results.addEventListener("submit", (event) => {
    const form = event.target as HTMLFormElement;
    if (!form.closest(".decision, .decided-count")) return;
    event.preventDefault();
    if (form.ariaBusy !== "true") void send(place, form, event.submitter);
  });
  showUnsaved(place);
}

async function send(place: Place, form: HTMLFormElement, submitter: HTMLElement | null) {
  const fields: Record<string, string> = {};
  for (const [name, value] of new FormData(form, submitter)) fields[name] = String(value);
  const mark = { learner: learnerIn(form.action)!, fields };
  form.ariaBusy = "true";
  try {
    const part = await place.desk.fetch(form.action, fields);
    forgetUnsaved(mark);
    show(place, part, mark);
  } catch {
    keepUnsaved(mark);
    sayUnsaved(place, form);
  } finally {
    form.ariaBusy = null;
  }
}

/**
 * Sends the marks again that could not be sent, until one fails again.
 * @param results says what became of the mark of a learner who is not shown
 */
export async function sendUnsaved(
  place: Place | undefined,
  results: HTMLElement,
  token: string,
): Promise<void> {
  for (const mark of unsavedMarks()) {
    if (mark.problem) continue;
    const url = `/?index&results=${token}&learner=${mark.learner}`;
    const part = await fetchPart(url, mark.fields).catch(() => undefined);
    if (!part) return;
    forgetUnsaved(mark);
    if (place && learnerOf(place) === mark.learner) {
      show(place, part, mark);
    } else if (part.status >= 400) {
      // It waits for the page of its learner.
      const problem = part.problem || "Nothing can be decided here any more.";
      keepUnsaved({ ...mark, problem });
      const name = part.results?.querySelector("h3")?.textContent ?? `Number ${mark.learner}`;
      say({ results }, `${name}: not stored. ${problem}`);
    }
  }
}

const learnerOf = ({ results }: Place) => {
  const form = results.querySelector<HTMLFormElement>(".decision form");
  return form && learnerIn(form.action);
};

function show(place: Place, part: Part, mark: UnsavedMark): void {
  const { fields, learner } = mark;
  // The link has ended, or the marks are signed: what is typed stays where it is.
  if (!part.results || (part.status >= 400 && !part.results.querySelector(".decision"))) {
    sayUnsaved(place, typedForm(place, mark), part.problem || "the link has ended.");
    return;
  }
  const next = learnerIn(part.url);
  // The last mark to look at first leads back to the class.
  if (part.status < 400 && next === null) {
    place.desk.open(part.url);
    return;
  }
  const typed = next === learner ? typedForms(place, fields.question) : [];
  fill(place, part.results);
  for (const { question, values } of typed) type(place, question, values);
  if (part.status >= 400) {
    say(place, `Not stored. ${part.problem}`);
    const wrong = place.results.querySelector('[aria-invalid="true"]');
    focus(place.results, wrong ? '[aria-invalid="true"]' : "h3");
    return;
  }
  const time = new Date().toLocaleTimeString("en-ZA", { hour: "2-digit", minute: "2-digit" });
  const progress = place.results.querySelector(".decided-count b")?.textContent ?? "";
  say(place, `Saved ${time}. ${progress}.`);
  if (next !== learner) {
    place.desk.moved(part.url);
    place.results.querySelector(".look")?.closest("tr")?.scrollIntoView({ block: "center" });
  }
  focusNext(place.results, next === learner ? fields.question : undefined);
  place.onDecided();
}

/** Shows what the server rendered. */
export function fill(place: Place, rendered: HTMLElement): void {
  const fresh = document.importNode(rendered, true);
  place.prepare(fresh);
  place.results.replaceChildren(...fresh.childNodes);
  showUnsaved(place);
}

/** Moves the focus to the next mark that is not decided, or else to the next learner. */
function focusNext(results: HTMLElement, question: string | undefined): void {
  const decisions = [...results.querySelectorAll<HTMLElement>(".decision")];
  const last = decisions.findIndex((decision) => questionOf(decision) === question);
  const undecided = (decision: HTMLElement) =>
    decision.querySelector<HTMLElement>('[value="agree"], summary.button');
  const next = [...decisions.slice(last + 1), ...decisions].map(undecided).find(Boolean);
  if (next) next.focus();
  else focus(results, ".decided-count a, h3");
}

const focus = (results: HTMLElement, selector: string) =>
  results.querySelector<HTMLElement>(selector)?.focus();

const questionOf = (element: Element) =>
  element.querySelector<HTMLInputElement>('[name="question"]')?.value;

type Values = Record<string, string | boolean>;

/** Whether the page has marks that the person has typed and not saved. */
export const hasTyped = (): boolean =>
  [...document.querySelectorAll(".change")].some((form) => fieldsOf(form).some(isTyped));

/** What is typed in the other forms of the learner, which stays. */
function typedForms({ results }: Place, sent: string | undefined) {
  return [...results.querySelectorAll(".change")]
    .filter((form) => questionOf(form) !== sent && fieldsOf(form).some(isTyped))
    .map((form) => ({
      question: questionOf(form),
      values: Object.fromEntries(
        fieldsOf(form).map((field) => [
          field.name,
          field.type === "checkbox" ? (field as HTMLInputElement).checked : field.value,
        ]),
      ),
    }));
}

/** Opens the form of a question and fills it in. Returns it, if there is one. */
function type({ results }: Place, question: string | undefined, values: Values) {
  const form = [...results.querySelectorAll<HTMLFormElement>(".change")].find(
    (one) => questionOf(one) === question,
  );
  if (!form) return undefined;
  form.closest("details")!.open = true;
  for (const field of fieldsOf(form)) {
    const value = values[field.name];
    if (field.type === "checkbox") (field as HTMLInputElement).checked = Boolean(value);
    else field.value = String(value ?? "");
  }
  return form;
}

/** Shows the marks that were not stored beside their forms, also those of an earlier page. */
function showUnsaved(place: Place): void {
  for (const mark of unsavedMarks()) {
    if (mark.learner !== learnerOf(place)) continue;
    const { fields, problem } = mark;
    const form = typedForm(place, mark);
    if (form) sayUnsaved(place, form, problem);
    else if (problem) {
      const { question = "the rest", marks = "agreed" } = fields;
      say(place, `Not stored: ${question}, ${marks}. ${problem}`);
      forgetUnsaved(mark);
    }
  }
}

/** The form that a mark was sent from, filled in. */
const typedForm = (place: Place, { fields }: UnsavedMark) =>
  fields.intent === "save" ? type(place, fields.question, fields) : formOf(place, fields);

/** The form that agrees, with a mark or with the rest. */
const formOf = ({ results }: Place, { intent, question }: UnsavedMark["fields"]) =>
  [...results.querySelectorAll<HTMLButtonElement>(`button[value="${intent}"]`)]
    .map((button) => button.form!)
    .find((form) => questionOf(form) === question);

function sayUnsaved(place: Place, form: HTMLFormElement | undefined, problem?: string): void {
  const text = problem
    ? `Not stored: ${problem}`
    : "Not saved: your mark is kept here, and sent again once the line is back.";
  if (form) {
    const notice = form.querySelector(".not-saved") ?? document.createElement("p");
    notice.className = "not-saved";
    notice.textContent = text;
    form.append(notice);
  }
  say(place, text);
}
