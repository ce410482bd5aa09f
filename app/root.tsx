import { isRouteErrorResponse, Links, Outlet, useMatches } from "react-router";
import type { Route } from "./+types/root";
import { services } from "./services.ts";
import "./styles/tokens.css";
import "./styles/elements.css";
import "./styles/parts.css";
import favicon from "./ui/favicon.svg?url";
import { Frame } from "./ui/frame.tsx";
import { ScriptsOnApproach } from "./ui/scripts-on-approach.tsx";

export function loader({ context }: Route.LoaderArgs) {
  return { brand: context.get(services).brand };
}

/** The brand does not change while a page is open. */
export const shouldRevalidate = () => false;

export default function Root({ loaderData }: Route.ComponentProps) {
  return (
    <Document>
      <Frame brand={loaderData.brand}>
        <Outlet />
      </Frame>
    </Document>
  );
}

/** Drawn without the loader's data, which may be what failed. */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const status = isRouteErrorResponse(error) ? error.status : 500;
  const [title, advice] =
    status === 405
      ? ["This page takes no forms", "Please go back and send the form again."]
      : ["Something went wrong on our side", "Please try again in a few minutes."];
  return (
    <Document>
      <title>{title}</title>
      <main id="main" className="page">
        <h1>{title}</h1>
        <p>{advice}</p>
        <p>
          <a href="/">Go to the home page</a>
        </p>
      </main>
    </Document>
  );
}

function Document({ children }: { children: React.ReactNode }) {
  // A page that does not ask for it ships no script at all.
  const hydrates = useMatches().some(
    (match) => (match.handle as { hydrate?: boolean } | undefined)?.hydrate,
  );
  return (
    <html lang="en-ZA">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <link rel="icon" href={favicon} type="image/svg+xml" />
        <Links />
      </head>
      <body>
        {children}
        {hydrates && <ScriptsOnApproach />}
      </body>
    </html>
  );
}
