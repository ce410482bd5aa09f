import { useEffect } from "react";

/**
 * Closes the dialog that lies open in the page, once nothing scrolls any more: folded away under an
 * anchor's way it would make the visitor land elsewhere. It stays where it has been typed into, where the
 * form came back, and where it lies above what is being read.
 */
export function useFoldAway(
  dialog: React.RefObject<HTMLDialogElement | null>,
  cameBack: boolean,
): void {
  useEffect(() => {
    const element = dialog.current!;
    const fold = () => {
      window.removeEventListener("scroll", wait);
      const isAbove = element.getBoundingClientRect().bottom < 0;
      if (!cameBack && !isAbove && !element.matches(":modal") && !isTouched(element)) {
        element.close();
      }
    };
    let timer = setTimeout(fold, pauseMs);
    const wait = () => {
      clearTimeout(timer);
      timer = setTimeout(fold, pauseMs);
    };
    window.addEventListener("scroll", wait, { passive: true });
    return () => {
      clearTimeout(timer);
      window.removeEventListener("scroll", wait);
    };
  }, [dialog, cameBack]);
}

const pauseMs = 150;

function isTouched(dialog: HTMLDialogElement): boolean {
  const fields = dialog.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>("input, textarea");
  return (
    dialog.contains(document.activeElement) ||
    [...fields].some((field) => field.value !== field.defaultValue)
  );
}
