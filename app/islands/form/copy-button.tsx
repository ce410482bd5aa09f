import { useEffect, useState } from "react";

/**
 * Copies a text to the clipboard. Needs script, so the server does not render it.
 * @param what names the text to screen readers, such as "the reference"
 */
export function CopyButton({ text, what }: { text: string; what: string }) {
  const [isHydrated, setIsHydrated] = useState(false);
  const [hasCopied, setHasCopied] = useState(false);
  useEffect(() => setIsHydrated(true), []);
  if (!isHydrated) return null;
  return (
    <>
      <button
        type="button"
        className="link no-print"
        onClick={() => void copy(text).then(setHasCopied)}
      >
        Copy<span className="visually-hidden"> {what}</span>
      </button>{" "}
      <span role="status">{hasCopied && "Copied"}</span>
    </>
  );
}

async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Without TLS the browser offers no clipboard, so copy a selection.
    return copyBySelection(text);
  }
}

function copyBySelection(text: string): boolean {
  const field = document.createElement("textarea");
  field.value = text;
  field.className = "visually-hidden";
  document.body.append(field);
  const focused = document.activeElement as HTMLElement | null;
  field.select();
  const hasCopied = document.execCommand("copy");
  field.remove();
  focused?.focus();
  return hasCopied;
}
