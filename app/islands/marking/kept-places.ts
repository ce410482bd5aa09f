import { questionIn, sheetsIn } from "./answer-element.ts";
import type { TabStorage } from "./tab-storage.ts";

/** What a marker sees of a learner's work: the view's top left corner, as shares of the page's width and height. */
interface Place {
  /** Position among the pages, from 0. */
  sheet: number;
  x: number;
  /** Undefined if the view is at the top of the desk. */
  y?: number;
}

const storageName = "desk-places";

/** Where in the learners' work each question was marked last: the next learner's work is opened there. */
export class KeptPlaces {
  readonly #storage: TabStorage;
  readonly #places: Record<string, Place>;
  /** What `viewOf` returned when the answer was opened: a different value later means that the view was moved. */
  #opened = "";

  constructor(storage: TabStorage) {
    this.#storage = storage;
    this.#places = (storage.read(storageName) as Record<string, Place> | undefined) ?? {};
  }

  /** Keeps the place in view for the question, if the marker has moved the view. */
  keep(desk: HTMLElement): void {
    if (viewOf(desk) === this.#opened) return;
    const place = placeIn(desk);
    if (!place) return;
    this.#places[questionIn(desk)] = place;
    this.#storage.write(storageName, this.#places);
  }

  /** Moves the view to where the question was marked last, or to another page if the server picks one out. */
  open(desk: HTMLElement, { isSameWork }: { isSameWork: boolean }): void {
    const place = this.#placeOf(desk);
    const sheet = place && sheetsIn(desk)[place.sheet];
    if (sheet) show(desk, sheet, place);
    else {
      const stamped = stampedIn(desk);
      if (stamped) stamped.scrollIntoView({ behavior: "instant" });
      else if (!isSameWork) window.scrollTo({ top: 0, behavior: "instant" });
    }
    this.#opened = viewOf(desk);
  }

  /** The pictures of the page that is in view once the answer is shown, and of the page after it. */
  picturesOf(desk: HTMLElement): HTMLImageElement[] {
    const sheets = sheetsIn(desk);
    const stamped = stampedIn(desk);
    const first = this.#placeOf(desk)?.sheet ?? (stamped ? sheets.indexOf(stamped) : 0);
    return sheets.slice(first, first + 2).flatMap((sheet) => [...sheet.querySelectorAll("img")]);
  }

  /**
   * The place kept for the question, moved to the last page of a shorter work. Undefined if there is none, or if the
   * server picks out another page.
   */
  #placeOf(desk: HTMLElement): Place | undefined {
    const place = this.#places[questionIn(desk)];
    const sheets = sheetsIn(desk);
    const stamped = stampedIn(desk);
    if (!place || (stamped && stamped !== sheets[place.sheet])) return undefined;
    return { ...place, sheet: Math.min(place.sheet, sheets.length - 1) };
  }
}

/** The page that the server picks out: one with a stamp for the question, or else the one that the URL names. */
const stampedIn = (desk: HTMLElement) =>
  desk.querySelector("#shown")?.closest<HTMLElement>("figure, .sheet") ?? undefined;

const viewOf = (desk: HTMLElement) =>
  [window.scrollY, desk.querySelector(".work")?.scrollLeft].map((px) => Math.round(px ?? 0)).join();

function placeIn(desk: HTMLElement): Place | undefined {
  const sheets = sheetsIn(desk);
  const areas = sheets.map(visibleArea);
  const sheet = areas.indexOf(Math.max(...areas));
  if (!areas[sheet]) return undefined;
  const { left, top, width, height } = sheets[sheet]!.getBoundingClientRect();
  const viewLeft = desk.querySelector(".work")!.getBoundingClientRect().left;
  const x = (viewLeft - left) / width;
  return window.scrollY === 0 ? { sheet, x } : { sheet, x, y: -top / height };
}

/** The visible area of a page, in square pixels. 0 if less than a third is visible, as when the form is in view. */
function visibleArea(sheet: HTMLElement): number {
  const { left, right, top, bottom, height: whole } = sheet.getBoundingClientRect();
  const width = Math.min(right, window.innerWidth) - Math.max(left, 0);
  const height = Math.min(bottom, window.innerHeight) - Math.max(top, 0);
  const isRead = height > Math.min(whole, window.innerHeight) / 3;
  return isRead ? Math.max(width, 0) * height : 0;
}

function show(desk: HTMLElement, sheet: HTMLElement, { x, y }: Place): void {
  const work = desk.querySelector(".work")!;
  const { left, width } = sheet.getBoundingClientRect();
  const viewLeft = work.getBoundingClientRect().left;
  work.scrollBy({ left: left + x * width - viewLeft, behavior: "instant" });
  const { top, height } = sheet.getBoundingClientRect();
  window.scrollTo({
    top: y === undefined ? 0 : window.scrollY + top + y * height,
    behavior: "instant",
  });
}
