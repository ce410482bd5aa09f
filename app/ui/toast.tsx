import * as Radix from "@radix-ui/react-toast";
import { useEffect, useRef, useState } from "react";
import type { ToastText } from "./use-toast.tsx";

/** The specification's constants; F8 and swiping to the right are Radix's own. */
const shownMs = 5000;
const swipeThresholdPx = 50;
const removedAfterMs = 1_000_000;

/**
 * One notice that goes by itself. Loaded when first needed.
 * @param since when it was first shown: it may be drawn anew in another place meanwhile
 */
export default function Toast({
  title,
  description,
  destructive = false,
  since,
  onGone,
}: ToastText & { since: number; onGone: () => void }) {
  const [open, setOpen] = useState(true);
  // Read once: drawn again meanwhile, it must not begin to count anew.
  const [left] = useState(() => Math.max(1000, since + shownMs - Date.now()));
  const area = useRef<HTMLDivElement>(null);
  const before = useRef<HTMLElement>(null);
  useEffect(() => {
    if (open) return;
    const timer = setTimeout(onGone, removedAfterMs);
    return () => clearTimeout(timer);
  }, [open, onGone]);
  return (
    <Radix.Provider duration={left} swipeDirection="right" swipeThreshold={swipeThresholdPx}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it remembers where the focus came from, and gives it back */}
      <div
        ref={area}
        onFocus={({ relatedTarget }) => {
          if (!area.current!.contains(relatedTarget))
            before.current = relatedTarget as HTMLElement | null;
        }}
      >
        <Radix.Root
          className={destructive ? "toast destructive" : "toast"}
          open={open}
          onOpenChange={() => {
            setOpen(false);
            if (area.current!.contains(document.activeElement)) {
              before.current?.focus();
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
