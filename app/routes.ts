/** Every URL of the site, in one table. */
import { index, type RouteConfig, route } from "@react-router/dev/routes";

export default [
  index("routes/home.tsx"),
  route("api/demo-request-with-files", "routes/api/demo-upload.ts"),
  route("*", "routes/not-found.tsx"),
] satisfies RouteConfig;
