import type { Response as ExpressResponse, RequestHandler } from "express";
import {
  goneSignal,
  type RequestInfo,
  type RouteServices,
  routerContextFor,
} from "./request-context.ts";
import type { Pages } from "./router.ts";

/**
 * Hands posts to the pages without their bodies: the intake reads those from the wire. Through the streams
 * that the Express adapter makes of a body, an upload's bytes take half as much time again.
 */
export function handlePagePosts(pages: Pages, routeContext: RouteServices): RequestHandler {
  return async (incoming, response, next) => {
    // The page that tests the forms reads what was chosen on it by itself.
    if (incoming.method !== "POST" || incoming.path === "/test-forms") {
      next();
      return;
    }
    const headers = new Headers();
    for (const [name, value] of Object.entries(incoming.headers)) headers.set(name, String(value));
    const request = new Request(`${incoming.protocol}://${incoming.host}${incoming.originalUrl}`, {
      method: "POST",
      headers,
      signal: goneSignal(response),
    });
    try {
      const context = routerContextFor(routeContext, response.locals as RequestInfo, incoming);
      await send(await pages.answer(request, context), response);
    } catch (error) {
      next(error);
    }
  };
}

/** These answers are short: a page with a form, or a few lines of JSON. */
async function send(answer: Response, response: ExpressResponse): Promise<void> {
  const body = Buffer.from(await answer.arrayBuffer());
  if (response.destroyed) return;
  response.status(answer.status);
  for (const [name, value] of answer.headers) response.setHeader(name, value);
  response.end(body);
}
