import type { Config } from "@react-router/dev/config";

export default {
  ssr: true,
  // A pattern, because there are two entries; see vite.config.ts.
  serverBuildFile: "[name].js",
  // The whole route table goes out with the page: it is small, and no /__manifest call is needed.
  routeDiscovery: { mode: "initial" },
} satisfies Config;
