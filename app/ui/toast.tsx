import * as Radix from "@radix-ui/react-toast";
import { useEffect, useRef, useState } from "react";
import type { ToastText } from "./use-toast.tsx";

/** Fixed by the specification, as are F8 and swiping to the right, which Radix provides. */
const shownMs = 5000;
const swipeThresholdPx = 50;
const removedAfterMs = 1_000_000;

/**
 * A notice that closes by itself.
 * @param since when it was first shown (Unix time in milliseconds); it may be mounted again elsewhere
 */
export default function Toast({
  title,
  description,
  destructive = false,
  since,
  onGone,
}: ToastText & { since: number; onGone: () => void }) {
  const [open, setOpen] = useState(true);
  // Computed once: rendering again must not restart the countdown.
  const [remainingMs] = useState(() => Math.max(1000, since + shownMs - Date.now()));
  const container = useRef<HTMLDivElement>(null);
  const previousFocus = useRef<HTMLElement>(null);
  useEffect(() => {
    if (open) return;
    const timer = setTimeout(onGone, removedAfterMs);
    return () => clearTimeout(timer);
  }, [open, onGone]);
  return (
    <Radix.Provider duration={remainingMs} swipeDirection="right" swipeThreshold={swipeThresholdPx}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: only records where the focus came from, to restore it */}
      <div
        ref={container}
        onFocus={({ relatedTarget }) => {
          if (!container.current!.contains(relatedTarget))
            previousFocus.current = relatedTarget as HTMLElement | null;
        }}
      >
        <Radix.Root
          className={destructive ? "toast destructive" : "toast"}
          open={open}
          onOpenChange={() => {
            setOpen(false);
            if (container.current!.contains(document.activeElement)) {
              previousFocus.current?.focus();
            }
          }}
        >
          <Radix.Title className="toast-title">{title}</Radix.Title>
          <Radix.Description>{description}</Radix.Description>
          <Radix.Close className="link">Close</Radix.Close>
        </Radix.Root>
        <Radix.Viewport className="toasts" />
      </div>
    </Radix.Provider>
  );
}
