import type { DeskTab } from "./desk-tab.ts";
import { isTyped } from "./typed-fields.ts";

/**
 * The keys of the marking desk: digits replace the mark, A agrees, N goes on, P goes to the answer before, B to the
 * one saved last. In fields they are characters, but for the mark until it is typed.
 */
export function addKeys(tab: DeskTab): () => void {
  const desk = tab.element;
  let isOn = true;
  const label = document.createElement("label");
  label.className = "check no-print";
  const box = document.createElement("input");
  box.type = "checkbox";
  box.checked = true;
  box.addEventListener("change", () => {
    isOn = box.checked;
  });
  label.append(box, "Keys: digits, A agrees, N goes on, P goes back, B to the last one saved");
  document.addEventListener("keydown", (event) => {
    const target = event.target as HTMLElement;
    const isPlain = !event.ctrlKey && !event.altKey && !event.metaKey && !event.isComposing;
    if (!isOn || !isPlain) return;
    const field = target.closest<HTMLInputElement>("input:not([type]), textarea, select");
    if (field && (field.id !== "marks" || isTyped(field))) return;
    const key = event.key.toLowerCase();
    // The browser types the digit into the field that has the focus then.
    if (!field && /^\d$/.test(key)) focusMarks(desk);
    const click = (selector: string) => desk.querySelector<HTMLElement>(selector)?.click();
    const press = {
      a: () => click('[value="agree"]'),
      n: () => click("a.next"),
      p: () => click("a.before"),
      b: () => tab.goToSaved(),
    }[key];
    if (!press) return;
    event.preventDefault();
    // A key that is held down would agree with answers that the marker has not seen.
    if (!event.repeat) press();
  });
  return () => desk.querySelector(".answer")?.append(label);
}

/** What is typed next replaces the mark that is there. */
export function focusMarks(desk: HTMLElement, options?: FocusOptions): void {
  const field = desk.querySelector<HTMLInputElement>("#marks");
  field?.focus(options);
  field?.select();
}
