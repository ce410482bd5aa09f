/** The addresses of all pages that search engines may list, but the articles. */
export const pagePaths = [
  "/",
  "/about",
  "/features",
  "/latest-feature",
  "/blog",
  "/contact",
  "/demo",
  "/security-policy",
  "/terms-conditions",
  "/privacy-policy",
];

/** What programs read, the same for all of them. */
export const filePaths = [
  "/sitemap.xml",
  "/robots.txt",
  "/feed.xml",
  "/.well-known/security.txt",
  "/manifest.webmanifest",
  "/api/results/sample",
];

/** Pages with a form that is posted to them. */
export const formPaths = ["/", "/contact", "/demo", "/blog", "/latest-feature", "/test-forms"];

/** What is drawn anew each time. */
export const uncachedPaths = ["/test-forms"];

/** Below it stands a token, which no cache and no log may hold. */
export const resultsCall = "/api/results/";
