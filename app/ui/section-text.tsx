/** An element with words of content/pages/, which the server has rendered to HTML. */
export function SectionText({
  as: Element = "div",
  html,
  ...attributes
}: {
  as?: "div" | "dd" | "dt" | "h1" | "h2" | "h3" | "summary";
  html: string;
} & React.HTMLAttributes<HTMLElement>) {
  return <Element {...attributes} dangerouslySetInnerHTML={{ __html: html }} />;
}

/** A section of a page, under a heading of content/pages/. */
export function PageSection({
  titleId,
  title,
  children,
  ...attributes
}: React.HTMLAttributes<HTMLElement> & { titleId: string; title: string }) {
  return (
    <section {...attributes} aria-labelledby={titleId}>
      <div className="page">
        <SectionText as="h2" id={titleId} html={title} />
        {children}
      </div>
    </section>
  );
}
