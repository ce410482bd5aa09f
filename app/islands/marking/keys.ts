/** The keys of the marking desk. Outside fields: digits go to the mark, A agrees, N goes on. */
export function addKeys(desk: HTMLElement): () => void {
  let isOn = true;
  const label = document.createElement("label");
  label.className = "choice no-print";
  const box = document.createElement("input");
  box.type = "checkbox";
  box.checked = true;
  box.addEventListener("change", () => {
    isOn = box.checked;
  });
  label.append(box, "Keys: digits type the mark, A agrees, N goes on without deciding");
  document.addEventListener("keydown", (event) => {
    const target = event.target as HTMLElement;
    const isPlain = !event.ctrlKey && !event.altKey && !event.metaKey && !event.isComposing;
    if (!isOn || !isPlain || target.closest("input, textarea, select")) return;
    const key = event.key.toLowerCase();
    // The browser types the digit into the field that has the focus then.
    if (/^\d$/.test(key)) desk.querySelector<HTMLElement>("#marks")?.focus();
    const control = { a: '[value="agree"]', n: "a.next" }[key];
    const pressed = control && desk.querySelector<HTMLElement>(control);
    if (pressed) {
      event.preventDefault();
      pressed.click();
    }
  });
  return () => desk.querySelector(".answer")?.append(label);
}
