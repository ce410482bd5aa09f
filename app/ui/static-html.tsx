import { useState } from "react";

/**
 * Part of a hydrated page that never changes: its HTML comes from the server, its code stays there.
 * Write its children as `{import.meta.env.SSR && <Part />}`, to leave the part out of the browser's script.
 */
export function StaticHtml({ id, children }: { id: string; children: React.ReactNode }) {
  // Read once: React must not undo changes that others have made since.
  const [html] = useState(() =>
    import.meta.env.SSR ? "" : (document.getElementById(id)?.innerHTML ?? ""),
  );
  if (import.meta.env.SSR) {
    return (
      <div id={id} className="static-html">
        {children}
      </div>
    );
  }
  return (
    <div
      id={id}
      className="static-html"
      suppressHydrationWarning
      dangerouslySetInnerHTML={{ __html: html }}
    />
  );
}
