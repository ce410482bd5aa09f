import { useEffect } from "react";

/**
 * Closes the dialog that the server rendered open: with script it opens as a modal. Waits until scrolling has
 * stopped, so that the visitor's position does not move. A dialog that is above the viewport, was typed into
 * or has the focus stays open.
 */
export function useCollapse(
  dialog: React.RefObject<HTMLDialogElement | null>,
  keepOpen: boolean,
): void {
  useEffect(() => {
    const element = dialog.current!;
    const collapse = () => {
      window.removeEventListener("scroll", restartTimer);
      const isAbove = element.getBoundingClientRect().bottom < 0;
      if (!keepOpen && !isAbove && !element.matches(":modal") && !isTouched(element)) {
        element.close();
      }
    };
    let timer = setTimeout(collapse, idleMs);
    const restartTimer = () => {
      clearTimeout(timer);
      timer = setTimeout(collapse, idleMs);
    };
    window.addEventListener("scroll", restartTimer, { passive: true });
    return () => {
      clearTimeout(timer);
      window.removeEventListener("scroll", restartTimer);
    };
  }, [dialog, keepOpen]);
}

const idleMs = 150;

/** Whether a field in the element has the focus, or another value than it was rendered with. */
export function isTouched(element: HTMLElement): boolean {
  const fields = element.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(
    "input, textarea",
  );
  return (
    element.contains(document.activeElement) ||
    [...fields].some((field) => field.value !== field.defaultValue)
  );
}
