import { useEffect, useRef, useState } from "react";

const openDelayMs = 700;

/** Within this time after a tooltip has closed, the next one opens at once. */
const skipDelayMs = 300;

let lastClosedAt = Number.NEGATIVE_INFINITY;

/**
 * A tooltip on a button. It opens when the pointer rests on the button or the keyboard focuses it, and closes when
 * pointer or focus leave, or on Escape. The hint must also be shown on the page.
 */
export function HintTooltip({
  hint,
  children,
}: {
  hint: string | undefined;
  children: React.ReactElement;
}) {
  const [isOpen, setIsOpen] = useState(false);
  const timer = useRef(0);
  const close = () => {
    window.clearTimeout(timer.current);
    if (isOpen) lastClosedAt = performance.now();
    setIsOpen(false);
  };
  const open = () => {
    const wait = performance.now() - lastClosedAt < skipDelayMs ? 0 : openDelayMs;
    timer.current = window.setTimeout(() => setIsOpen(true), wait);
  };
  useEffect(() => {
    if (!isOpen) return;
    const closeOnEscape = ({ key }: KeyboardEvent) => key === "Escape" && setIsOpen(false);
    document.addEventListener("keydown", closeOnEscape);
    return () => document.removeEventListener("keydown", closeOnEscape);
  }, [isOpen]);
  useEffect(() => () => window.clearTimeout(timer.current), []);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button inside is what has the focus
    <span
      className="tooltip-anchor"
      onPointerEnter={open}
      onPointerLeave={close}
      onFocus={({ target }) => target.matches(":focus-visible") && setIsOpen(true)}
      onBlur={close}
    >
      {children}
      {hint && isOpen && (
        <span className="tooltip" role="tooltip">
          {hint}
        </span>
      )}
    </span>
  );
}
