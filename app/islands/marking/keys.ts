import { say } from "../results/say.ts";
import type { DeskTab } from "./desk-tab.ts";
import type { TabStorage } from "./tab-storage.ts";
import { isTyped, marksIn, sumIn } from "./typed-fields.ts";

/** The keys of the first points of a memo: the rows of a keyboard, without keys that have another function. */
const pointKeys = [..."qwertyuiosdfghjklzxcvm"];

const storageName = "desk-keys";

/**
 * The keys of the marking desk: digits replace the mark, A agrees, N goes on, P goes to the answer before, B to the
 * one saved last, and the key beside a point ticks it. A box switches them off in this tab.
 * @returns a function that shows the box and the points' keys on an answer
 */
export function addKeys(tab: DeskTab, storage: TabStorage): () => void {
  const desk = tab.element;
  const label = document.createElement("label");
  label.className = "check no-print";
  const box = document.createElement("input");
  box.type = "checkbox";
  box.checked = storage.read(storageName) !== false;
  box.addEventListener("change", () => {
    storage.write(storageName, box.checked);
    showPointKeys(desk, box.checked);
  });
  const keyNames = "digits, A agrees, N goes on, P goes back, B to the last one saved";
  const text = document.createElement("span");
  label.append(box, text);
  document.addEventListener("keydown", (event) => {
    const isPlain = !event.ctrlKey && !event.altKey && !event.metaKey && !event.isComposing;
    if (box.checked && isPlain) handleKey(tab, event);
    const isEnter = event.key === "Enter" && !(event.target as Element).matches("textarea");
    // Enter that is held down would save answers that the marker has not seen.
    if (isEnter && event.repeat) event.preventDefault();
  });
  return () => {
    const hasPoints = pointBoxes(desk).length > 0;
    text.textContent = `Keys: ${keyNames}${hasPoints ? ", those beside points tick them" : ""}`;
    showPointKeys(desk, box.checked);
    desk.querySelector(".answer")?.append(label);
  };
}

/**
 * Handles a key of the desk. In the marks field, the keys of points always work; the other keys work until something
 * other than the sum of the ticks is typed. In other fields, a key types its character.
 */
function handleKey(tab: DeskTab, event: KeyboardEvent): void {
  const desk = tab.element;
  const target = event.target as HTMLElement;
  const field = target.closest<HTMLInputElement>("input:not([type]), textarea, select");
  const key = event.key.toLowerCase();
  const point = pointBoxes(desk)[pointKeys.indexOf(key)];
  const takesKey =
    field?.id === "marks" && (point || !isTyped(field) || field.value === sumIn(field.form!));
  if (field && !takesKey) return;
  // Focus the marks field first: the browser then types the digit into it.
  if (!field && /^\d$/.test(key)) focusMarks(desk);
  const click = (selector: string) => desk.querySelector<HTMLElement>(selector)?.click();
  const press = point
    ? () => tick(tab, point)
    : {
        a: () => click('[value="agree"]'),
        n: () => click("a.next"),
        p: () => click("a.before"),
        b: () => tab.goToSaved(),
      }[key];
  if (!press) return;
  event.preventDefault();
  // A key that is held down would agree with answers that the marker has not seen.
  if (!event.repeat) press();
}

const pointBoxes = (desk: HTMLElement) => [
  ...desk.querySelectorAll<HTMLInputElement>(".memo-points [type=checkbox]"),
];

/** Shows the key beside each point that has one, or removes the keys. */
function showPointKeys(desk: HTMLElement, isOn: boolean): void {
  for (const [index, box] of pointBoxes(desk).slice(0, pointKeys.length).entries()) {
    box.parentElement!.querySelector("kbd")?.remove();
    box.removeAttribute("aria-keyshortcuts");
    if (!isOn) continue;
    const name = pointKeys[index]!.toUpperCase();
    const shown = document.createElement("kbd");
    shown.textContent = name;
    shown.ariaHidden = "true";
    box.after(shown);
    box.setAttribute("aria-keyshortcuts", name);
  }
}

/** Ticks a point, or takes its tick away; a digit then replaces the sum. */
function tick(tab: DeskTab, box: HTMLInputElement): void {
  box.click();
  const field = marksIn(tab.element)!;
  if (document.activeElement === field) field.select();
  const words = box.parentElement!.querySelector("span")!.textContent;
  const state = box.checked ? "ticked" : "not ticked";
  say(tab.element, `${words}: ${state}. Marks: ${field.value || "none"}.`, { isShown: false });
}

/** Focuses the marks field and selects its mark, so that typing replaces it. */
export function focusMarks(desk: HTMLElement, options?: FocusOptions): void {
  const field = marksIn(desk);
  field?.focus(options);
  field?.select();
}
