import { routeContext } from "../context.ts";
import { dayMs } from "../domain/duration.ts";
import type { Route } from "./+types/security-txt";

/** Days until the file expires; RFC 9116 recommends less than a year. */
const validForDays = 180;

/** GET /.well-known/security.txt: where to report a vulnerability. */
export function loader({ context }: Route.LoaderArgs) {
  const { origin, brand } = context.get(routeContext);
  const expires = new Date(Date.now() + validForDays * dayMs);
  expires.setUTCHours(0, 0, 0, 0);
  const lines = [
    ...(brand.email ? [`Contact: mailto:${brand.email}`] : []),
    `Contact: ${origin}/contact`,
    `Expires: ${expires.toISOString()}`,
    "Preferred-Languages: en",
    `Canonical: ${origin}/.well-known/security.txt`,
    `Policy: ${origin}/security-policy`,
  ];
  return new Response(`${lines.join("\n")}\n`, {
    headers: { "Content-Type": "text/plain; charset=utf-8" },
  });
}
