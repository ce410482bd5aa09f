import { useState } from "react";

/**
 * A tooltip on a button; CSS shows it while the pointer rests on the button or the button has the focus. The
 * hint must also be shown on the page.
 */
export function HintTooltip({
  hint,
  children,
}: {
  hint: string | undefined;
  children: React.ReactElement;
}) {
  // Escape closes it until the pointer comes again.
  const [isDismissed, setIsDismissed] = useState(false);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button inside is what has the focus
    <span
      className="tooltip-anchor"
      onKeyDown={({ key }) => setIsDismissed(key === "Escape")}
      onPointerEnter={() => setIsDismissed(false)}
    >
      {children}
      {hint && !isDismissed && (
        <span className="tooltip" role="tooltip">
          {hint}
        </span>
      )}
    </span>
  );
}
