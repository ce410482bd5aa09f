import { type Form, hasFiles } from "../../forms/form.ts";
import { formPageUrl } from "../../site.ts";
import { isFormType } from "../intake/text-body.ts";
import { endpoints } from "./endpoints.ts";
import type { Exchange } from "./exchange.ts";

/**
 * Handles an HTML form that a browser posts to an endpoint as if it were posted to the form's page:
 * people get the receipt, or the page with what they typed, in place of JSON. Programs get JSON
 * unless they prefer HTML.
 */
export function showBrowserForms(exchange: Exchange): boolean {
  const form = exchange.isPost ? endpoints.get(exchange.path) : undefined;
  if (form && isReadable(form, exchange) && exchange.prefersHtml) {
    exchange.rewriteUrl(formPageUrl(form.name), exchange.query);
  }
  return false;
}

/** Whether the page of the form can read the body: a form with files needs multipart. */
function isReadable(form: Form, { request }: Exchange): boolean {
  const type = request.headers["content-type"] ?? "";
  return hasFiles(form) ? /^multipart\//i.test(type) : isFormType(type);
}
