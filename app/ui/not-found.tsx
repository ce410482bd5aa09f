import { ButtonLink } from "./button.tsx";
import "../styles/pages/not-found.css";

/** Shown for unknown paths and for pages that are switched off. */
export function NotFound() {
  return (
    <div className="page narrow">
      <title>404 Page Not Found</title>
      <meta name="robots" content="noindex" />
      <h1>404 Page Not Found</h1>
      <div className="missing-page">
        <svg viewBox="0 0 300 120" width="300" height="120" aria-hidden="true">
          <text x="2" y="88">
            this page
          </text>
          <path
            className="red"
            d="M2 66c50-9 110-12 160-10 34 1 64 2 92-2M8 76c70-10 160-9 240-8"
          />
        </svg>
        <p className="total pen figures" aria-hidden="true">
          4/04
        </p>
        <p className="pen">See me.</p>
        <p>Did you forget to add the page to the router?</p>
      </div>
      <p>
        If you followed a link to get here, the page may have moved. The links above and below lead
        to everything there is.
      </p>
      <p>
        <ButtonLink href="/">Go to the home page</ButtonLink>
      </p>
    </div>
  );
}
