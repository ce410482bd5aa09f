import { useEffect, useState } from "react";

/**
 * Copies a text to the clipboard. Needs script and, for the browser to have a clipboard, TLS: the server does not render
 * it. Without it a click on the text selects the whole of it.
 */
export function CopyButton({ text, what }: { text: string; what: string }) {
  const [canCopy, setCanCopy] = useState(false);
  const [hasCopied, setHasCopied] = useState(false);
  useEffect(() => setCanCopy(Boolean(navigator.clipboard)), []);
  if (!canCopy) return null;
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setHasCopied(true),
      () => {},
    );
  return (
    <>
      <button type="button" className="link no-print" onClick={() => void copy()}>
        Copy<span className="visually-hidden"> {what}</span>
      </button>{" "}
      <span role="status">{hasCopied && "Copied"}</span>
    </>
  );
}
