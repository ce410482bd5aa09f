import type { RequestHandler, Response } from "express";
import type { Config } from "../config/load-config.ts";

/** Response headers by name; to combine them, spread one into another. */
export type ResponseHeaders = Readonly<Record<string, string>>;

/** Returns the headers of every response: pages, API responses, files and rejections. */
export function commonHeaders({ publicUrl }: Pick<Config, "publicUrl">): ResponseHeaders {
  const isHttps = publicUrl?.startsWith("https:") ?? false;
  return {
    "X-Content-Type-Options": "nosniff",
    // Not no-referrer: browsers would send `Origin: null`, and the guard would reject forms without JavaScript.
    "Referrer-Policy": "strict-origin-when-cross-origin",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Embedder-Policy": "require-corp",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy":
      "camera=(), microphone=(), geolocation=(), payment=(), usb=(), browsing-topics=()",
    // No includeSubDomains: the institution's other hosts may not support https.
    ...(isHttps && { "Strict-Transport-Security": "max-age=63072000" }),
  };
}

export const setHeaders =
  (headers: ResponseHeaders): RequestHandler =>
  (_request, response, next) => {
    response.set(headers);
    next();
  };

/** Policy of responses that are not pages: nothing may run, load or be framed. */
export const strictPolicy = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'";

/** Headers of uncacheable responses that are not pages. */
export const noStoreHeaders: ResponseHeaders = {
  "Cache-Control": "no-store",
  "Content-Security-Policy": strictPolicy,
};

/**
 * Returns a page's content security policy.
 * @param nonce of the inline scripts by which a page is streamed; undefined for other pages
 */
export function pagePolicy({ hasScript, nonce }: { hasScript: boolean; nonce?: string }): string {
  const own = "'self'";
  return [
    "default-src 'none'",
    `script-src ${hasScript ? own : "'none'"}${nonce ? ` 'nonce-${nonce}'` : ""}`,
    `style-src ${own}`,
    `img-src ${own}`,
    `font-src ${own}`,
    `media-src ${own}`,
    `connect-src ${own}`,
    `form-action ${own}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; ");
}

/** Sends a short, uncacheable JSON response. */
export function sendJson(
  response: Response,
  status: number,
  body: object,
  headers: ResponseHeaders = {},
): void {
  response
    .status(status)
    .set({ ...noStoreHeaders, ...headers })
    .json(body);
}
