/** Words of content/pages/, as an element: HTML that the server rendered from Markdown. */
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
