/** Every URL that the router answers, in one table; the calls that forms are posted to are in server/calls.ts. */
import { index, type RouteConfig, route } from "@react-router/dev/routes";

export default [
  index("routes/home.tsx"),
  route("about", "routes/about.tsx"),
  route("features", "routes/features.tsx"),
  route("latest-feature", "routes/latest-feature.tsx"),
  route("blog", "routes/blog.tsx"),
  route("contact", "routes/contact.tsx"),
  route("demo", "routes/demo.tsx"),
  route("security-policy", "routes/security-policy.tsx"),
  route("terms-conditions", "routes/terms-conditions.tsx"),
  route("privacy-policy", "routes/privacy-policy.tsx"),
  route("test-forms", "routes/test-forms.tsx"),

  route("api/results/:token", "routes/results-api.ts"),
  route("manifest.webmanifest", "routes/manifest.ts"),

  route("sitemap.xml", "routes/sitemap.ts"),
  route("robots.txt", "routes/robots.ts"),
  route("feed.xml", "routes/feed.ts"),
  route(".well-known/security.txt", "routes/security-txt.ts"),

  route(":slug", "routes/article.tsx"),
  route("*", "routes/not-found.tsx"),
] satisfies RouteConfig;
