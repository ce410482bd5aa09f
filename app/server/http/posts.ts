import { acceptsPosts, subscriptionPath } from "../../site.ts";
import { Rejection } from "../rejection.ts";
import { endpoints, uploadIdIn } from "./endpoints.ts";
import { disconnectSignal, type Handler } from "./exchange.ts";
import type { openRateLimit } from "./rate-limit.ts";

/** Whether a path accepts posts: an endpoint, or a page with a form. */
export const isPostTarget = (path: string) => endpoints.has(path) || acceptsPosts(path);

/**
 * Rejects a post to a path that accepts none, or from a client that has posted too often. Makes the
 * unread body of every other available as `exchange.incoming`, for endpoints and pages alike.
 */
export function acceptPosts(
  isPage: (path: string) => boolean,
  countPost: ReturnType<typeof openRateLimit>,
): Handler {
  return (exchange) => {
    if (!exchange.isPost) return false;
    const { path, query, request, response } = exchange;
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
    const { client } = exchange;
    const { "content-type": contentType = "", "content-length": length } = request.headers;
    if (path === subscriptionPath) countPost(client, "subscription link");
    else countPost(client, /^multipart\//i.test(contentType) ? "upload" : "text");
    // The client waits for 100 Continue before it sends the body.
    if (request.headers.expect) response.writeContinue();
    exchange.incoming = {
      contentType,
      length: Number(length),
      query,
      source: request,
      signal: disconnectSignal(response),
      // A page's posts have the token of a draft in place of it.
      uploadId: endpoints.has(exchange.path) ? uploadIdIn(request) : undefined,
      clientAddress: client,
    };
    return false;
  };
}
