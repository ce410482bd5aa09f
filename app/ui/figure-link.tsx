import type { ClaimName } from "../brand.ts";

/** Follows a figure of our own and leads to its basis. */
export function FigureLink({ claim }: { claim: ClaimName }) {
  return <a href={`/figures#${claim}`}>our own figure</a>;
}
