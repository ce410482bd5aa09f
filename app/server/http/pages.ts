import { randomBytes } from "node:crypto";
import { ReadableStream } from "node:stream/web";
import { createRequestHandler as expressRequestHandler } from "@react-router/express";
import type {
  Request as ExpressRequest,
  Response as ExpressResponse,
  RequestHandler,
} from "express";
import { createRequestHandler, type RouterContextProvider, type ServerBuild } from "react-router";
import type { IncomingPost } from "../../domain/incoming-post.ts";
import { wholePageHeader } from "../../domain/late.ts";
import type { Problem } from "../../domain/problem.ts";
import { cacheable, type Rendering } from "../../rendering.ts";
import { apiPrefix, linkApiPrefixes, markingPath, subscriptionPath, teamPath } from "../../site.ts";
import { unavailable } from "../rejection.ts";
import { acceptedEncodings } from "./encoding.ts";
import { pagePolicy, strictPolicy } from "./headers.ts";
import { mayBringFiles, queryOf } from "./posts.ts";
import { type RouteServices, routerContextFor } from "./router-context.ts";
import { isPicture, type OpenPageTurns } from "./turns.ts";

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

/** Returns a function that renders a complete page for the cache, or a page that shows a rejection. */
export function cacheRenderer(pages: Pages, services: RouteServices) {
  return (url: string, rejection?: Problem): Promise<Response> => {
    const rendering = { ...cacheable, ...(rejection && { rejection }) };
    return pages.handle(
      new Request(new URL(url, services.origin)),
      routerContextFor(services, rendering, undefined),
    );
  };
}

declare global {
  namespace Express {
    interface Locals {
      context?: RouterContextProvider;
    }
  }
}

/** Returns middleware that has React Router respond to every request that reaches it. */
export function pageHandler(
  pages: Pages,
  services: RouteServices,
  openTurns: OpenPageTurns,
): RequestHandler {
  const handleGet = expressRequestHandler({
    build: pages.build,
    getLoadContext: (_request, { locals }) => locals.context!,
  });
  const handlePost = async (
    request: ExpressRequest,
    response: ExpressResponse,
    { incoming, shared }: { incoming: IncomingPost; shared: Omit<Rendering, "encoding"> },
  ) => {
    // A post with files may take minutes to read, even if only its texts are wanted. Without a place the post is
    // rejected unread.
    if (mayBringFiles(request)) {
      const { clientAddress, signal } = incoming;
      incoming.place = await services.intake.turns.take(clientAddress, signal);
    }
    try {
      setPageHeaders(request, response);
      // A returned form contains what was typed, so it is not compressed (BREACH).
      const rendering: Rendering = { ...shared, encoding: "identity" };
      const context = routerContextFor(services, rendering, incoming);
      const rendered = await pages.handle(postRequest(request, incoming), context);
      // The form cannot come back in its page, whose loader needs the database too.
      if (rendering.unavailable) throw unavailable("POST");
      await sendWhole(rendered, response);
    } finally {
      incoming.place?.();
    }
  };
  return async (request, response, next) => {
    const { incoming, requestId, limitKey } = response.locals;
    const turns = openTurns(limitKey!, response);
    const shared = { isCacheable: false, requestId: requestId!, turns };
    // A post takes its turn after it is handled, so that a full queue loses nothing that was typed.
    if (incoming) return await handlePost(request, response, { incoming, shared });
    if (!isPicture(request)) await turns.begin();
    // Do not read the data of a page whose client disconnected while it waited for its turn.
    if (response.closed) return;
    setPageHeaders(request, response);
    const rendering: Rendering = {
      ...shared,
      // A GET page contains no secret beyond its URL, so compressing it leaks nothing (BREACH).
      encoding: acceptedEncodings(request.get("Accept-Encoding"))[0]!,
      ...(!request.get(wholePageHeader) && { streaming: streamingOf(response) }),
    };
    response.locals.context = routerContextFor(services, rendering, undefined);
    await handleGet(request, response, next);
  };
}

/**
 * Returns the request that a page's action gets. It reads the post's body only if the action asks for it, because the
 * intake reads the body from the connection. A request of the Express adapter would read the body first.
 */
function postRequest({ host, url, headers }: ExpressRequest, { source, signal }: IncomingPost) {
  const init: RequestInit & { duplex: "half" } = {
    method: "POST",
    headers: Object.entries(headers).map(([name, value]) => [name, String(value)]),
    signal,
    body: ReadableStream.from(source) as BodyInit,
    duplex: "half",
  };
  return new Request(`http://${host}${url}`, init);
}

/** Sends a response that is short: a page with a form, or a few lines of JSON. */
async function sendWhole(rendered: Response, response: ExpressResponse): Promise<void> {
  const body = Buffer.from(await rendered.arrayBuffer());
  if (response.destroyed) return;
  response.status(rendered.status);
  for (const [name, value] of rendered.headers) response.setHeader(name, value);
  response.end(body);
}

function streamingOf(response: ExpressResponse): Rendering["streaming"] {
  const nonce = randomBytes(16).toString("base64");
  const policy = pagePolicy({ hasScript: true, nonce });
  const allowScripts = () => {
    if (!import.meta.env.DEV) response.set("Content-Security-Policy", policy);
  };
  return { nonce, allowScripts };
}

/** Sets the headers of a page or of a file that a private link opens. The router adds its own. */
function setPageHeaders(request: ExpressRequest, response: ExpressResponse): void {
  const { path } = request;
  // Paths below /api/ include files as visitors sent them, so no script in a file may run.
  const policy = path.startsWith(apiPrefix)
    ? `${strictPolicy}; sandbox`
    : pagePolicy({ hasScript: true });
  const hasSecretUrl =
    queryOf(request).has("results") ||
    linkApiPrefixes.some((prefix) => path.startsWith(prefix)) ||
    [markingPath, teamPath, subscriptionPath].includes(path);
  response.set("X-Request-Id", response.locals.requestId!);
  // Not no-referrer: browsers would send `Origin: null` with forms, and the guard would reject these.
  if (hasSecretUrl) response.set("Referrer-Policy", "strict-origin");
  if (!import.meta.env.DEV) response.set("Content-Security-Policy", policy);
}
