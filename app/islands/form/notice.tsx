/**
 * The privacy notice at a form.
 * @param text who keeps what, why and how long; written by the server, which knows the institution
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

/** Opens in a tab of its own: a form that came back with errors could not be gone back to. */
function PolicyLink({ href, children }: { href: string; children: string }) {
  return (
    <a href={href} target="_blank" rel="noopener">
      {children}
      <span className="visually-hidden"> (opens in a new tab)</span>
    </a>
  );
}
