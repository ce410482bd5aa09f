/**
 * Says a sentence to screen readers, and shows it. In a modal dialog nothing outside of it is read.
 * @param isShown false if the page shows the same
 */
export function say({ results }: { results: HTMLElement }, text: string, isShown = true): void {
  const parent = results.closest("dialog") ?? document.body;
  let status = parent.querySelector<HTMLElement>(":scope > .said");
  if (!status) {
    status = document.createElement("p");
    status.role = "status";
    parent.append(status);
  }
  status.className = `said no-print${isShown ? "" : " visually-hidden"}`;
  status.textContent = text;
}
