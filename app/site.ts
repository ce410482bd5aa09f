/**
 * The URLs of the site, in one table. The router, header, footer, sitemap, robots.txt, guard, page cache and reserved
 * slugs read it. The endpoints of forms are in app/forms/.
 */
import type { FormName } from "./domain/request.ts";
import { sampleToken } from "./domain/result.ts";

export interface Page {
  path: string;
  /** The route module, relative to app/. */
  module: string;
  /** Forms of app/forms that may be posted to this path. Empty for a page that takes other posts, such as decisions. */
  forms?: readonly FormName[];
  /** Link text in the header. */
  header?: string;
  /** Shows the NEW badge in the header. */
  isNew?: true;
  /** Hidden from search engines, and rendered for every request. */
  isUnlisted?: true;
  /**
   * Query parameters that a listed page reads, each with the values under which the page is cached. With another value
   * the page is rendered for the request. Parameters that are not listed here are ignored.
   */
  parameters?: Record<string, readonly string[] | "article categories">;
}

export const blogPath = "/blog";

/** The page that the links in emails to subscribers open. */
export const subscriptionPath = "/subscription";

/** The page of the marking desk, whose parameter `link` is the token of a marking link or of the educator's. */
export const markingPath = "/marking";

/** The page of a request for the team, whose parameter `link` is the token of its link. */
export const teamPath = "/team";

export const pages: readonly Page[] = [
  {
    path: "/",
    module: "routes/home.tsx",
    forms: ["demo-upload", "contact"],
    header: "Home",
    parameters: {
      results: [sampleToken],
      sort: [],
      learner: [],
      slips: [],
      scripts: [],
      received: [],
      form: [],
    },
  },
  { path: "/about", module: "routes/about.tsx", header: "About" },
  { path: "/features", module: "routes/features.tsx", header: "Features" },
  {
    path: "/latest-feature",
    module: "routes/latest-feature.tsx",
    forms: ["rubric-request"],
    header: "Latest feature",
    isNew: true,
    parameters: { received: [] },
  },
  {
    path: "/demo",
    module: "routes/demo.tsx",
    forms: ["demo-request"],
    parameters: { received: [] },
  },
  {
    path: blogPath,
    module: "routes/blog.tsx",
    forms: ["subscription"],
    header: "Blog",
    parameters: { category: "article categories", shelf: [], reader: [], q: [], received: [] },
  },
  {
    path: "/contact",
    module: "routes/contact.tsx",
    forms: ["contact"],
    header: "Contact",
    parameters: { received: [] },
  },
  { path: "/security-policy", module: "routes/legal.tsx" },
  { path: "/terms-conditions", module: "routes/legal.tsx" },
  { path: "/privacy-policy", module: "routes/legal.tsx" },
  { path: "/paia-manual", module: "routes/legal.tsx" },
  { path: "/figures", module: "routes/figures.tsx" },
  { path: "/accessibility", module: "routes/accessibility.tsx" },
  { path: subscriptionPath, module: "routes/manage-subscription.tsx", forms: [], isUnlisted: true },
  { path: markingPath, module: "routes/marking.tsx", forms: [], isUnlisted: true },
  { path: teamPath, module: "routes/team.tsx", forms: [], isUnlisted: true },
  { path: "/test-forms", module: "routes/test-forms.tsx", forms: [], isUnlisted: true },
];

export const apiDescriptionPath = "/api/openapi.json";

interface FooterGroup {
  title: string;
  links: [path: string, text: string][];
}

export const legalLinks: FooterGroup = {
  title: "Legal",
  links: [
    ["/security-policy", "Security policy"],
    ["/terms-conditions", "Terms and conditions"],
    ["/privacy-policy", "Privacy policy"],
    ["/paia-manual", "PAIA manual"],
  ],
};

export const footerGroups: readonly FooterGroup[] = [
  {
    title: "Product",
    links: [
      ["/", "Home"],
      ["/features", "Features"],
      ["/demo", "Request a demo"],
      ["/contact", "Contact"],
    ],
  },
  {
    title: "Read",
    links: [
      ["/about", "About"],
      ["/blog", "Blog"],
      ["/figures", "Where our figures come from"],
      ["/accessibility", "Accessibility"],
    ],
  },
  legalLinks,
];

/** Generated files for programs: the same for every client, and cached like pages. */
export const generatedFiles = [
  { path: "/sitemap.xml", module: "routes/sitemap.ts" },
  { path: "/robots.txt", module: "routes/robots.ts" },
  { path: "/feed.xml", module: "routes/feed.ts" },
  { path: "/feed.json", module: "routes/json-feed.ts" },
  { path: "/rss.xml", module: "routes/rss.ts" },
  { path: "/.well-known/security.txt", module: "routes/security-txt.ts" },
  { path: apiDescriptionPath, module: "routes/openapi.ts" },
] as const;

/** The path under which the page for all unknown paths is rendered and cached. */
export const notFoundPath = "/404";

export const apiPrefix = "/api/";

/** Whether a path is under /api, even if no endpoint has it. */
export const isApiPath = (path: string) => `${path}/`.startsWith(apiPrefix);

export const resultsApiPrefix = "/api/results/";
export const markingApiPrefix = "/api/marking/";
export const teamApiPrefix = "/api/team/";

/** Prefixes of the files of private links. Each is followed by a token, which no cache and no log may contain. */
export const linkApiPrefixes = [resultsApiPrefix, markingApiPrefix, teamApiPrefix];

/** The desk that everybody may try. */
export const sampleDeskUrl = `${markingPath}?link=${sampleToken}`;

/** The guide to the desk for markers, leads and educators. */
export const markingHelp = `${markingPath}?help`;

/** Whether a path takes a scan of a class in parts. */
export const isScanPath = (path: string) =>
  path.startsWith(teamApiPrefix) && /^[^/]+\/scan$/.test(path.slice(teamApiPrefix.length));

/** Prefix of the files that articles offer. */
export const downloadsPrefix = "/downloads/";

/** Paths for the operator, handled before the router. */
export const operatorPaths = ["/healthz", "/readyz", "/metrics"];

/** Paths of the pages that search engines may list, without the articles. */
export const listedPaths = () => pages.filter((page) => !page.isUnlisted).map(({ path }) => path);

/** First path segments that no article may use as its slug. */
export const reservedSlugs = (): ReadonlySet<string> =>
  new Set(
    [...pages, ...generatedFiles]
      .map(({ path }) => path)
      .concat(apiPrefix, downloadsPrefix, operatorPaths, "/assets")
      .map((path) => path.split("/")[1]!),
  );

/** The URL to which a form's page posts it. If several pages have the form, the one with the fewest forms counts. */
export function formPageUrl(form: FormName): string {
  const [page] = pages
    .flatMap(({ path, forms = [] }) =>
      forms.includes(form) ? [{ path, count: forms.length }] : [],
    )
    .sort((one, other) => one.count - other.count);
  // React Router's index route takes posts only with ?index.
  return page!.path === "/" ? `/?index&form=${form}` : page!.path;
}

export const acceptsPosts = (path: string) =>
  pages.some((page) => page.path === path && page.forms !== undefined);
