import type { Locator, Page } from "playwright-core";
import type { Film } from "./film.ts";
import { middleOf, type Point, type Pointer } from "./pointer.ts";

/** Taps, and draws a dot where it touches the screen. */
export class Finger implements Pointer {
  readonly #page: Page;
  readonly #film: Film;

  constructor(page: Page, film: Film) {
    this.#page = page;
    this.#film = film;
  }

  async appear(): Promise<void> {
    await this.#page.evaluate(drawDot);
  }

  async press(target: Locator): Promise<void> {
    await this.#touch(await middleOf(target), async ({ x, y }) => {
      await this.#page.touchscreen.tap(x, y);
    });
  }

  async give(files: string[], picker: Locator): Promise<void> {
    const box = (await picker.locator("input[type=file]").boundingBox())!;
    const button = { x: box.x + 60, y: box.y + box.height / 2 };
    const dialog = this.#page.waitForEvent("filechooser");
    await this.#touch(button, async ({ x, y }) => {
      await this.#page.touchscreen.tap(x, y);
      await (await dialog).setFiles(files);
    });
  }

  /** Shows the dot growing, acts, and shows it fading. */
  async #touch(point: Point, act: (point: Point) => Promise<void>): Promise<void> {
    for (const size of [0.6, 0.8, 0.95, 1, 1, 1]) await this.#show(point, size, size);
    await this.#show(point, 0.9, 1);
    await act(point);
    for (const opacity of [0.8, 0.6, 0.35, 0.15, 0]) await this.#show(point, 0.9, opacity);
    await this.#film.hold(0.12);
  }

  async #show(point: Point, size: number, opacity: number): Promise<void> {
    await this.#page.evaluate(
      ({ x, y, size, opacity }) => {
        const dot = document.getElementById("drawn-finger")!;
        dot.style.translate = `${x}px ${y}px`;
        dot.style.scale = `${size}`;
        dot.style.opacity = `${opacity}`;
        // Reopen it, so that it is above a dialog opened since.
        dot.hidePopover();
        dot.showPopover();
      },
      { ...point, size, opacity },
    );
    await this.#film.frame();
  }
}

/** Runs in the page. A constructed style sheet, because the CSP forbids inline styles. */
function drawDot(): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`
    #drawn-finger {
      position: fixed; inset: 0 auto auto 0; margin: -22px 0 0 -22px; padding: 0; width: 44px; height: 44px;
      border: 2px solid #fff; border-radius: 50%; background: rgb(27 29 42 / 0.45); opacity: 0;
      box-shadow: 0 0 0 1px rgb(27 29 42 / 0.6); pointer-events: none;
    }
  `);
  document.adoptedStyleSheets.push(sheet);
  const dot = document.createElement("div");
  dot.id = "drawn-finger";
  dot.popover = "manual";
  document.body.append(dot);
}
