import { type ComponentType, createContext, useContext } from "react";
import { renderToString } from "react-dom/server";

/** The URL of entry.client.ts. */
export const LoaderUrl = createContext("");

/**
 * A component that entry.client.ts hydrates in the browser. Its props are written into the page, so they must
 * be JSON.
 */
export function Island<Props extends object>({
  name,
  component: Component,
  props,
}: {
  /** The component's file in app/islands/, without its extension. */
  name: string;
  component: ComponentType<Props>;
  props: Props;
}) {
  const loader = useContext(LoaderUrl);
  const html = renderToString(<Component {...props} />);
  return (
    <>
      <div data-island={name} data-size={sizeOf(html)} dangerouslySetInnerHTML={{ __html: html }} />
      <script type="application/json" dangerouslySetInnerHTML={{ __html: toJson(props) }} />
      {/* Each island names the module, which a browser runs only once. */}
      <script type="module" src={loader} />
    </>
  );
}

/** The numbers of characters and elements in HTML. By them, the browser finds out whether the HTML was altered. */
function sizeOf(html: string): string {
  const text = html
    // The browser drops a line break at the beginning of a textarea.
    .replace(/(<textarea[^>]*>)\r?\n/g, "$1")
    .replace(/<[^>]*>/g, "")
    .replace(/&[#\w]+;/g, "_")
    .replace(/\r\n/g, "\n");
  return `${text.length} ${html.match(/<\w/g)?.length ?? 0}`;
}

/** JSON in which no text can close the script element or look like markup. */
const toJson = (props: object) =>
  JSON.stringify(props).replace(/[<>]/g, (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`);

/** Loads entry.client.ts on a page without islands. */
export const Loader = () => <script type="module" src={useContext(LoaderUrl)} />;
