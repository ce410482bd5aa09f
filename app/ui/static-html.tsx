import { useState } from "react";

/**
 * A part of a hydrated page that never changes: its HTML comes from the server, and its code stays there.
 * To be filled with `{import.meta.env.SSR && <Part />}`, which leaves the part out of the browser's script.
 */
export function StaticHtml({ id, children }: { id: string; children: React.ReactNode }) {
  // Read once: if something else changed the part since, React must not put it back.
  const [html] = useState(() =>
    import.meta.env.SSR ? "" : (document.getElementById(id)?.innerHTML ?? ""),
  );
  if (import.meta.env.SSR) {
    return (
      <div id={id} className="still">
        {children}
      </div>
    );
  }
  return (
    <div
      id={id}
      className="still"
      suppressHydrationWarning
      dangerouslySetInnerHTML={{ __html: html }}
    />
  );
}
