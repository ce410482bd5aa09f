import type { Locator, Page } from "playwright-core";
import type { Cut } from "./cuts.ts";
import type { Film } from "./film.ts";
import { Finger } from "./finger.ts";
import { Mouse } from "./mouse.ts";
import { eased, type Pointer } from "./pointer.ts";

/** The page that is filmed, with its pointer. */
export class Stage {
  readonly page: Page;
  readonly film: Film;
  readonly pointer: Pointer;
  readonly #url: string;

  constructor(page: Page, film: Film, cut: Cut, url: string) {
    this.page = page;
    this.film = film;
    this.pointer = cut.isTouch ? new Finger(page, film) : new Mouse(page, film, cut.viewport);
    this.#url = url;
  }

  /** Opens a path of the site, without its header, which shows the brand name. */
  async open(path: string): Promise<void> {
    await this.page.goto(this.#url + path);
    await this.page.evaluate(() => {
      // A constructed style sheet, because the CSP forbids inline styles.
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(`
        .site-header { display: none; }
        html { scroll-behavior: auto; }
        * { scrollbar-width: none; }
      `);
      document.adoptedStyleSheets.push(sheet);
    });
    await this.pointer.appear();
  }

  /** Scrolls without animation, like a cut, until the target's top edge is `offset` pixels below the window's. */
  async jumpTo(target: Locator, offset: number): Promise<void> {
    const { scroller, to } = await this.#wayTo(target, offset);
    await scroller.evaluate(
      (element, top) => element.scrollTo({ top, behavior: "instant" }),
      even(to),
    );
  }

  /** Scrolls until the target's top edge is `offset` pixels below the window's. */
  async scrollTo(target: Locator, offset: number): Promise<void> {
    const { scroller, from, to } = await this.#wayTo(target, offset);
    const frames = Math.round(Math.sqrt(Math.abs(to - from)) * 0.9);
    for (let frame = 1; frame <= frames; frame += 1) {
      const top = even(from + (to - from) * eased(frame / frames));
      await scroller.evaluate(
        (element, top) => element.scrollTo({ top, behavior: "instant" }),
        top,
      );
      await this.film.frame();
    }
  }

  /**
   * Returns the element that scrolls the target (a dialog or the page), and its scroll positions before and after, in
   * CSS pixels.
   */
  async #wayTo(target: Locator, offset: number) {
    const scroller = await target.evaluateHandle((element) => {
      let scroller = element.parentElement;
      const scrolls = (one: Element) =>
        /auto|scroll/.test(getComputedStyle(one).overflowY) &&
        one.scrollHeight > one.clientHeight + 9;
      while (scroller && !scrolls(scroller)) scroller = scroller.parentElement;
      return scroller ?? document.documentElement;
    });
    const top = await target.evaluate((element) => element.getBoundingClientRect().top);
    const way = await scroller.evaluate((element, by) => {
      const max = element.scrollHeight - element.clientHeight;
      const to = Math.max(0, Math.min(max, element.scrollTop + by));
      return { from: element.scrollTop, to };
    }, top - offset);
    return { scroller, ...way };
  }
}

/** Scrolling by whole pixels of film takes far fewer bytes than redrawing text between two pixels. */
const even = (pixels: number) => 2 * Math.round(pixels / 2);
