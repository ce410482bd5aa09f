/** Whether the page is hydrated. What the server rendered must not take the focus. */
let hydrated = false;

export const isPageHydrated = () => hydrated;

export function announceHydration(): void {
  hydrated = true;
  document.dispatchEvent(new Event("hydrated"));
}
