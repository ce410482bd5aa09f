import { ButtonLink } from "./button.tsx";

/** Shown for unknown paths and for pages that are switched off. */
export function NotFound() {
  return (
    <div className="page">
      <title>404 Page Not Found</title>
      <meta name="robots" content="noindex" />
      <h1>404 Page Not Found</h1>
      <p>Did you forget to add the page to the router?</p>
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
