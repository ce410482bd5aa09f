import { useContext } from "react";
import { data, isRouteErrorResponse, Links, Outlet } from "react-router";
import inter from "../.cache/fonts/inter.woff2?url";
import sourceSerif from "../.cache/fonts/source-serif-4.woff2?url";
import type { Route } from "./+types/root";
import { routeContext } from "./context.ts";
import { rendering } from "./rendering.ts";
import "./styles/tokens.css";
import "./styles/elements.css";
import "./styles/parts.css";
import favicon from "./ui/favicon.svg?url";
import icon32 from "./ui/icons/icon-32.png?url";
import icon180 from "./ui/icons/icon-180.png?url";
import { Layout } from "./ui/layout.tsx";
import { RequestId } from "./ui/request-id.ts";

/** Answers 503 while the database cannot be used: with the HTML of the error page, or for a file with a JSON error. */
export const middleware: Route.MiddlewareFunction[] = [
  async ({ context }, next) => {
    const response = await next();
    const { unavailable } = context.get(rendering);
    if (!unavailable) return response;
    const { status, retryAfter, ...problem } = unavailable;
    const isPage = response.headers.get("Content-Type")?.startsWith("text/html");
    const headers = new Headers(isPage ? response.headers : { "Cache-Control": "no-store" });
    headers.set("Retry-After", String(retryAfter));
    return isPage
      ? new Response(response.body, { status, headers })
      : Response.json(problem, { status, headers });
  },
];

export function loader({ context }: Route.LoaderArgs) {
  const { rejection } = context.get(rendering);
  if (rejection) throw data(rejection, { status: rejection.status });
  const { brand, origin, cards, articles } = context.get(routeContext);
  return { brand, origin, card: cards.site, hasBlog: articles.length > 0 };
}

export default function Root({ loaderData }: Route.ComponentProps) {
  return (
    <Document>
      <Layout {...loaderData}>
        <Outlet />
      </Layout>
    </Document>
  );
}

/** Renders without the loader's data, because the loader may be what failed. */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const requestId = useContext(RequestId);
  const { status, data: rejection } = isRouteErrorResponse(error)
    ? error
    : { status: 500, data: {} };
  const [title, advice] = errorTexts[rejection?.code] ?? errorTexts[status] ?? serverError;
  return (
    <Document>
      <title>{title}</title>
      <main id="main">
        <div className="page">
          <h1>{title}</h1>
          {rejection?.error && <p>{rejection.error}</p>}
          <p>{advice}</p>
          {rejection?.formPage && (
            <p>
              <a href={rejection.formPage}>Open the form on this site</a>
            </p>
          )}
          {requestId && status >= 500 && (
            <p>
              If you write to us about it, please quote the number <code>{requestId}</code>.
            </p>
          )}
          <p>
            <a href="/">Go to the home page</a>
          </p>
        </div>
      </main>
    </Document>
  );
}

type ErrorText = [title: string, advice: string];

const serverError: ErrorText = [
  "Something went wrong on our side",
  "Please try again in a few minutes.",
];

/** The texts of other errors, by the code of a rejection or by status. */
const errorTexts: Record<number | string, ErrorText> = {
  other_site: [
    "Your form did not arrive",
    "Nothing was stored. Go back to copy what you typed, and send it with the form on this site. Please tell the people whose site you came from: their form works once we have listed their site.",
  ],
  not_here: [
    "The desk does not open here",
    "Nothing was stored. If you typed something, go back to copy it.",
  ],
  unavailable: [
    "We cannot store anything at the moment",
    "What you typed and chose is not lost. Keep this page open, and reload it then: your browser sends the form again, as you filled it in.",
  ],
  unreadable: ["We cannot show this page at the moment", "Reload it then."],
  404: ["This link was closed", "Please ask the person who sent it for a new one."],
  405: ["This page takes no forms", "Please go back and send the form again."],
  429: [
    "Please wait before you send this",
    "What you typed and chose is not lost. Keep this page open, and reload it then: your browser sends the form again, as you filled it in.",
  ],
  503: ["This site is busy", "Reload this page then."],
};

function Document({ children }: { children: React.ReactNode }) {
  return (
    <html lang="en-ZA">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        {/* Every page shows both fonts above the fold; without a preload they wait for the style sheet. */}
        {[sourceSerif, inter].map((font) => (
          <link
            key={font}
            rel="preload"
            href={font}
            as="font"
            type="font/woff2"
            crossOrigin="anonymous"
          />
        ))}
        <link rel="alternate" href="/feed.xml" type="application/atom+xml" title="Articles" />
        <link rel="alternate" href="/feed.json" type="application/feed+json" title="Articles" />
        <meta name="theme-color" content="#fbf8f2" media="(prefers-color-scheme: light)" />
        <meta name="theme-color" content="#191714" media="(prefers-color-scheme: dark)" />
        <link rel="icon" href={icon32} type="image/png" sizes="32x32" />
        <link rel="icon" href={favicon} type="image/svg+xml" sizes="any" />
        <link rel="apple-touch-icon" href={icon180} />
        <Links />
      </head>
      <body>{children}</body>
    </html>
  );
}
