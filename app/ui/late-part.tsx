import { type ReactNode, Suspense } from "react";
import { Await } from "react-router";
import type { Late } from "../domain/late.ts";

/** Shows the part of a page below its heading, at once or when its data arrives. */
export function LatePart<T>({
  found,
  awaited,
  children,
}: {
  found: Late<T>;
  /** What is late, such as "What you sent". */
  awaited: string;
  children: (value: T) => ReactNode;
}) {
  if ("ready" in found) return children(found.ready);
  return (
    <Suspense
      fallback={
        <p className="notice" role="status">
          {awaited} will be here in a moment. <a href={found.wholeUrl}>Load the whole page</a> if
          nothing comes.
        </p>
      }
    >
      <Await resolve={found.late}>{children}</Await>
    </Suspense>
  );
}
