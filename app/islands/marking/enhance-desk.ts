import { opensElsewhere } from "../results/fetch-part.ts";
import { DeskTab } from "./desk-tab.ts";
import { resend, saveMark } from "./save-mark.ts";
import { openTabStorage } from "./tab-storage.ts";
import { addUp, isTyped } from "./typed-fields.ts";

/** How often marks that could not be sent are sent again, in milliseconds. */
const retryMs = 10_000;

/**
 * Adds to the marking desk: answers are saved without leaving the page, the next ones are fetched ahead, and what
 * cannot be sent is kept and sent again. Every form and link works without this.
 */
export async function enhanceDesk(desk: HTMLElement): Promise<void> {
  const token = new URLSearchParams(window.location.search).get("link") ?? "";
  const tab = new DeskTab(desk, await openTabStorage(token));
  const tryAgain = () => void resend(tab);
  window.addEventListener("online", tryAgain);
  setInterval(tryAgain, retryMs);
  let isPosting = false;
  desk.addEventListener("submit", (event) => {
    isPosting = !(event.target as Element).matches(".mark-form");
    if (!isPosting) handleSubmit(tab, event);
  });
  // The browser then asks whether to leave the page.
  window.addEventListener("beforeunload", (event) => {
    if (losesTyped(tab, isPosting)) event.preventDefault();
  });
  desk.addEventListener("change", handleTick);
  desk.addEventListener("click", (event) => followLink(tab, event));
  tab.start();
  tryAgain();
}

/** Whether something that was typed would be lost if the page were left. @param isPosting by a form that posts it */
function losesTyped({ element, unsent, stamps, hasTyped }: DeskTab, isPosting: boolean): boolean {
  // Questions that came back are stored nowhere, so ask even if nothing was typed since.
  const hasTexts =
    element.querySelector(".unstored") !== null ||
    [...element.querySelectorAll<HTMLInputElement>("textarea, [name=title]")].some(isTyped);
  // Rejected marks do not count, because the server has stored them as drafts.
  return hasTyped() || (!isPosting && hasTexts) || !unsent.isEmpty() || !stamps.isEmpty();
}

/** Posts the form of an answer without leaving the page; only “Agree with the rest” leaves it. */
function handleSubmit(tab: DeskTab, event: SubmitEvent): void {
  const form = event.target as HTMLFormElement;
  const submitter = event.submitter as HTMLButtonElement | null;
  if (submitter?.value === "rest" && !tab.isUnseen()) return;
  event.preventDefault();
  if (submitter?.name === "use") useComment(form, submitter);
  else if (submitter?.name !== "intent") tab.stamps.add(form, submitter);
  else if (!tab.isUnseen()) void saveMark(tab, form, submitter);
}

function handleTick({ target }: Event): void {
  const { name, form } = target as HTMLInputElement;
  if (!form || !name.startsWith("tick-")) return;
  addUp(form);
  // The server rejects ticks together with “Not answered”, so untick “Not answered”.
  form.querySelector<HTMLInputElement>('[name="notAnswered"]')!.checked = false;
}

/** Shows the next or previous answer without a page load; on the sample, any page of its desk. */
function followLink(tab: DeskTab, event: MouseEvent): void {
  const linksInTab = tab.isSample ? 'a[href^="/marking?"]' : "a.next, a.before";
  const link = (event.target as Element).closest<HTMLAnchorElement>(linksInTab);
  if (!link || tab.hasTyped() || opensElsewhere(event)) return;
  event.preventDefault();
  void (link.matches(".next") ? tab.goOn(link) : tab.goTo(link.href));
}

function useComment(form: HTMLFormElement, button: HTMLButtonElement): void {
  const field = form.querySelector<HTMLTextAreaElement>("#comment")!;
  field.value = `${field.value} ${button.value}`.trim();
  field.focus();
}
