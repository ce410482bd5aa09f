import type { ReactNode } from "react";
import { Fragment } from "react/jsx-runtime";

const svg = "http://www.w3.org/2000/svg";

/** Where React's name of an attribute differs by more than its case. */
const attributeNames: Record<string, string> = {
  className: "class",
  tabIndex: "tabindex",
  htmlFor: "for",
  textAnchor: "text-anchor",
  defaultValue: "value",
  defaultChecked: "checked",
};

/**
 * Appends the DOM of components without hooks, as they are rendered on the server. React's own renderer would be
 * 50 kB.
 */
export function appendTo(parent: Element | DocumentFragment, node: ReactNode): void {
  if (Array.isArray(node)) {
    for (const one of node) appendTo(parent, one);
  } else if (typeof node === "object" && node !== null && "props" in node) {
    const { type, props } = node as { type: unknown; props: { children?: ReactNode } };
    if (typeof type === "function") appendTo(parent, (type as (props: object) => ReactNode)(props));
    else if (type === Fragment) appendTo(parent, props.children);
    else parent.append(elementOf(parent, type as string, props));
  } else if (typeof node === "string" || typeof node === "number") {
    parent.append(String(node));
  }
}

function elementOf(
  parent: Element | DocumentFragment,
  type: string,
  { children, ...props }: { children?: ReactNode },
): Element {
  const isSvg = type === "svg" || (parent instanceof Element && parent.namespaceURI === svg);
  const element = isSvg ? document.createElementNS(svg, type) : document.createElement(type);
  for (const [name, value] of Object.entries<unknown>(props)) {
    if (type === "textarea" && name === "defaultValue") element.append(String(value ?? ""));
    else setAttribute(element, attributeNames[name] ?? name, value);
  }
  appendTo(element, children);
  return element;
}

function setAttribute(element: Element, name: string, value: unknown): void {
  const isText = /^(aria|data)-/.test(name);
  if (value === undefined || value === null || (value === false && !isText)) return;
  element.setAttribute(name, value === true && !isText ? "" : String(value));
}
