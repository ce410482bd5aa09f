import type { Response as ExpressResponse, RequestHandler } from "express";
import {
  disconnectSignal,
  type RequestInfo,
  type RouteServices,
  routerContextFor,
} from "./request-context.ts";
import type { Pages } from "./router.ts";

/**
 * Passes posts to the pages without their bodies, which the intake reads from the socket: the
 * Express adapter's streams would make an upload take half as long again.
 */
export function handlePagePosts(pages: Pages, routeContext: RouteServices): RequestHandler {
  return async (incoming, response, next) => {
    // /test-forms reads its small body itself.
    if (incoming.method !== "POST" || incoming.path === "/test-forms") {
      next();
      return;
    }
    const headers = new Headers();
    for (const [name, value] of Object.entries(incoming.headers)) headers.set(name, String(value));
    const request = new Request(`${incoming.protocol}://${incoming.host}${incoming.originalUrl}`, {
      method: "POST",
      headers,
      signal: disconnectSignal(response),
    });
    try {
      const context = routerContextFor(routeContext, response.locals as RequestInfo, incoming);
      await send(await pages.handle(request, context), response);
    } catch (error) {
      next(error);
    }
  };
}

/** Sends the response in one piece: it is short, a page with a form or a few lines of JSON. */
async function send(rendered: Response, response: ExpressResponse): Promise<void> {
  const body = Buffer.from(await rendered.arrayBuffer());
  if (response.destroyed) return;
  response.status(rendered.status);
  for (const [name, value] of rendered.headers) response.setHeader(name, value);
  response.end(body);
}
