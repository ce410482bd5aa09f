import type { Config } from "@react-router/dev/config";

export default {
  ssr: true,
  serverBuildFile: "server.js",
  // The whole route table goes out with the page: it is small, and no /__manifest call is needed.
  routeDiscovery: { mode: "initial" },
} satisfies Config;
