import { routeContext } from "../context.ts";
import icon192 from "../ui/icons/icon-192.png?url";
import icon512 from "../ui/icons/icon-512.png?url";
import type { Route } from "./+types/manifest";

/** GET /manifest.webmanifest: name and icons for a phone's home screen. */
export function loader({ context }: Route.LoaderArgs) {
  const { brand } = context.get(routeContext);
  return Response.json(
    {
      id: "/",
      start_url: "/",
      name: brand.name,
      short_name: brand.name,
      lang: "en-ZA",
      display: "browser",
      // --paper of app/styles/tokens.css in light mode.
      background_color: "#fbf8f2",
      theme_color: "#fbf8f2",
      icons: [
        { src: icon192, sizes: "192x192", type: "image/png", purpose: "any maskable" },
        { src: icon512, sizes: "512x512", type: "image/png", purpose: "any maskable" },
      ],
    },
    {
      headers: {
        "Content-Type": "application/manifest+json",
        "Cache-Control": "public, max-age=3600",
      },
    },
  );
}
