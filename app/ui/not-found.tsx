import { ButtonLink } from "./button.tsx";
import "../styles/not-found.css";

/** Shown for unknown paths and for pages that are switched off. */
export function NotFound() {
  return (
    <div className="page">
      <title>404 Page Not Found</title>
      <meta name="robots" content="noindex" />
      <h1>404 Page Not Found</h1>
      <div className="missing-page">
        <svg viewBox="0 0 300 120" width="300" height="120" aria-hidden="true">
          <path
            className="ink"
            d="M8 52c14-2 22-2 30-2M22 24c1 14-1 32-3 48M52 22c-1 16-3 34-4 50 4-12 12-20 18-16 4 4-1 12 1 16M80 58c0 6-2 12-2 15M83 44l1-2M106 57c-6-3-12 1-8 5s8 4 5 9-10 4-13 1M138 58c-1 14-3 32-6 42M138 63c6-9 18-8 17 1s-13 11-18 6M186 60c-6-7-18-2-18 7s12 7 16-1c0 4 0 8 4 8M216 60c-6-7-18-1-17 7s12 6 15-2c1 12-2 28-14 28-6 0-9-4-8-7M228 68c10 0 17-3 15-8s-16-1-15 8 11 7 17 2"
          />
          <path
            className="red"
            d="M2 66c50-9 110-12 160-10 34 1 64 2 92-2M8 76c70-10 160-9 240-8"
          />
        </svg>
        <p className="total figures" aria-hidden="true">
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
