/** Says a sentence to screen readers, and shows it. In a modal dialog nothing outside of it is read. */
export function say({ results }: { results: HTMLElement }, text: string): void {
  const parent = results.closest("dialog") ?? document.body;
  let status = parent.querySelector<HTMLElement>(":scope > .said");
  if (!status) {
    status = document.createElement("p");
    status.className = "said no-print";
    status.role = "status";
    parent.append(status);
  }
  status.textContent = text;
}
