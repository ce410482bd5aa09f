import type { Locator, Page } from "playwright-core";
import { type Film, framesPerSecond, size } from "./film.ts";

interface Point {
  x: number;
  y: number;
}

/** Moves the browser's pointer and draws one on the page, because screenshots do not show it. */
export class Pointer {
  #position: Point = { x: size.width * 0.6, y: size.height + 40 };
  readonly #page: Page;
  readonly #film: Film;

  constructor(page: Page, film: Film) {
    this.#page = page;
    this.#film = film;
  }

  /** Draws the pointer. Call it after every navigation. */
  async appear(): Promise<void> {
    await this.#page.evaluate(drawPointer);
    await this.#setPosition(this.#position);
  }

  async moveTo(target: Locator): Promise<void> {
    await this.#glide(await this.#centreOf(target), (point) =>
      this.#page.mouse.move(point.x, point.y),
    );
  }

  async click(target: Locator): Promise<void> {
    await this.moveTo(target);
    await this.#film.hold(0.2);
    await this.#page.mouse.down();
    await this.#page.mouse.up();
    await this.#setPosition(this.#position);
    await this.#film.hold(0.2);
  }

  /** Drags files into the window and drops them on the target. */
  async drop(files: string[], label: string, target: Locator): Promise<void> {
    await this.#glide({ x: size.width + 80, y: size.height * 0.9 }, async () => {});
    await this.#setLabel(label);
    const session = await this.#page.context().newCDPSession(this.#page);
    const drag = (type: "dragEnter" | "dragOver" | "drop", point: Point) =>
      session.send("Input.dispatchDragEvent", {
        type,
        ...point,
        data: { items: [], files, dragOperationsMask: 1 },
      });
    let isInside = false;
    await this.#glide(await this.#centreOf(target), async (point) => {
      if (point.x >= size.width) return;
      await drag(isInside ? "dragOver" : "dragEnter", point);
      isInside = true;
    });
    await this.#film.hold(0.4);
    await drag("drop", this.#position);
    await session.detach();
    await this.#setLabel("");
    await this.#film.hold(0.2);
  }

  /** Scrolls until the target's top edge is `offset` pixels below the window's. */
  async scrollTo(target: Locator, offset: number): Promise<void> {
    const { from, to } = await target.evaluate((element, offset) => {
      const max = document.documentElement.scrollHeight - innerHeight;
      const wanted = scrollY + element.getBoundingClientRect().top - offset;
      return { from: scrollY, to: Math.max(0, Math.min(max, wanted)) };
    }, offset);
    const frames = Math.max(1, Math.round(Math.sqrt(Math.abs(to - from)) * 1.2));
    for (let frame = 1; frame <= frames; frame += 1) {
      const y = from + (to - from) * eased(frame / frames);
      await this.#page.evaluate((y) => scrollTo({ top: y, behavior: "instant" }), y);
      await this.#film.frame();
    }
  }

  async #centreOf(target: Locator): Promise<Point> {
    const box = (await target.boundingBox())!;
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  }

  /** Moves on a slight curve, slower at both ends, as an arm does. */
  async #glide(to: Point, each: (point: Point) => Promise<unknown>): Promise<void> {
    const from = this.#position;
    const distance = Math.hypot(to.x - from.x, to.y - from.y);
    const frames = Math.max(6, Math.round((0.25 + distance / 1400) * framesPerSecond));
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

/** Ease-in-out (smootherstep) of a progress from 0 to 1. */
const eased = (progress: number) => progress ** 3 * (progress * (progress * 6 - 15) + 10);

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
      border: 1px solid var(--rule-strong); border-radius: var(--corner); background: var(--sheet);
      color: var(--ink); font: 600 15px var(--sans); white-space: nowrap; box-shadow: var(--float);
    }
    /* Hidden because it shows the brand name. */
    .site-header { display: none; }
    html { scroll-behavior: auto; scrollbar-width: none; }
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
