import { type FetchedPart, fetchPart } from "../results/fetch-part.ts";
import { type FetchedAnswer, keyIn, replaceUsedComments } from "./answer-element.ts";
import type { DeskTab } from "./desk-tab.ts";

const maxAhead = 5;

/** The answers that come after the one that is shown, in their order; their first pictures are loaded. */
export class AnswersAhead {
  readonly #tab: DeskTab;
  #answers: FetchedAnswer[] = [];
  /** How many answers to fetch ahead: 1 after a failed request, and one more after each success. */
  #limit = maxAhead;
  /** Whether the server had no further answers. */
  #isWhole = false;
  #fetching: Promise<unknown> | undefined;

  constructor(tab: DeskTab) {
    this.#tab = tab;
  }

  take = (): FetchedAnswer | undefined => this.#answers.shift();

  /** Puts an answer before the others, and drops the last answer if there are too many. */
  putBack(answer: FetchedAnswer): void {
    this.#answers.unshift(answer);
    if (this.#answers.length <= maxAhead) return;
    this.#answers.pop();
    this.#isWhole = false;
  }

  clear(): void {
    this.#answers = [];
    this.#isWhole = false;
  }

  /** If no answer is ahead, waits for the request in flight. */
  async arrival(): Promise<void> {
    if (this.#answers.length === 0) await this.#fetching;
  }

  canExtend = (): boolean =>
    !this.#fetching && !this.#isWhole && this.#answers.length < this.#limit;

  async fill(): Promise<void> {
    const { element, places } = this.#tab;
    // Other markers may have left answers undecided since, so ask the server again.
    if (this.#answers.length === 0) this.#isWhole = false;
    for (;;) {
      const next = element.querySelector<HTMLAnchorElement>("a.next")?.href;
      const shown = keyIn(element);
      if (!next || !shown || !this.canExtend()) return;
      const send = (url: string) => fetchPart(url).catch(() => undefined);
      const part = await this.extend({ url: next, shown }, send);
      if (!part || part.status >= 400) return;
      // Load the pictures of these answers before a further answer.
      const pictures = this.#answers.flatMap(({ desk }) => places.picturesOf(desk));
      await Promise.allSettled(
        pictures.map((one) => one.loading === "eager" && !one.complete && one.decode()),
      );
    }
  }

  /**
   * Sends a request that also asks for the answer after the last one ahead, and adds the answer that comes. If no
   * further answer is wanted, sends the URL as it is.
   * @param shown key of the answer that is shown during the request; undefined if the response brings the next answer
   */
  async extend(
    { url, shown }: { url: string; shown: string | undefined },
    send: (url: string) => Promise<FetchedPart | undefined>,
  ): Promise<FetchedPart | undefined> {
    if (!shown || !this.canExtend()) return await send(url);
    // `clear` replaces the array. The answer in the response then follows none of the new array, and is not added.
    const chain = this.#answers;
    const last = chain.at(-1);
    const extended = new URL(url, window.location.href);
    extended.searchParams.set("shown", shown);
    extended.searchParams.set("ahead", (last && keyIn(last.desk)) ?? shown);
    const sent = send(extended.href).then((part) => {
      this.#fetching = undefined;
      this.#limit = part ? Math.min(this.#limit + 1, maxAhead) : 1;
      if (part && part.status < 400 && chain === this.#answers) this.#add(part);
      return part;
    });
    this.#fetching = sent;
    return await sent;
  }

  #add(part: FetchedPart): void {
    const { element, unsent, places } = this.#tab;
    const others = [element, ...this.#answers.map((one) => one.desk)];
    const desk = part.results && document.importNode(part.results, true);
    const key = desk && keyIn(desk);
    if (!key || others.some((one) => keyIn(one) === key) || unsent.has(key)) {
      this.#isWhole = true;
      return;
    }
    desk.querySelector(".desk-saved")?.remove();
    for (const one of this.#answers) replaceUsedComments(desk, one.desk);
    const here = new Set(others.flatMap(sourcesIn));
    for (const picture of places.picturesOf(desk)) {
      // A lazy picture would load only once it is seen.
      if (!here.has(picture.src)) picture.loading = "eager";
    }
    const url = new URL(part.url);
    for (const name of ["ahead", "saved"]) url.searchParams.delete(name);
    this.#answers.push({ url: url.href, desk });
  }
}

const sourcesIn = (desk: HTMLElement) => [...desk.querySelectorAll("img")].map(({ src }) => src);
