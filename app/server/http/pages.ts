import { ReadableStream } from "node:stream/web";
import { createRequestHandler as expressRequestHandler } from "@react-router/express";
import express, { type Request as ExpressRequest, type Response as ExpressResponse } from "express";
import { createRequestHandler, type RouterContextProvider, type ServerBuild } from "react-router";
import type { IncomingPost } from "../../domain/incoming-post.ts";
import type { Problem } from "../../domain/problem.ts";
import { apiPrefix, resultsApiPrefix, subscriptionPath } from "../../site.ts";
import { disconnectSignal, type Exchange, type Handler } from "./exchange.ts";
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

/** Kept by Express with the response. */
interface Locals {
  context: RouterContextProvider;
  incoming: IncomingPost | undefined;
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
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  app.post("/{*path}", async (request, response) => {
    const { context, incoming } = response.locals as Locals;
    await send(await pages.handle(postRequest(request, incoming!), context), response);
  });
  app.use(
    expressRequestHandler({
      build: pages.build,
      getLoadContext: (_request, { locals }) => (locals as Locals).context,
    }),
  );
  return async (exchange) => {
    const { request, response, path, id, incoming, client } = exchange;
    const takePlace = async () => {
      const release = incoming
        ? await renders.takeForPost(client)
        : await renders.take(client, disconnectSignal(response));
      response.once("close", release);
      return release;
    };
    // A post waits when it has been handled: what was typed must not be lost in a queue.
    const release = incoming ? undefined : await takePlace();
    setHeaders(exchange);
    logWhenDone(exchange, isKnown(path) ? path : "(unknown)", services.log);
    disconnectAfterResponse(exchange);
    const context = routerContextFor(
      services,
      { isCacheable: false, requestId: id, takePlace: async () => release ?? takePlace() },
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

/**
 * Returns the request that a page's action gets. Its body is read from the connection only if the
 * action asks for it: the intake reads the connection itself, because through the adapter's streams
 * an upload would take half as long again.
 */
function postRequest(
  { protocol, host, originalUrl, headers }: ExpressRequest,
  { source, signal }: IncomingPost,
): Request {
  const init: RequestInit & { duplex: "half" } = {
    method: "POST",
    headers: Object.entries(headers).map(([name, value]) => [name, String(value)]),
    signal,
    body: ReadableStream.from(source) as BodyInit,
    duplex: "half",
  };
  return new Request(`${protocol}://${host}${originalUrl}`, init);
}

/** Sends the response in one piece: it is short, a page with a form or a few lines of JSON. */
async function send(rendered: Response, response: ExpressResponse): Promise<void> {
  const body = Buffer.from(await rendered.arrayBuffer());
  if (response.destroyed) return;
  response.status(rendered.status);
  for (const [name, value] of rendered.headers) response.setHeader(name, value);
  response.end(body);
}
