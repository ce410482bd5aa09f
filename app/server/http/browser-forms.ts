import { formPageUrl } from "../../site.ts";
import { isFormType } from "../intake/text-body.ts";
import { type Endpoint, endpoints } from "./endpoints.ts";
import type { Exchange } from "./exchange.ts";

/**
 * Handles an HTML form that a browser posts to an endpoint as if it were posted to the form's page:
 * people get the receipt, or the page with what they typed, in place of JSON. Programs get JSON
 * unless they prefer HTML.
 */
export function showBrowserForms(exchange: Exchange): boolean {
  const endpoint = exchange.isPost ? endpoints.get(exchange.path) : undefined;
  if (endpoint && isReadable(endpoint, exchange) && exchange.prefersHtml) {
    exchange.rewriteUrl(formPageUrl(endpoint.form), exchange.query);
  }
  return false;
}

/** Whether the page of the form can read the body: a form with files needs multipart. */
function isReadable({ acceptsFiles }: Endpoint, { request }: Exchange): boolean {
  const type = request.headers["content-type"] ?? "";
  return acceptsFiles ? /^multipart\//i.test(type) : isFormType(type);
}
