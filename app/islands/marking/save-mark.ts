import { isInQuarters, numberIn } from "../../results/typed-marks.ts";
import { type FetchedPart, fetchPart, learnerIn } from "../results/fetch-part.ts";
import { headingIn, keyIn, markFormIn, problemOf, replaceChildren } from "./answer-element.ts";
import type { DeskTab } from "./desk-tab.ts";
import { labelOf, showUnsent, urlOf, whyUnsent } from "./show-unsent.ts";
import { addUp, fieldsOf, fill, marksIn, valuesOf } from "./typed-fields.ts";
import { keyOf, type UnsentMark } from "./unsent-marks.ts";

/** Posts the mark of the answer that is shown, and goes on at once if the next answer is ahead. */
export async function saveMark(
  tab: DeskTab,
  form: HTMLFormElement,
  submitter: HTMLElement | null,
): Promise<void> {
  const { element, ahead, unsent } = tab;
  const { activeElement } = document;
  const field = marksIn(form)!;
  // The mark is on its way already.
  if (field.readOnly) return;
  if (field.value === "") addUp(form);
  const fields = valuesOf(form, submitter);
  // A comment that is placed has left its field. The next answer would not have this one.
  if (fields.stampText?.trim() && fields.intent !== "ask") {
    return tab.say("Place or clear the comment on the page.");
  }
  const mark = { learner: learnerIn(form.action)!, answer: headingIn(element), fields };
  tab.saved = urlOf(mark);
  const next = showsNextAtOnce(field, fields) ? ahead.take() : undefined;
  const shown = next && keyIn(next.desk);
  const isExtended = shown !== undefined && ahead.canExtend();
  // With no answer ahead, the response says what comes next. Send the mark after those on their way, or the server may
  // lead back to the answer of one of them.
  const send = (url: string) => unsent.send(url, mark, next ? undefined : tab.saving);
  const post = ahead.extend({ url: form.action, shown }, send);
  tab.saving = Promise.all([tab.saving, post]);
  if (next) tab.show(next);
  else {
    // Digits that are typed for the next answer, before it is shown, would be added to this mark.
    field.readOnly = true;
    tab.say("The last mark is still on its way.");
  }
  const part = await post;
  field.readOnly = false;
  if (!part) {
    showUnsent(tab);
    if (document.activeElement === field) field.select();
    tab.say(`Not saved: ${labelOf(mark)}. ${whyUnsent(mark)}`);
    return;
  }
  const isShown = !next && hasAnswerOf(mark, element);
  if (part.status >= 400) return reject(tab, part, { mark, isShown });
  tab.update(part);
  saySaved(tab, part);
  // After a question to the lead the same answer comes again.
  if (isShown && part.results && hasAnswerOf(mark, part.results)) {
    return showAgain(tab, part.results, mark);
  }
  // Since the shown answer was fetched, its learner may have been set absent, or another marker may have opened it.
  const leadsElsewhere =
    !isExtended && keyIn(element) === shown && !tab.hasTyped() && !isExpected(tab, part);
  if (next ? !leadsElsewhere : !isUnchanged(tab, mark, activeElement)) return renew(tab, mark);
  ahead.clear();
  tab.showPart(part);
}

/** Whether a page has the answer of a mark. */
const hasAnswerOf = (mark: UnsentMark, page: HTMLElement) => keyIn(page) === keyOf(mark);

/**
 * Renews the answer of a saved mark if it is still shown, because only a form that names the last decision can change
 * the mark. Then fetches answers ahead.
 */
async function renew(tab: DeskTab, mark: UnsentMark): Promise<void> {
  const isShown = () => hasAnswerOf(mark, tab.element);
  if (isShown()) {
    const part = await fetchPart(urlOf(mark)).catch(() => undefined);
    if (part?.results && isShown()) showAgain(tab, part.results, mark);
  }
  await tab.ahead.fill();
}

/** Whether the page after a saved mark leads to the answer that is shown, or to one whose mark is not stored yet. */
function isExpected({ element, unsent }: DeskTab, { results }: FetchedPart): boolean {
  if (!results) return true;
  const key = keyIn(results);
  return key === keyIn(element) || (!!key && unsent.has(key));
}

function saySaved(tab: DeskTab, { results }: FetchedPart): void {
  const saved = results?.querySelector(".desk-saved")?.firstChild?.textContent ?? "Saved. ";
  const progress = results?.querySelector(".desk-progress")?.textContent ?? "";
  tab.say(saved + progress);
}

/** Whether the next answer is shown before the server responds: only after a mark whose form is valid. */
function showsNextAtOnce(
  field: HTMLInputElement,
  { intent, marks = "", notAnswered }: UnsentMark["fields"],
) {
  if (intent === "agree") return marks === "" && notAnswered === undefined;
  if (intent !== "save") return false;
  if (notAnswered !== undefined) return marks === "";
  const typed = marks.trim();
  return isInQuarters(typed) && numberIn(typed) <= Number(field.dataset.total);
}

/** Says why the server has rejected a mark. @param isShown whether the answer of the mark is still on the page */
function reject(
  tab: DeskTab,
  part: FetchedPart,
  { mark, isShown }: { mark: UnsentMark; isShown: boolean },
): void {
  const problem = problemOf(part);
  tab.say(`Not stored: ${labelOf(mark)}. ${problem}`);
  if (isShown && part.results) {
    // The alert would announce again what is said above.
    part.results.querySelector("[role=alert]")?.removeAttribute("role");
    showAgain(tab, part.results, mark);
    return;
  }
  tab.unsent.keep({ ...mark, problem });
  showUnsent(tab);
}

/** Shows the answer of a mark anew. What was typed since the mark was sent stays, and so does the focus. */
function showAgain(tab: DeskTab, results: HTMLElement, { fields }: UnsentMark): void {
  const { element } = tab;
  const { id, selectionStart, selectionEnd } = document.activeElement as HTMLTextAreaElement;
  const typed = valuesOf(markFormIn(element)!, null);
  replaceChildren(element, document.importNode(results, true));
  const form = markFormIn(element);
  if (form) fill(form, typed, fields);
  tab.prepare();
  const focused = document.getElementById(id);
  focused?.focus();
  // Not in the marks field: a rejected mark stays selected there, so that typing replaces it.
  if (focused instanceof HTMLTextAreaElement) {
    focused.setSelectionRange(selectionStart, selectionEnd);
  }
}

/** Sends the marks again that could not be sent, until one fails again; after the last, fetches answers ahead. */
export async function resend(tab: DeskTab): Promise<void> {
  const { unsent } = tab;
  if (unsent.isSending()) return;
  for (const mark of unsent.waiting()) {
    // The marker may have replaced the mark meanwhile.
    if (!unsent.waiting().includes(mark)) continue;
    const request = { url: urlOf(mark), shown: keyIn(tab.element) };
    const part = await tab.ahead.extend(request, (url) => unsent.send(url, mark));
    if (!part) {
      showUnsent(tab);
      return;
    }
    if (part.status >= 400) {
      reject(tab, part, { mark, isShown: false });
      continue;
    }
    tab.update(part);
    tab.say(`Saved: ${labelOf(mark)}.`);
    if (!isUnchanged(tab, mark)) {
      showUnsent(tab);
      await renew(tab, mark);
      continue;
    }
    // The marker has waited at this answer for the connection, so go on to the next.
    const next = tab.ahead.take();
    if (next) tab.show(next);
    else tab.showPart(part);
  }
  await tab.ahead.fill();
}

/**
 * Whether the page shows the answer of a mark as it was sent, and no comment has been begun since.
 * @param focused the element that had the focus when the mark was sent: in Safari, a pressed button gets no focus
 */
function isUnchanged(
  { element }: DeskTab,
  mark: UnsentMark,
  focused: Element | null = null,
): boolean {
  const { activeElement } = document;
  if (activeElement !== focused && activeElement?.matches("textarea")) return false;
  const form = markFormIn(element);
  if (!form || !hasAnswerOf(mark, element)) return false;
  const typed = valuesOf(form, null);
  return fieldsOf(form).every(({ name }) => typed[name] === mark.fields[name]);
}
