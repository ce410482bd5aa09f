import { routeContext } from "../context.ts";
import { apiPrefix, pages } from "../site.ts";
import type { Route } from "./+types/robots";

export function loader({ context }: Route.LoaderArgs) {
  const { origin } = context.get(routeContext);
  const unlisted = pages.filter((page) => page.isUnlisted).map(({ path }) => path);
  const lines = [
    "User-agent: *",
    ...[apiPrefix, ...unlisted].map((path) => `Disallow: ${path}`),
    "",
    `Sitemap: ${origin}/sitemap.xml`,
  ];
  return new Response(`${lines.join("\n")}\n`, {
    headers: { "Content-Type": "text/plain; charset=utf-8" },
  });
}
