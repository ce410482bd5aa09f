import { routeContext } from "../context.ts";
import type { LegalPageName } from "../domain/article.ts";
import { LegalText } from "../ui/legal-text.tsx";
import { OfficerBlock } from "../ui/officer-block.tsx";
import type { Route } from "./+types/legal";

/** The security policy has a route of its own, because this one would load its styles on every legal page. */
export function loader({ context, request }: Route.LoaderArgs) {
  const path = new URL(request.url).pathname;
  return { path, page: context.get(routeContext).legalPages[path.slice(1) as LegalPageName] };
}

export default function Legal({ loaderData: { path, page }, matches }: Route.ComponentProps) {
  const { brand } = matches[0].loaderData;
  const after = path === "/privacy-policy" && <OfficerBlock brand={brand} />;
  return <LegalText {...{ path, page, brand, after }} />;
}
