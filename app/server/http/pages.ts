import type { Request as ExpressRequest, Response as ExpressResponse } from "express";
import { createRequestHandler, type RouterContextProvider, type ServerBuild } from "react-router";
import type { Problem } from "../../domain/problem.ts";
import { apiPrefix, resultsApiPrefix, subscriptionPath } from "../../site.ts";
import { once } from "../once.ts";
import { disconnectSignal, type Exchange, type Handler } from "./exchange.ts";
import type { Locals } from "./express-app.ts";
import { pagePolicy, strictPolicy } from "./headers.ts";
import { disconnectAfterResponse } from "./reject.ts";
import type { RenderQueue } from "./render-queue.ts";
import { logWhenDone } from "./request-log.ts";
import { type RouteServices, routerContextFor } from "./router-context.ts";

/** React Router's request handler for all routes. */
export interface Pages {
  /** The server build, for the Express adapter. */
  build: ServerBuild | (() => Promise<ServerBuild>);
  handle(request: Request, context: RouterContextProvider): Promise<Response>;
}

/** Loads the routes: reloaded after every change in development, part of the program when built. */
export async function loadPages(): Promise<Pages> {
  const load = () => import("virtual:react-router/server-build");
  const build = import.meta.env.DEV ? load : await load();
  return { build, handle: createRequestHandler(build, import.meta.env.MODE) };
}

/** Returns a function that renders a complete page, or the rejection of one, for the cache. */
export function cacheRenderer(pages: Pages, services: RouteServices) {
  return (url: string, rejection?: Problem): Promise<Response> => {
    const rendering = { isCacheable: true, requestId: "", ...(rejection && { rejection }) };
    return pages.handle(
      new Request(new URL(url, services.origin)),
      routerContextFor(services, rendering, undefined),
    );
  };
}

/**
 * Handles everything that is left, by React Router.
 * @param isKnown whether a path is one of the site's; others may contain personal data and are not
 * logged
 */
export function pageHandler(
  pages: Pages,
  services: RouteServices,
  renders: RenderQueue,
  isKnown: (path: string) => boolean,
): Handler {
  // Most visitors get cached pages alone, so Express is loaded for the first other one.
  const loadApp = once(async () => (await import("./express-app.ts")).expressApp(pages));
  return async (exchange) => {
    const { request, response, path, id, incoming, client } = exchange;
    const app = await loadApp();
    if (response.destroyed) return true;
    const takeTurn = async () => {
      const release = incoming
        ? await renders.takeForPost(client)
        : await renders.take(client, disconnectSignal(response));
      response.once("close", release);
      return release;
    };
    // A post waits when it has been handled: what was typed must not be lost in a queue.
    const release = incoming ? undefined : await takeTurn();
    setHeaders(exchange);
    logWhenDone(exchange, isKnown(path) ? path : "(unknown)", services.log);
    disconnectAfterResponse(exchange);
    const context = routerContextFor(
      services,
      { isCacheable: false, requestId: id, takeTurn: async () => release ?? takeTurn() },
      incoming,
    );
    Object.assign(response, { locals: { context, incoming } satisfies Locals });
    return new Promise((resolve, reject) => {
      response.once("close", () => resolve(true));
      app(request as ExpressRequest, response as ExpressResponse, reject);
    });
  };
}

/** The router adds its own headers to these. */
function setHeaders({ response, commonHeaders, id, query, path }: Exchange): void {
  const policy = path.startsWith(apiPrefix) ? strictPolicy : pagePolicy(true);
  const hasSecretUrl =
    query.has("results") || path.startsWith(resultsApiPrefix) || path === subscriptionPath;
  const headers = {
    ...commonHeaders,
    "X-Request-Id": id,
    // Not no-referrer: browsers would send `Origin: null` with forms.
    ...(hasSecretUrl && { "Referrer-Policy": "strict-origin" }),
    ...(!import.meta.env.DEV && { "Content-Security-Policy": policy }),
  };
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
}
