import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import { RouterContextProvider } from "react-router";
import { type RouteContext, routeContext } from "../../context.ts";
import { rendering } from "../../rendering.ts";
import { apiPrefix } from "../../site.ts";
import type { Intake } from "../intake/intake.ts";
import type { Log } from "../log.ts";
import { pagePolicy, strictPolicy } from "./headers.ts";
import type { ClientInfo } from "./rate-limit.ts";
import type { Pages } from "./router.ts";

/** The parts of a route's context that are the same for every request. */
export interface RouteServices extends Omit<RouteContext, "submit" | "reportError"> {
  receive: Intake["receive"];
  log: Log;
}

export interface RequestInfo {
  /** Shown on error pages and written to the log, so that the two can be matched. */
  id: string;
  /** Undefined for GET and HEAD. */
  client: ClientInfo | undefined;
}

interface RequestOptions {
  headers: [string, string][];
  log: Log;
  client: ClientInfo | undefined;
  /** Whether the path is one of the site's. Others may contain personal data and are not logged. */
  isKnown: (path: string) => boolean;
}

/** Prepares a request for the router: sets response headers and logs the request when it closes. */
export function beginRequest(
  request: IncomingMessage,
  response: ServerResponse,
  { headers, log, client, isKnown }: RequestOptions,
): RequestInfo {
  const requestInfo = {
    id: newRequestId(),
    client,
  };
  for (const [name, value] of headers) response.setHeader(name, value);
  response.setHeader("X-Request-Id", requestInfo.id);
  const [path, query] = request.url!.split("?", 2) as [string, string | undefined];
  // The URL contains a secret token. Not no-referrer: browsers would send `Origin: null` with
  // forms.
  if (new URLSearchParams(query).has("results")) {
    response.setHeader("Referrer-Policy", "strict-origin");
  }
  if (!import.meta.env.DEV) {
    const policy = path.startsWith(apiPrefix) ? strictPolicy : pagePolicy(true);
    response.setHeader("Content-Security-Policy", policy);
  }
  const loggedPath = isKnown(path) ? path : "(unknown)";
  logWhenDone(request, response, { log, id: requestInfo.id, path: loggedPath });
  return requestInfo;
}

/** Returns twelve random hexadecimal digits. */
export function newRequestId(): string {
  const digits = randomUUID();
  return digits.slice(0, 8) + digits.slice(9, 13);
}

/** Returns a signal that aborts if the client disconnects before the response is sent. */
export function disconnectSignal(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  response.on("close", () => {
    if (!response.writableFinished) controller.abort();
  });
  return controller.signal;
}

/** Logs the request once the response is sent or the client has disconnected. */
export function logWhenDone(
  request: IncomingMessage,
  response: ServerResponse,
  { log, id, path }: { log: Log; id: string; path: string },
): void {
  const startedAt = performance.now();
  response.on("close", () => {
    log.request({
      id,
      method: request.method!,
      path,
      status: response.writableFinished ? response.statusCode : 0,
      ms: Math.round(performance.now() - startedAt),
    });
  });
}

/**
 * Returns the router context of one request.
 * @param incoming a post whose body has not been read yet
 */
export function routerContextFor(
  { receive, log, ...services }: RouteServices,
  { id, client }: RequestInfo,
  incoming: IncomingMessage | undefined,
): RouterContextProvider {
  const context = new RouterContextProvider();
  context.set(rendering, { isCacheable: false, requestId: id });
  context.set(routeContext, {
    ...services,
    submit(form, request, from) {
      // Only the requests that /test-forms makes up have a body here.
      const source = request.body ? Readable.fromWeb(request.body as ReadableStream) : incoming;
      if (!source || !client) return rejectPost();
      const contentType = request.headers.get("Content-Type") ?? "";
      const { searchParams: query } = new URL(request.url);
      return receive(form, {
        contentType,
        query,
        signal: request.signal,
        source,
        from,
        ...client,
      });
    },
    reportError: (error) => log.error(`request ${id}: a page failed`, error),
  });
  return context;
}

/** Returns a function that renders a complete page for the cache. */
export function pageRendererFor(pages: Pages, { receive: _, log, ...services }: RouteServices) {
  return (url: string): Promise<Response> => {
    const context = new RouterContextProvider();
    context.set(rendering, { isCacheable: true, requestId: "" });
    context.set(routeContext, {
      ...services,
      submit: rejectPost,
      reportError: (error) => log.error("a page failed while being rendered for the cache", error),
    });
    return pages.handle(new Request(new URL(url, services.origin)), context);
  };
}

const rejectPost = () => Promise.reject(new Error("A GET request cannot submit a form."));
