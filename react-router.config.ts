import type { Config } from "@react-router/dev/config";

export default {
  ssr: true,
  // A pattern, because there are several entries; see vite.config.ts.
  serverBuildFile: "[name].js",
  // Send the whole route table with the page: it is small, and saves requests to /__manifest.
  routeDiscovery: { mode: "initial" },
  // The guard checks the origin of every post. React Router would compare it with the request's URL
  // and, behind a proxy that terminates TLS, reject every form sent without JavaScript.
  allowedActionOrigins: ["**"],
} satisfies Config;
