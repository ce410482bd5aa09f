import { routeContext } from "../context.ts";
import { LegalText } from "../ui/legal-text.tsx";
import { TrustBlock } from "../ui/trust-block.tsx";
import type { Route } from "./+types/security-policy";

export function loader({ context }: Route.LoaderArgs) {
  const { legalPages, texts } = context.get(routeContext);
  return { page: legalPages["security-policy"], approval: texts.approval };
}

export default function SecurityPolicy({ loaderData, matches }: Route.ComponentProps) {
  const { page, approval } = loaderData;
  const { brand } = matches[0].loaderData;
  return (
    <LegalText
      path="/security-policy"
      page={page}
      brand={brand}
      before={<TrustBlock text={approval} />}
    />
  );
}
