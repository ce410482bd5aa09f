import type { Config } from "@react-router/dev/config";

export default {
  ssr: true,
  // A pattern, because there are two entries; see vite.config.ts.
  serverBuildFile: "[name].js",
  // The whole route table goes out with the page: it is small, and no /__manifest call is needed.
  routeDiscovery: { mode: "initial" },
  // The guard judges origins, for every post. The router would compare with the address that it was asked
  // under, and behind a proxy that speaks https for us refuse every form that is sent without JavaScript.
  allowedActionOrigins: ["**"],
} satisfies Config;
