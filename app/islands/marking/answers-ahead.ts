import { type FetchedPart, fetchPart } from "../results/fetch-part.ts";
import { bringComments, type FetchedAnswer, keyIn } from "./answer-element.ts";

/** How many answers are fetched before they are needed, unless the connection fails. */
const maxAhead = 5;

/** A request that brings the answer after those that are ahead already. */
interface NextRequest {
  url: string;
  /** Key of the answer that is shown during the request. */
  shown: string;
}

/** What the tab says about answers that are not ahead. */
interface Tab {
  /** The request for the answer after the shown one; undefined if the page leads to none. */
  next(): NextRequest | undefined;
  /** Whether an answer is shown, or its mark is on its way or waits to be sent. */
  isTaken(key: string): boolean;
  /** The pictures that an answer shows first. */
  picturesOf(desk: HTMLElement): HTMLImageElement[];
  /** Whether a picture is on the page. */
  hasPicture(src: string): boolean;
}

/** The answers that come after the one that is shown, in their order; their first pictures are loaded. */
export class AnswersAhead {
  readonly #tab: Tab;
  #answers: FetchedAnswer[] = [];
  #limit = maxAhead;
  /** Whether the server had no further answers. */
  #isWhole = false;
  #fetching: Promise<unknown> | undefined;

  constructor(tab: Tab) {
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

  /** Resolves once the answer that is being fetched is here. */
  async arrival(): Promise<void> {
    await this.#fetching;
  }

  /** Whether a request may bring a further answer. */
  canExtend = (): boolean =>
    !this.#fetching && !this.#isWhole && this.#answers.length < this.#limit;

  /** Fetches answers one after another, up to the limit. */
  async fill(): Promise<void> {
    // Other markers may have left answers undecided since, so ask the server again.
    if (this.#answers.length === 0) this.#isWhole = false;
    for (;;) {
      const next = this.#tab.next();
      if (!next || !this.canExtend()) return;
      const part = await this.extend(next, (url) => fetchPart(url).catch(() => undefined));
      if (!part) return;
      // Load the pictures of these answers before a further answer.
      const pictures = this.#answers.flatMap(({ desk }) => this.#tab.picturesOf(desk));
      const awaited = pictures.filter(({ loading, complete }) => loading === "eager" && !complete);
      await Promise.allSettled(awaited.map((picture) => picture.decode()));
    }
  }

  /** Sends a request whose response is the answer after the last one ahead, and adds that answer. */
  async extend(
    { url, shown }: NextRequest,
    send: (url: string) => Promise<FetchedPart | undefined>,
  ): Promise<FetchedPart | undefined> {
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
    const desk = part.results && document.importNode(part.results, true);
    const key = desk && keyIn(desk);
    const isHere = this.#answers.some((one) => keyIn(one.desk) === key);
    if (!key || isHere || this.#tab.isTaken(key)) {
      this.#isWhole = true;
      return;
    }
    desk.querySelector(".desk-saved")?.remove();
    for (const one of this.#answers) bringComments(desk, one.desk);
    const here = new Set(this.#answers.flatMap((one) => sourcesIn(one.desk)));
    for (const picture of this.#tab.picturesOf(desk)) {
      const isLoaded = here.has(picture.src) || this.#tab.hasPicture(picture.src);
      // A lazy picture would load only once it is seen.
      if (!isLoaded) picture.loading = "eager";
    }
    const url = new URL(part.url);
    for (const name of ["ahead", "saved"]) url.searchParams.delete(name);
    this.#answers.push({ url: url.href, desk });
  }
}

const sourcesIn = (desk: HTMLElement) => [...desk.querySelectorAll("img")].map(({ src }) => src);
