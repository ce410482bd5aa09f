/**
 * Says a sentence to screen readers, and shows it, in the dialog of the element or on the page: screen readers read
 * nothing outside of a modal dialog.
 * @param options.isShown false if the page shows the sentence itself
 */
export function say(element: HTMLElement, text: string, { isShown = true } = {}): void {
  const parent = element.closest("dialog") ?? document.body;
  let status = parent.querySelector<HTMLElement>(":scope > .said");
  if (!status) {
    status = document.createElement("p");
    status.role = "status";
    parent.append(status);
  }
  status.className = `said no-print${isShown ? "" : " visually-hidden"}`;
  status.textContent = text;
}
