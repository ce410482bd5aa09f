/** Detail that is folded on phones, and always open on wider screens and on paper (parts.css). */
export function Fold({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <details className="fold">
      <summary>{title}</summary>
      {children}
    </details>
  );
}
