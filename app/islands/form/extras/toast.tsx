import * as Radix from "@radix-ui/react-toast";
import { useEffect, useRef, useState } from "react";
import type { ShownToast } from "../form-state.ts";
import { Tick } from "../tick.tsx";

/** Fixed by the specification, as are F8 and swiping to the right, which Radix provides. */
const shownMs = 5000;
const swipeThresholdPx = 50;
const removedAfterMs = 1_000_000;

interface ToastProps {
  toast: ShownToast;
  /** Called once it may be forgotten. */
  onGone: () => void;
  onClosed: () => void;
}

/**
 * A notice that closes by itself, in a region that F8 leads to. Render it where it is not inert: inside the open
 * dialog, if there is one. Its message must also appear on the page.
 */
export function Toast({
  toast,
  onGone,
}: Omit<ToastProps, "toast" | "onClosed"> & { toast: ShownToast | undefined }) {
  const container = useRef<HTMLDivElement>(null);
  const previousFocus = useRef<HTMLElement>(null);
  const restoreFocus = () => {
    if (container.current!.contains(document.activeElement)) previousFocus.current?.focus();
  };
  return (
    <Radix.Provider swipeDirection="right" swipeThreshold={swipeThresholdPx}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: only records where the focus came from, to restore it */}
      <div
        ref={container}
        onFocus={({ relatedTarget }) => {
          if (!container.current!.contains(relatedTarget))
            previousFocus.current = relatedTarget as HTMLElement | null;
        }}
      >
        {toast && (
          <OpenToast key={toast.since} toast={toast} onGone={onGone} onClosed={restoreFocus} />
        )}
        <Radix.Viewport className="toasts" />
      </div>
    </Radix.Provider>
  );
}

function OpenToast({
  toast: { title, description, destructive, since },
  onGone,
  onClosed,
}: ToastProps) {
  const [open, setOpen] = useState(true);
  // Computed once: rendering again must not restart the countdown. The toast may have been shown elsewhere.
  const [remainingMs] = useState(() => Math.max(1000, since + shownMs - Date.now()));
  // It is at the bottom of the window. Scroll padding (toasts.css) moves what is being filled in above it;
  // browsers leave what is visible where it is when it takes the focus.
  useEffect(() => {
    if (!open) return;
    const reveal = () => {
      document.activeElement?.scrollIntoView({ block: "nearest" });
    };
    reveal();
    document.addEventListener("focusin", reveal);
    return () => document.removeEventListener("focusin", reveal);
  }, [open]);
  useEffect(() => {
    if (open) return;
    const timer = setTimeout(onGone, removedAfterMs);
    return () => clearTimeout(timer);
  }, [open, onGone]);
  return (
    <Radix.Root
      className={destructive ? "toast destructive" : "toast"}
      duration={remainingMs}
      open={open}
      onOpenChange={() => {
        setOpen(false);
        onClosed();
      }}
    >
      {destructive ? <Cross /> : <Tick />}
      <Radix.Title>
        <strong>{title}</strong>
      </Radix.Title>
      <Radix.Description>{description}</Radix.Description>
      <Radix.Close className="link">Close</Radix.Close>
    </Radix.Root>
  );
}

const Cross = () => (
  <svg className="cross" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
    <path
      d="M5 6c4 3 9 8 13 13M18 5C14 9 9 14 6 20"
      fill="none"
      stroke="currentColor"
      strokeWidth="3"
      strokeLinecap="round"
    />
  </svg>
);
