/** React Router's routes, built from the table of URLs in site.ts. */
import { index, type RouteConfig, route } from "@react-router/dev/routes";
import {
  generatedFiles,
  markingApiPrefix,
  pages,
  resultsApiPrefix,
  teamApiPrefix,
} from "./site.ts";

export default [
  ...[...pages, ...generatedFiles].map(({ path, module }) =>
    // Legal pages share a module, for which React Router wants different ids.
    path === "/" ? index(module) : route(path.slice(1), module, { id: path }),
  ),
  route(`${resultsApiPrefix.slice(1)}:token`, "routes/results-api.ts"),
  route(`${resultsApiPrefix.slice(1)}:token/:file`, "routes/results-download.ts"),
  route(`${resultsApiPrefix.slice(1)}:token/pages/:file/:page`, "routes/results-page-image.ts"),
  route(`${markingApiPrefix.slice(1)}:token/pages/:file/:page`, "routes/marking-page.ts"),
  route(`${markingApiPrefix.slice(1)}:token/originals/:file`, "routes/marking-original.ts"),
  route(`${teamApiPrefix.slice(1)}:token/files/:file`, "routes/team-file.ts"),
  route(`${teamApiPrefix.slice(1)}:token/:archive`, "routes/team-archive.ts"),
  route(":slug", "routes/article.tsx"),
  route("*", "routes/not-found.tsx"),
] satisfies RouteConfig;
