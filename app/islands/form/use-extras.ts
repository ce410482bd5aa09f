import { useCallback, useEffect, useState } from "react";
import { flushSync } from "react-dom";

type Extras = typeof import("./extras/extras.ts");

/** How long validation waits for its rules before it is left to the server, in milliseconds. */
const timeoutMs = 5000;

let loading: Promise<Extras | undefined> | undefined;

/**
 * Loads the extras, or tries again if that has failed. Resolves to undefined if loading fails, or takes longer than
 * `timeoutMs`: a form works without them.
 */
export function loadExtras(): Promise<Extras | undefined> {
  loading ??= import("./extras/extras.ts").catch(() => {
    loading = undefined;
    return undefined;
  });
  const timeout = new Promise<undefined>((resolve) => setTimeout(resolve, timeoutMs));
  return Promise.race([loading, timeout]);
}

/** Loads the extras when the form is first used, long before they are needed. */
export function useExtras() {
  const [extras, setExtras] = useState<Extras>();
  const load = useCallback(() => void loadExtras().then(setExtras), []);
  useEffect(() => {
    if (extras) return;
    // Once the extras are loaded, the region of the toasts listens for the key itself.
    const openRegion = async ({ key }: KeyboardEvent) => {
      if (key !== "F8") return;
      const loaded = await loadExtras();
      flushSync(() => setExtras(loaded));
      document.querySelector<HTMLElement>(".toasts")?.focus();
    };
    document.addEventListener("keydown", openRegion);
    return () => document.removeEventListener("keydown", openRegion);
  }, [extras]);
  return { extras, load, onUse: { onFocus: load, onPointerDown: load, onDragEnter: load } };
}
