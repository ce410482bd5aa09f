/**
 * The privacy notice at a form.
 * @param text who keeps what, why and how long; written by the server, which knows the institution
 */
export function Notice({ text, hasFiles }: { text: string; hasFiles?: boolean }) {
  return (
    <p className="hint">
      {text} By sending the form you accept our <a href="/terms-conditions">terms</a>. More in the{" "}
      <a href="/privacy-policy">privacy policy</a>
      {hasFiles && (
        <>
          {" and "}
          <a href="/security-policy#trust">what is stored, where and who decides</a>
        </>
      )}
      .
    </p>
  );
}
