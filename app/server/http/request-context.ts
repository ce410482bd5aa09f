import { randomBytes, randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import { RouterContextProvider } from "react-router";
import { type RouteContext, routeContext } from "../../context.ts";
import { rendering } from "../../rendering.ts";
import type { Intake } from "../intake/intake.ts";
import type { Log } from "../log.ts";
import { pagePolicy, strictPolicy } from "./headers.ts";
import type { ClientInfo } from "./rate-limit.ts";
import type { Pages } from "./router.ts";

/** What a route may ask for, before it is known who asks. */
export interface RouteServices extends Omit<RouteContext, "submit" | "reportError"> {
  receive: Intake["receive"];
  log: Log;
}

/** What one request is known by while it is answered. */
export interface RequestInfo {
  /** Shown to the visitor where something fails, and found again in the log. */
  id: string;
  /** Stands at every script of the page. */
  nonce: string;
  /** Where something was posted. */
  client: ClientInfo | undefined;
}

/**
 * Begins a request that the router will answer: its headers, and its line in the log once it is done.
 * @param isKnown whether a path is one of the site's; others may hold anything, and are not written down
 */
export function beginRequest(
  headers: [string, string][],
  response: ServerResponse,
  log: Log,
  request: IncomingMessage,
  client: ClientInfo | undefined,
  isKnown: (path: string) => boolean,
): RequestInfo {
  const requestInfo = {
    id: newRequestId(),
    nonce: randomBytes(16).toString("base64"),
    client,
  };
  for (const [name, value] of headers) response.setHeader(name, value);
  response.setHeader("X-Request-Id", requestInfo.id);
  const [path, query] = request.url!.split("?", 2) as [string, string | undefined];
  // The address is a secret. Not no-referrer: with it browsers send `Origin: null` with forms.
  if (new URLSearchParams(query).has("results")) {
    response.setHeader("Referrer-Policy", "strict-origin");
  }
  if (!import.meta.env.DEV) {
    const policy = path.startsWith("/api/")
      ? strictPolicy
      : pagePolicy([`'nonce-${requestInfo.nonce}'`]);
    response.setHeader("Content-Security-Policy", policy);
  }
  logWhenDone(log, requestInfo.id, request, response, isKnown(path) ? path : "(unknown)");
  return requestInfo;
}

/** Twelve random hexadecimal digits. */
export function newRequestId(): string {
  const digits = randomUUID();
  return digits.slice(0, 8) + digits.slice(9, 13);
}

/** Aborted when the sender leaves before the answer is out. */
export function goneSignal(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  response.on("close", () => {
    if (!response.writableFinished) gone.abort();
  });
  return gone.signal;
}

/** Tells of a request once it is answered, or its sender has left. */
export function logWhenDone(
  log: Log,
  id: string,
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
): void {
  const begun = performance.now();
  response.on("close", () => {
    log.request({
      id,
      method: request.method!,
      path,
      status: response.writableFinished ? response.statusCode : 0,
      ms: Math.round(performance.now() - begun),
    });
  });
}

/**
 * The world that the routes of one request are given.
 * @param incoming a post whose body is still to be read from the wire
 */
export function routerContextFor(
  { receive, log, ...services }: RouteServices,
  { id, nonce, client }: RequestInfo,
  incoming: IncomingMessage | undefined,
): RouterContextProvider {
  const context = new RouterContextProvider();
  context.set(rendering, { whole: false, nonce, requestId: id });
  context.set(routeContext, {
    ...services,
    submit(form, request, from) {
      // The page that tests the forms makes up requests with bodies of their own.
      const source = request.body ? Readable.fromWeb(request.body as ReadableStream) : incoming;
      if (!source || !client) return submitNothing();
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

/** What draws a page whole, to be kept for everybody. */
export function renderFor(pages: Pages, { receive: _, log, ...services }: RouteServices) {
  return (address: string): Promise<Response> => {
    const context = new RouterContextProvider();
    context.set(rendering, { whole: true, nonce: undefined, requestId: "" });
    context.set(routeContext, {
      ...services,
      submit: submitNothing,
      reportError: (error) => log.error("a page failed while it was drawn to be kept", error),
    });
    return pages.answer(new Request(new URL(address, services.origin)), context);
  };
}

const submitNothing = () => Promise.reject(new Error("A page that is only read submits nothing."));
