import path from "node:path";
import type { Locator, Page } from "playwright-core";
import type { Size } from "./cuts.ts";
import { type Film, framesPerSecond } from "./film.ts";
import { eased, middleOf, type Point, type Pointer } from "./pointer.ts";

/** Moves the browser's pointer and draws one on the page. */
export class Mouse implements Pointer {
  #position: Point;
  readonly #page: Page;
  readonly #film: Film;
  readonly #window: Size;

  constructor(page: Page, film: Film, window: Size) {
    this.#page = page;
    this.#film = film;
    this.#window = window;
    this.#position = { x: window.width * 0.6, y: window.height + 40 };
  }

  async appear(): Promise<void> {
    await this.#page.evaluate(drawPointer);
    await this.#setPosition(this.#position);
  }

  async press(target: Locator): Promise<void> {
    await this.#glide(await middleOf(target), ({ x, y }) => this.#page.mouse.move(x, y));
    await this.#film.hold(0.16);
    await this.#page.mouse.down();
    await this.#page.mouse.up();
    await this.#setPosition(this.#position);
    await this.#film.hold(0.12);
  }

  /** Drags files into the window and drops them on the picker. */
  async give(files: string[], picker: Locator): Promise<void> {
    await this.#glide({ x: this.#window.width + 60, y: this.#window.height * 0.9 }, async () => {});
    await this.#setLabel(files.length === 1 ? path.basename(files[0]!) : `${files.length} files`);
    const session = await this.#page.context().newCDPSession(this.#page);
    const drag = (type: "dragEnter" | "dragOver" | "drop", point: Point) =>
      session.send("Input.dispatchDragEvent", {
        type,
        ...point,
        data: { items: [], files, dragOperationsMask: 1 },
      });
    let isInside = false;
    await this.#glide(await middleOf(picker), async (point) => {
      if (point.x >= this.#window.width) return;
      await drag(isInside ? "dragOver" : "dragEnter", point);
      isInside = true;
    });
    await this.#film.hold(0.2);
    await drag("drop", this.#position);
    await session.detach();
    await this.#setLabel("");
    await this.#film.hold(0.2);
  }

  /** Moves on a slight curve, slower at both ends, as an arm does. */
  async #glide(to: Point, each: (point: Point) => Promise<unknown>): Promise<void> {
    const from = this.#position;
    const distance = Math.hypot(to.x - from.x, to.y - from.y);
    const frames = Math.max(6, Math.round((0.2 + distance / 1800) * framesPerSecond));
    for (let frame = 1; frame <= frames; frame += 1) {
      const progress = eased(frame / frames);
      const curve = Math.sin(progress * Math.PI) * distance * 0.06;
      const point = {
        x: from.x + (to.x - from.x) * progress + curve * ((to.y - from.y) / (distance || 1)),
        y: from.y + (to.y - from.y) * progress - curve * ((to.x - from.x) / (distance || 1)),
      };
      await each(point);
      await this.#setPosition(point);
      await this.#film.frame();
    }
  }

  async #setPosition(point: Point): Promise<void> {
    this.#position = point;
    await this.#page.evaluate(({ x, y }) => {
      const pointer = document.getElementById("drawn-pointer")!;
      pointer.style.translate = `${x}px ${y}px`;
      // Reopen it, so that it is above a dialog opened since.
      pointer.hidePopover();
      pointer.showPopover();
    }, point);
  }

  async #setLabel(label: string): Promise<void> {
    await this.#page.evaluate((label) => {
      const element = document.querySelector<HTMLElement>("#drawn-pointer span")!;
      element.textContent = label;
      element.style.visibility = label ? "visible" : "hidden";
    }, label);
  }
}

/** Runs in the page. A constructed style sheet, because the CSP forbids inline styles. */
function drawPointer(): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`
    #drawn-pointer {
      position: fixed; inset: 0 auto auto 0; margin: 0; padding: 0; border: 0; overflow: visible;
      background: none; pointer-events: none;
    }
    #drawn-pointer svg { display: block; filter: drop-shadow(0 1px 2px rgb(0 0 0 / 0.4)); }
    #drawn-pointer span {
      position: absolute; left: 18px; top: 22px; visibility: hidden; padding: 6px 12px;
      border: 1px solid #8b8577; border-radius: 3px; background: #fff;
      color: #1b1d2a; font: 600 15px var(--sans); white-space: nowrap; box-shadow: var(--float);
    }
  `);
  document.adoptedStyleSheets.push(sheet);
  const pointer = document.createElement("div");
  pointer.id = "drawn-pointer";
  pointer.popover = "manual";
  const namespace = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(namespace, "svg");
  svg.setAttribute("width", "24");
  svg.setAttribute("height", "30");
  const arrow = document.createElementNS(namespace, "path");
  arrow.setAttribute("d", "M2 1v22l5-5 4 9 4-2-4-8h7z");
  arrow.setAttribute("fill", "#1b1d2a");
  arrow.setAttribute("stroke", "#fff");
  arrow.setAttribute("stroke-width", "1.5");
  svg.append(arrow);
  pointer.append(svg, document.createElement("span"));
  document.body.append(pointer);
}
