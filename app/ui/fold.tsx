import { SectionText } from "./section-text.tsx";
import "../styles/parts/fold.css";

/** Detail that is folded on phones and tablets, and always open on wider screens and on paper (fold.css). */
export function Fold({
  title,
  children,
}: {
  /** The title, as HTML. */
  title: string;
  children: React.ReactNode;
}) {
  return (
    <details className="fold">
      <SectionText as="summary" className="term" html={title} />
      {children}
    </details>
  );
}
