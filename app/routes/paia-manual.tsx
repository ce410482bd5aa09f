import { routeContext } from "../context.ts";
import { LegalText } from "../ui/legal-text.tsx";
import type { Route } from "./+types/paia-manual";

export const loader = ({ context }: Route.LoaderArgs) =>
  context.get(routeContext).legalPages["paia-manual"];

export default function PaiaManual({ loaderData, matches }: Route.ComponentProps) {
  return <LegalText path="/paia-manual" page={loaderData} brand={matches[0].loaderData.brand} />;
}
