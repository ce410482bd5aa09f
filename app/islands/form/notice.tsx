/**
 * The privacy notice at a form.
 * @param text who keeps what, why and how long: the server writes it with the institution's facts
 */
export function Notice({ text, hasFiles }: { text: string; hasFiles?: boolean }) {
  return (
    <p className="hint">
      {text} By sending the form you accept our{" "}
      <PolicyLink href="/terms-conditions">terms</PolicyLink>. More in the{" "}
      <PolicyLink href="/privacy-policy">privacy policy</PolicyLink>
      {hasFiles && (
        <>
          {" and "}
          <PolicyLink href="/security-policy#trust">
            what is stored, where and who decides
          </PolicyLink>
        </>
      )}
      .
    </p>
  );
}

/** A link that opens in a new tab, because the browser cannot go back to a form that came back with errors. */
function PolicyLink({ href, children }: { href: string; children: string }) {
  return (
    <a href={href} target="_blank" rel="noopener">
      {children}
      <span className="visually-hidden"> (opens in a new tab)</span>
    </a>
  );
}
