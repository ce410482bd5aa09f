import { useLayoutEffect, useState } from "react";
import { createPortal } from "react-dom";
import type { Problem } from "../../domain/problem.ts";
import { ProblemSummary } from "./problem-summary.tsx";

/** An error summary at the top of the page, where the server would render it. */
export function PageProblem({
  problem,
  ...rest
}: {
  problem: Problem;
  idPrefix?: string | undefined;
  advice?: string | undefined;
}) {
  const [container] = useState(() => {
    const element = document.createElement("div");
    element.className = "page";
    return element;
  });
  useLayoutEffect(() => {
    document.getElementById("main")!.prepend(container);
    return () => container.remove();
  }, [container]);
  return createPortal(<ProblemSummary problem={problem} {...rest} />, container);
}
