import { routeContext } from "../context.ts";
import type { LegalPageName } from "../domain/article.ts";
import { LegalText } from "../ui/legal-text.tsx";
import { OfficerBlock } from "../ui/officer-block.tsx";
import { TrustBlock } from "../ui/trust-block.tsx";
import type { Route } from "./+types/legal";

export function loader({ context, request }: Route.LoaderArgs) {
  const { legalPages, texts } = context.get(routeContext);
  // app/site.ts gives this module to paths of legal pages only.
  const path = new URL(request.url).pathname;
  return { path, page: legalPages[path.slice(1) as LegalPageName], approval: texts.approval };
}

export default function Legal({ loaderData, matches }: Route.ComponentProps) {
  const { path, page, approval } = loaderData;
  const { brand } = matches[0].loaderData;
  return (
    <LegalText
      path={path}
      page={page}
      brand={brand}
      before={path === "/security-policy" && <TrustBlock text={approval} />}
      after={path === "/privacy-policy" && <OfficerBlock brand={brand} />}
    />
  );
}
