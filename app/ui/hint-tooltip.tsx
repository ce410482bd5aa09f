import { type ComponentType, type ReactElement, useEffect, useRef, useState } from "react";
import type { TooltipProps } from "./tooltip.tsx";

/** Says a hint over a button. The hint must also stand on the page; loaded once the page is taken over by script. */
export function HintTooltip({
  hint,
  children,
}: {
  hint: string | undefined;
  children: ReactElement;
}) {
  const place = useRef<HTMLSpanElement>(null);
  const [Tooltip, setTooltip] = useState<ComponentType<TooltipProps>>();
  useEffect(() => {
    let gone = false;
    import("./tooltip.tsx").then(
      (module) => {
        // Drawn anew around a focused button, it would take the focus away.
        if (!gone && !place.current?.contains(document.activeElement)) {
          setTooltip(() => module.default);
        }
      },
      () => {},
    );
    return () => {
      gone = true;
    };
  }, []);
  return (
    <span ref={place}>
      {Tooltip && hint ? <Tooltip hint={hint}>{children}</Tooltip> : children}
    </span>
  );
}
