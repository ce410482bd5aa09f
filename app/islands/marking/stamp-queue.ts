import { fetchPart } from "../results/fetch-part.ts";
import { keyIn, markFormIn, problemOf, replaceChildren } from "./answer-element.ts";
import type { DeskTab } from "./desk-tab.ts";
import { valuesOf } from "./typed-fields.ts";

/** How long a stamp waits until it is sent again, in milliseconds. */
const retryMs = 10_000;

interface Change {
  form: HTMLFormElement;
  button: HTMLButtonElement | null;
  /** Learner and question of the answer that was shown. */
  key: string | undefined;
  fields: Record<string, string>;
  /** The comment that is placed on a page; empty or false without one. */
  comment: string | false | undefined;
  /** What is said after a change that places no stamp. */
  done: string | undefined;
}

/** Posts the changes to a learner's pages, one after another: a stamp, a turn, the zoom. */
export class StampQueue {
  readonly #tab: DeskTab;
  #last = Promise.resolve();
  #waiting = 0;

  constructor(tab: DeskTab) {
    this.#tab = tab;
  }

  isEmpty = () => this.#waiting === 0;

  add(form: HTMLFormElement, button: HTMLButtonElement | null): void {
    const key = keyIn(this.#tab.element);
    const fields = valuesOf(form, button);
    const done = doneBy[button?.name ?? ""];
    const comment = !done && fields.stamp === "comment" && fields.stampText;
    // A comment leaves its field on its way to the page.
    if (comment) commentIn(form).value = "";
    const change = { form, button, key, fields, comment, done };
    this.#waiting += 1;
    // A page that cannot be shown must not keep later stamps from being sent.
    this.#last = this.#last.then(() => this.#post(change)).catch(reportError);
  }

  async #post({ form, button, key, fields, comment, done }: Change) {
    const tab = this.#tab;
    // Read the URL only now, because a zoom that was sent before has changed it.
    const url = form.action;
    let part = await fetchPart(url, fields).catch(() => undefined);
    // Without `marks` the server stores no draft: what was typed may have been saved as a mark meanwhile.
    const { marks: _, ...later } = fields;
    while (!part) {
      tab.say("Not placed yet. It is sent again once the line is back.");
      await lineMayBeBack();
      part = await fetchPart(url, later).catch(() => undefined);
    }
    this.#waiting -= 1;
    const work = tab.element.querySelector<HTMLElement>(".work");
    // Another answer may be shown by now, whose pages stay as they are.
    const isShown = work && keyIn(tab.element) === key;
    if (!part.results || part.status >= 400) {
      if (isShown && comment) commentIn(tab.element).value ||= comment;
      tab.say(`${isShown ? "" : "Not stored on an answer before: "}${problemOf(part)}`);
    } else if (isShown) {
      showWork(work, document.importNode(part.results, true), button);
      tab.say(done ?? "Placed.");
    }
  }
}

const doneBy: Record<string, string> = {
  remove: "Removed.",
  turn: "Turned.",
  turnAll: "Turned.",
  zoom: "Done.",
};

const commentIn = (parent: Element) =>
  parent.querySelector<HTMLInputElement>('[name="stampText"]')!;

const lineMayBeBack = () =>
  new Promise((resolve) => {
    window.addEventListener("online", resolve, { once: true });
    setTimeout(resolve, retryMs);
  });

/**
 * Shows a learner's changed work. The page that was clicked on stays in place, and the button keeps the focus. After
 * Remove the page gets the focus, because the same key would remove another stamp.
 */
function showWork(work: HTMLElement, fresh: HTMLElement, button: HTMLButtonElement | null): void {
  const shown = fresh.querySelector(".work")!;
  const hadFocus = button && document.activeElement === button;
  const id = button?.closest("[id]:not(#shown)")?.id ?? "";
  keepInPlace(id, () => {
    work.className = shown.className;
    replaceChildren(work, shown);
  });
  markFormIn(document)!.action = markFormIn(fresh)!.action;
  if (!hadFocus) return;
  const place = document.getElementById(id);
  const same = place?.querySelector<HTMLElement>(`[name="${button.name}"]:not([name="remove"])`);
  if (place && !same) place.tabIndex = -1;
  (same ?? place ?? work).focus({ preventScroll: true });
}

/** Makes a change to the page, and scrolls so that the element with this id stays in place. */
function keepInPlace(id: string, change: () => void): void {
  const top = () => document.getElementById(id)?.getBoundingClientRect().top ?? 0;
  const before = top();
  change();
  window.scrollBy({ top: top() - before, behavior: "instant" });
}
