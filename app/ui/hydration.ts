/** Whether the page has been taken over by script. What stood on it before must not move or grab the focus. */
let hydrated = false;

export const pageIsHydrated = () => hydrated;

export function announceHydration(): void {
  hydrated = true;
  document.dispatchEvent(new Event("hydrated"));
}
