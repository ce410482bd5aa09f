import type { Request, RequestHandler } from "express";
import type { IncomingPost } from "../../domain/incoming-post.ts";
import { type Form, hasFiles } from "../../forms/form.ts";
import {
  acceptsPosts,
  formPageUrl,
  isScanPath,
  markingPath,
  subscriptionPath,
} from "../../site.ts";
import { isFormType } from "../intake/form-body.ts";
import { Rejection } from "../rejection.ts";
import { clientOf } from "./client-address.ts";
import { closeSignal } from "./connections.ts";
import { endpoints, uploadTokenIn } from "./endpoints.ts";
import { rewriteUrl } from "./guard.ts";
import { linkTokenIn } from "./private-links.ts";
import type { openRateLimit, PostKind } from "./rate-limit.ts";
import type { TakeTurn } from "./turns.ts";

declare global {
  namespace Express {
    interface Locals {
      /** The request as a post with its body unread; undefined before `acceptPosts` accepts it. */
      incoming?: IncomingPost;
    }
  }
}

/** Whether a path accepts posts: an endpoint, a page with a form, or the path for a scan. */
export const isPostTarget = (path: string) =>
  endpoints.has(path) || acceptsPosts(path) || isScanPath(path);

/**
 * Gives a browser's post to an endpoint the URL of the form's page: people get the receipt, or the page with what they
 * typed, in place of JSON. Programs get JSON unless they prefer HTML.
 */
export const rewriteFormPosts: RequestHandler = (request, _response, next) => {
  const form = request.method === "POST" ? endpoints.get(request.path) : undefined;
  if (form && isReadable(form, request) && prefersHtml(request)) {
    const page = new URL(formPageUrl(form.name), "http://site.invalid");
    for (const [name, value] of queryOf(request)) page.searchParams.append(name, value);
    rewriteUrl(request, page.pathname + page.search);
  }
  next();
};

/** Returns the path of the page whose form is posted to a path; undefined if the path accepts no posts of forms. */
export function formPageAt(path: string): string | undefined {
  const form = endpoints.get(path);
  if (form) return formPageUrl(form.name);
  return acceptsPosts(path) ? path : undefined;
}

/** Whether the page of the form can read the body: a form with files needs multipart. */
function isReadable(form: Form, { headers }: Request): boolean {
  const type = headers["content-type"] ?? "";
  return hasFiles(form) ? /^multipart\//i.test(type) : isFormType(type);
}

/** Whether a client prefers HTML to JSON. Browsers name text/html first; curl and HTTP libraries accept anything. */
export const prefersHtml = (request: Request) => request.accepts("json", "html") === "html";

/** The parameters in the URL of a request; Express parses none. */
export const queryOf = ({ url, path }: Request) => new URLSearchParams(url.slice(path.length));

/**
 * Returns middleware that rejects posts to paths that accept none, and posts beyond a client's limit. It makes every
 * other post available as `response.locals.incoming`, for endpoints and pages alike.
 */
export function acceptPosts(
  isPage: (path: string) => boolean,
  countPost: ReturnType<typeof openRateLimit>,
  takeTurn: TakeTurn,
): RequestHandler {
  return (request, response, next) => {
    if (request.method !== "POST") return next();
    const { path, headers } = request;
    if (!isPostTarget(path)) {
      if (!isPage(path)) {
        throw new Rejection(404, "not_found", "There is nothing at this address.");
      }
      const allow = "GET, HEAD";
      throw new Rejection(
        405,
        "method_not_allowed",
        "This address does not accept POST requests.",
        { allow },
      );
    }
    const limitKey = response.locals.limitKey!;
    // Only endpoints get an upload's token in a header: posts of pages have it in the body.
    const form = endpoints.get(path);
    const isUpload = (form && hasFiles(form)) || isScanPath(path);
    const token = isUpload ? uploadTokenIn(request) : undefined;
    countPost(limitKey, token ? "upload" : kindOf(request, limitKey), token);
    // The client waits for 100 Continue before it sends the body.
    if (headers.expect) response.writeContinue();
    const signal = closeSignal(response);
    response.locals.incoming = {
      contentType: headers["content-type"] ?? "",
      length: Number(headers["content-length"]),
      query: queryOf(request),
      source: request,
      signal,
      takeTurn: () => takeTurn(limitKey, { signal, isRejectable: false }),
      upload: token ? { token } : undefined,
      clientAddress: clientOf(request),
    };
    next();
  };
}

/** Whether a post may have files. The desk's forms have none, although the longest is multipart. */
export const mayBringFiles = ({ path, headers }: Request): boolean =>
  path !== markingPath && /^multipart\//i.test(headers["content-type"] ?? "");

/** Returns what a post is counted as, if it is not part of an upload by script. */
function kindOf(request: Request, limitKey: string): PostKind {
  if (request.path === subscriptionPath) return "subscription link";
  if (mayBringFiles(request)) return "upload";
  // A post with a made-up token has the client as its key, and is counted as a text.
  return limitKey === linkTokenIn(request) ? "decision" : "text";
}
