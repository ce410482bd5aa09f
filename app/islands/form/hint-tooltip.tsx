import { type ComponentType, type ReactElement, useEffect, useRef, useState } from "react";
import type { TooltipProps } from "./tooltip.tsx";

/** A tooltip on a button, loaded after hydration. The hint must also be shown on the page. */
export function HintTooltip({
  hint,
  children,
}: {
  hint: string | undefined;
  children: ReactElement;
}) {
  const wrapper = useRef<HTMLSpanElement>(null);
  const [Tooltip, setTooltip] = useState<ComponentType<TooltipProps>>();
  useEffect(() => {
    let isUnmounted = false;
    import("./tooltip.tsx").then(
      (module) => {
        // Wrapping a focused button would remount it and lose the focus.
        if (!isUnmounted && !wrapper.current?.contains(document.activeElement)) {
          setTooltip(() => module.default);
        }
      },
      () => {},
    );
    return () => {
      isUnmounted = true;
    };
  }, []);
  return (
    <span ref={wrapper}>
      {Tooltip && hint ? <Tooltip hint={hint}>{children}</Tooltip> : children}
    </span>
  );
}
