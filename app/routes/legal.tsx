import { routeContext } from "../context.ts";
import type { LegalPageName } from "../domain/article.ts";
import { LegalText } from "../ui/legal-text.tsx";
import { OfficerBlock } from "../ui/officer-block.tsx";
import type { Route } from "./+types/legal";

/** The security policy has a route of its own: here the styles of its list would be loaded on every legal page. */
export function loader({ context, request }: Route.LoaderArgs) {
  // app/site.ts gives this module to paths of legal pages only.
  const path = new URL(request.url).pathname;
  return { path, page: context.get(routeContext).legalPages[path.slice(1) as LegalPageName] };
}

export default function Legal({ loaderData: { path, page }, matches }: Route.ComponentProps) {
  const { brand } = matches[0].loaderData;
  const after = path === "/privacy-policy" && <OfficerBlock brand={brand} />;
  return <LegalText path={path} page={page} brand={brand} after={after} />;
}
