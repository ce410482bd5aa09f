import { lazy, Suspense, useState } from "react";

const Toast = lazy(() => import("./toast.tsx"));

export interface ToastText {
  title: string;
  description: string;
  /** Something went wrong. */
  destructive?: boolean;
}

/** Shows one toast at a time, the latest. Its message must also appear on the page. */
export function useToast() {
  const [shown, setShown] = useState<{ text: ToastText; since: number }>();
  const toast = shown && (
    <Suspense>
      <Toast
        key={shown.since}
        {...shown.text}
        since={shown.since}
        onGone={() => setShown(undefined)}
      />
    </Suspense>
  );
  return {
    /** Render it where it is not inert: inside the open dialog, if there is one. */
    toast,
    show: (text: ToastText) => setShown({ text, since: Date.now() }),
    hide: () => setShown(undefined),
  };
}
