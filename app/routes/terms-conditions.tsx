import { routeContext } from "../context.ts";
import { LegalText } from "../ui/legal-text.tsx";
import type { Route } from "./+types/terms-conditions";

export const loader = ({ context }: Route.LoaderArgs) =>
  context.get(routeContext).legalPages["terms-conditions"];

export default function TermsConditions({ loaderData, matches }: Route.ComponentProps) {
  return (
    <LegalText path="/terms-conditions" page={loaderData} brand={matches[0].loaderData.brand} />
  );
}
