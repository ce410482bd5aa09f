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
  window.addEventListener("online", () => void resend(tab));
  setInterval(() => void resend(tab), retryMs);
  let isPosting = false;
  window.addEventListener("beforeunload", (event) => {
    // Questions that came back are stored nowhere, although nothing was typed into this page.
    const hasTexts =
      desk.querySelector(".unstored") !== null ||
      [...desk.querySelectorAll<HTMLInputElement>("textarea, [name=title]")].some(isTyped);
    // Rejected marks do not count, because the server has stored them as drafts.
    const isKept = tab.unsent.isEmpty() && tab.stamps.isEmpty();
    if (tab.hasTyped() || (!isPosting && hasTexts) || !isKept) event.preventDefault();
  });
  desk.addEventListener("submit", (event) => {
    const form = event.target as HTMLFormElement;
    const submitter = event.submitter as HTMLButtonElement | null;
    const name = submitter?.name;
    isPosting = !form.matches(".mark-form");
    if (isPosting || (submitter?.value === "rest" && !tab.isUnseen())) return;
    event.preventDefault();
    if (name === "use") useComment(form, submitter!);
    else if (name !== "intent") tab.stamps.add(form, submitter);
    else if (!tab.isUnseen()) void saveMark(tab, form, submitter);
  });
  desk.addEventListener("change", (event) => {
    const box = event.target as HTMLInputElement;
    if (!box.name.startsWith("tick-") || !box.form) return;
    addUp(box.form);
    // The server rejects ticks together with “Not answered”, so untick “Not answered”.
    box.form.querySelector<HTMLInputElement>('[name="notAnswered"]')!.checked = false;
  });
  desk.addEventListener("click", (event) => {
    const linksInTab = tab.isSample
      ? `a[href^="${window.location.pathname}?"]`
      : "a.next, a.before";
    const link = (event.target as HTMLElement).closest<HTMLAnchorElement>(linksInTab);
    if (!link || tab.hasTyped() || opensElsewhere(event)) return;
    event.preventDefault();
    void (link.matches(".next") ? tab.goOn(link) : tab.goTo(link.href));
  });
  tab.start();
  void resend(tab);
}

/** Appends a used comment to the text of the comment field. */
function useComment(form: HTMLFormElement, button: HTMLButtonElement): void {
  const field = form.querySelector<HTMLTextAreaElement>("#comment")!;
  field.value = [field.value, button.value].filter(Boolean).join(" ");
  field.focus();
}
