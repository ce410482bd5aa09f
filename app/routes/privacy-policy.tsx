import { routeContext } from "../context.ts";
import { LegalText } from "../ui/legal-text.tsx";
import { OfficerBlock } from "../ui/officer-block.tsx";
import type { Route } from "./+types/privacy-policy";

export const loader = ({ context }: Route.LoaderArgs) =>
  context.get(routeContext).legalPages["privacy-policy"];

export default function PrivacyPolicy({ loaderData, matches }: Route.ComponentProps) {
  const { brand } = matches[0].loaderData;
  return (
    <LegalText
      path="/privacy-policy"
      page={loaderData}
      brand={brand}
      after={<OfficerBlock brand={brand} />}
    />
  );
}
