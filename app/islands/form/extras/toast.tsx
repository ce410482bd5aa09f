import { type PointerEvent, useEffect, useRef, useState } from "react";
import type { ShownToast } from "../form-state.ts";
import { Tick } from "../tick.tsx";

/** The times and the swipe of a toast, as well as F8, are fixed by the specification. */
const shownMs = 5000;
const swipeThresholdPx = 50;
const removedAfterMs = 1_000_000;

/**
 * A notice that closes by itself, in a region that F8 leads to. Render it where it is not inert: inside the open
 * dialog, if there is one. Its message must also appear on the page.
 * @param onGone called once the toast may be forgotten
 */
export function Toast({ toast, onGone }: { toast: ShownToast | undefined; onGone: () => void }) {
  const region = useRef<HTMLElement>(null);
  const previousFocus = useRef<HTMLElement>(null);
  const [isFocused, setFocused] = useState(false);
  const [isHovered, setHovered] = useState(false);
  useEffect(() => {
    const focusRegion = ({ key }: KeyboardEvent) => {
      if (key === "F8") region.current!.focus();
    };
    document.addEventListener("keydown", focusRegion);
    return () => document.removeEventListener("keydown", focusRegion);
  }, []);
  const restoreFocus = () => {
    if (region.current!.contains(document.activeElement)) previousFocus.current?.focus();
  };
  return (
    <section
      ref={region}
      className="toasts"
      aria-label="Notifications (F8)"
      aria-live="assertive"
      tabIndex={-1}
      onFocus={({ relatedTarget }) => {
        setFocused(true);
        if (!region.current!.contains(relatedTarget))
          previousFocus.current = relatedTarget as HTMLElement | null;
      }}
      onBlur={({ relatedTarget }) => setFocused(region.current!.contains(relatedTarget))}
      onPointerEnter={() => setHovered(true)}
      onPointerLeave={() => setHovered(false)}
    >
      {toast && (
        <OpenToast
          key={toast.since}
          toast={toast}
          isHeld={isFocused || isHovered}
          onGone={onGone}
          onClosed={restoreFocus}
        />
      )}
    </section>
  );
}

interface OpenToastProps {
  toast: ShownToast;
  /** Whether the toast is kept open, because it has the focus or the pointer. */
  isHeld: boolean;
  onGone: () => void;
  onClosed: () => void;
}

function OpenToast({ toast, isHeld, onGone, onClosed }: OpenToastProps) {
  const { title, description, destructive, since } = toast;
  const [isOpen, setOpen] = useState(true);
  const close = () => {
    onClosed();
    setOpen(false);
  };
  useCountdown(since, isOpen && !isHeld, close);
  useFocusInSight(isOpen);
  useEffect(() => {
    if (isOpen) return;
    const timer = setTimeout(onGone, removedAfterMs);
    return () => clearTimeout(timer);
  }, [isOpen, onGone]);
  const { x, ...swipe } = useSwipe(close);
  if (!isOpen) return null;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: its button closes it too
    <div
      className={destructive ? "toast destructive" : "toast"}
      style={{ translate: `${x}px` }}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        // Escape closes the toast alone, and not the dialog around it.
        event.preventDefault();
        close();
      }}
      {...swipe}
    >
      {destructive ? <Cross /> : <Tick />}
      <strong>{title}</strong>
      <div>{description}</div>
      <button type="button" className="link" onClick={close}>
        Close
      </button>
    </div>
  );
}

/** Calls `close` once the toast has been shown for its time, not counting while it is held or the window is left. */
function useCountdown(since: number, isRunning: boolean, close: () => void) {
  // The same toast may be mounted again, inside the dialog or outside, so count from when it was first shown.
  const remainingMs = useRef(Math.max(1000, since + shownMs - Date.now()));
  const latestClose = useRef(close);
  useEffect(() => {
    latestClose.current = close;
  });
  const [isInFront, setInFront] = useState(true);
  useEffect(() => {
    const changed = () => setInFront(document.hasFocus());
    for (const name of ["focus", "blur"]) window.addEventListener(name, changed);
    return () => {
      for (const name of ["focus", "blur"]) window.removeEventListener(name, changed);
    };
  }, []);
  useEffect(() => {
    if (!isRunning || !isInFront) return;
    const start = Date.now();
    const timer = setTimeout(() => latestClose.current(), remainingMs.current);
    return () => {
      clearTimeout(timer);
      remainingMs.current -= Date.now() - start;
    };
  }, [isRunning, isInFront]);
}

/**
 * Keeps the focused field out from under the toast, which covers the bottom of the window, or the top of a dialog.
 * Browsers do not scroll to a field that is in the window, even if the toast covers it; scrollIntoView obeys the scroll
 * padding of toasts.css.
 */
function useFocusInSight(isOpen: boolean) {
  useEffect(() => {
    if (!isOpen) return;
    const reveal = () => document.activeElement?.scrollIntoView({ block: "nearest" });
    reveal();
    document.addEventListener("focusin", reveal);
    return () => document.removeEventListener("focusin", reveal);
  }, [isOpen]);
}

/** Returns how far the toast was swiped right, in CSS pixels, and handlers that call `close` after a long swipe. */
function useSwipe(close: () => void) {
  const start = useRef<number>(undefined);
  const [x, setX] = useState(0);
  const distance = ({ clientX }: PointerEvent) => Math.max(0, clientX - (start.current ?? clientX));
  const end = () => {
    start.current = undefined;
    setX(0);
  };
  return {
    x,
    onPointerDown: ({ button, clientX }: PointerEvent) => {
      if (button === 0) start.current = clientX;
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      const moved = distance(event);
      setX(moved);
      // Capture lets the finger leave the toast. A press of its button moves less, and must reach the button.
      if (moved > 5) event.currentTarget.setPointerCapture(event.pointerId);
    },
    onPointerUp: (event: PointerEvent) => {
      if (distance(event) >= swipeThresholdPx) close();
      end();
    },
    onPointerCancel: end,
  };
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
