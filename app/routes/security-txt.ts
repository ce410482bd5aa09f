import { routeContext } from "../context.ts";
import type { Route } from "./+types/security-txt";

/** RFC 9116 asks for less than a year. */
const goodForDays = 180;

/** Where to report a weakness. */
export function loader({ context }: Route.LoaderArgs) {
  const { origin, brand } = context.get(routeContext);
  const expires = new Date(Date.now() + goodForDays * 24 * 60 * 60 * 1000);
  expires.setUTCHours(0, 0, 0, 0);
  const lines = [
    `Contact: mailto:${brand.email}`,
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
