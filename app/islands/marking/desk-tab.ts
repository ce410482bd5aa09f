import { type FetchedPart, fetchPart, learnerIn } from "../results/fetch-part.ts";
import { say as sayIn } from "../results/say.ts";
import {
  type FetchedAnswer,
  isDecidedIn,
  keyIn,
  markFormIn,
  replaceChildren,
  replaceUsedComments,
} from "./answer-element.ts";
import { AnswersAhead } from "./answers-ahead.ts";
import { KeptPlaces } from "./kept-places.ts";
import { addKeys, focusMarks } from "./keys.ts";
import { showUnsent } from "./show-unsent.ts";
import { StampQueue } from "./stamp-queue.ts";
import type { TabStorage } from "./tab-storage.ts";
import { fieldsOf, isTyped, marksIn, sumIn } from "./typed-fields.ts";
import { UnsentMarks } from "./unsent-marks.ts";

/** For how long an answer that has just come counts as unseen, in milliseconds. */
const unseenMs = 500;

function showSum(form: HTMLFormElement): void {
  const field = marksIn(form)!;
  if (field.value === "") field.value = field.defaultValue = sumIn(form);
}

/** The desk in this tab: the answer that is shown, and all that is kept beside it. */
export class DeskTab {
  readonly element: HTMLElement;
  /** Whether this is the sample, whose decisions are in memory: loading another page would lose them. */
  readonly isSample: boolean;
  readonly unsent: UnsentMarks;
  readonly ahead: AnswersAhead;
  readonly stamps: StampQueue;
  readonly places: KeptPlaces;
  saved: string | undefined;
  /** Resolves once the server has responded to every saved mark, or cannot be reached. */
  saving: Promise<unknown> = Promise.resolve();
  readonly #showKeys: () => void;
  /** The last sentence of the server on how much is decided; "" at first. */
  #progress = "";
  #shownAt = Number.NEGATIVE_INFINITY;
  #search = window.location.search;

  constructor(element: HTMLElement, storage: TabStorage) {
    this.element = element;
    this.isSample = element.classList.contains("sample");
    this.unsent = new UnsentMarks(storage, { isMarkers: element.dataset.educators === undefined });
    this.stamps = new StampQueue(this);
    this.places = new KeptPlaces(storage);
    this.ahead = new AnswersAhead(this);
    const isAnswer = markFormIn(element) !== null;
    this.#showKeys = isAnswer || this.isSample ? addKeys(this, storage) : () => {};
    // The browser would restore the position in the page, but not in the strip of pages: `places` restores both.
    if (isAnswer) window.history.scrollRestoration = "manual";
    this.saved = element.querySelector<HTMLAnchorElement>(".desk-saved a")?.href;
    // Back and Forward lead to another answer only if they change the query; anchors do not.
    window.addEventListener("popstate", () => {
      if (window.location.search === this.#search) return;
      if (this.isSample) void this.goTo(window.location.href);
      else window.location.reload();
    });
    // Screen readers read a sentence only in an element that was on the page before it.
    sayIn(element, "", { isShown: false });
    window.addEventListener("pagehide", () => this.places.keep(element));
  }

  say = (text: string): void => sayIn(this.element, text);

  /** Whether a press now, such as the second of a double click, was meant for the answer before. */
  isUnseen = (): boolean => performance.now() - this.#shownAt < unseenMs && !this.hasTyped();

  hasTyped = (): boolean => fieldsOf(this.element).some(isTyped);

  start(): void {
    const isUntouched =
      window.scrollY === 0 && !window.location.hash && document.activeElement === document.body;
    if (isUntouched && markFormIn(this.element)) {
      this.places.open(this.element, { isSameWork: true });
    }
    this.prepare();
  }

  /** Shows another answer. With `isHeld`, the answer that was shown becomes the next one. */
  show({ url, desk }: FetchedAnswer, { isHeld = false } = {}): void {
    const { element } = this;
    this.places.keep(element);
    const stampsAreOpen = element.querySelector(".stamp-tools[open]") !== null;
    if (isHeld) {
      const left = element.cloneNode() as HTMLElement;
      left.append(...element.childNodes);
      this.ahead.putBack({ url: window.location.href, desk: left });
    }
    const shown = replaceChildren(element, desk);
    if (stampsAreOpen) element.querySelector(".stamp-tools")?.setAttribute("open", "");
    if (url !== window.location.href) window.history.pushState(null, "", url);
    this.#search = window.location.search;
    this.places.open(element, shown);
    this.prepare();
    this.#shownAt = performance.now();
    // A page without a form, such as "What is left", has no field that gets the focus.
    const heading = element.querySelector("h2");
    if (!heading || document.activeElement !== document.body) return;
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
  }

  showPart({ url, results }: FetchedPart, options?: { isHeld: boolean }): void {
    if (results) this.show({ url, desk: document.importNode(results, true) }, options);
  }

  /** Adds to the shown answer what needs script, and fetches further answers ahead. */
  prepare(): void {
    for (const one of this.element.querySelectorAll(".without-script")) one.remove();
    this.#showProgress();
    const form = markFormIn(this.element);
    if (form) showSum(form);
    showUnsent(this);
    this.#showKeys();
    // If the marker already types into another field, leave the focus there.
    if (document.activeElement === document.body) focusMarks(this.element, { preventScroll: true });
    void this.ahead.fill();
  }

  /** Takes the progress and the used comments from a later page. */
  update({ results }: FetchedPart): void {
    if (!results) return;
    this.#progress = results.querySelector(".desk-progress")?.textContent ?? this.#progress;
    this.#showProgress();
    replaceUsedComments(document.importNode(results, true), this.element);
  }

  /** Shows the next answer: the first one ahead, or else the one that the link leads to. */
  async goOn(link: HTMLAnchorElement): Promise<void> {
    await this.ahead.arrival();
    // Do nothing if another click has gone on meanwhile, or the marker has typed.
    if (!link.isConnected || this.hasTyped()) return;
    const next = this.ahead.take();
    if (next) return this.show(next);
    const part = await this.#fetchAnswer(link.href, keyIn(this.element));
    if (part) this.#goOnTo(part);
  }

  /** Goes to another answer. The answer that was shown comes next if it is undecided and of another learner. */
  async goTo(url: string): Promise<void> {
    const here = keyIn(this.element);
    if (this.unsent.isSending()) {
      this.say("The last mark is still on its way.");
      // Before the mark arrives, the server shows the answer without it, and rejects a change.
      await this.saving;
    }
    const part = await this.#fetchAnswer(url, here);
    if (!part) return;
    const learner = learnerIn(part.url);
    // Answers of one learner share picture elements, so only an answer of another learner is put back.
    if (here && learner && !here.startsWith(`${learner}:`)) {
      this.showPart(part, { isHeld: !isDecidedIn(this.element) });
    } else this.#goOnTo(part);
  }

  #goOnTo(part: FetchedPart): void {
    // The fetched answer may be among those ahead, and would then be shown twice.
    this.ahead.clear();
    this.showPart(part);
  }

  /**
   * Fetches an answer. Returns undefined if none came, the answer `here` is not shown any more, or the marker has typed
   * into it.
   */
  async #fetchAnswer(url: string, here: string | undefined): Promise<FetchedPart | undefined> {
    const part = await fetchPart(url).catch(() => undefined);
    if (keyIn(this.element) !== here || this.hasTyped()) return undefined;
    if (part?.results && part.status < 400) return part;
    if (part) window.location.assign(url);
    else this.say("This answer cannot be fetched now.");
    return undefined;
  }

  goToSaved(): void {
    if (!this.saved) this.say("Nothing was saved before.");
    else if (this.hasTyped()) window.location.assign(this.saved);
    else void this.goTo(this.saved);
  }

  #showProgress(): void {
    const shown = this.element.querySelector(".desk-progress");
    if (shown && this.#progress) shown.textContent = this.#progress;
  }
}
