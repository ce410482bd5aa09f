import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import { RouterContextProvider } from "react-router";
import { rendering } from "../rendering.ts";
import { type Services, services as servicesContext } from "../services.ts";
import { pagePolicy, strictPolicy } from "./headers.ts";
import type { Intake } from "./intake/intake.ts";
import type { Log } from "./log.ts";
import type { Pages } from "./pages.ts";
import type { RateLocals } from "./rate-limit.ts";

/** What a route may ask for, before it is known who asks. */
export interface VisitServices extends Omit<Services, "submit" | "reportError"> {
  receive: Intake["receive"];
  log: Log;
}

/** What one request is known by while it is answered. */
export interface Visit extends RateLocals {
  /** Shown to the visitor where something fails, and found again in the log. */
  id: string;
  /** Stands at every script of the page. */
  nonce: string;
}

/**
 * Begins a request that the router will answer: its headers, and its line in the log once it is done.
 * @param isKnown whether a path is one of the site's; others may hold anything, and are not written down
 */
export function newVisit(
  headers: [string, string][],
  response: ServerResponse,
  log: Log,
  { method, url }: IncomingMessage,
  isKnown: (path: string) => boolean,
): Visit {
  const visit = {
    id: randomBytes(6).toString("hex"),
    nonce: randomBytes(16).toString("base64"),
    sender: "",
  };
  for (const [name, value] of headers) response.setHeader(name, value);
  response.setHeader("X-Request-Id", visit.id);
  const [path, query] = url!.split("?", 2) as [string, string | undefined];
  // The address is a secret. Not no-referrer: with it browsers send `Origin: null` with forms.
  if (new URLSearchParams(query).has("results")) {
    response.setHeader("Referrer-Policy", "strict-origin");
  }
  if (!import.meta.env.DEV) {
    const policy = path.startsWith("/api/") ? strictPolicy : pagePolicy([`'nonce-${visit.nonce}'`]);
    response.setHeader("Content-Security-Policy", policy);
  }
  const begun = performance.now();
  response.on("close", () => {
    log.request({
      id: visit.id,
      method: method!,
      path: isKnown(path) ? path : "(unknown)",
      status: response.writableFinished ? response.statusCode : 0,
      ms: Math.round(performance.now() - begun),
    });
  });
  return visit;
}

/**
 * The world that the routes of one request are given.
 * @param incoming a post whose body is still to be read from the wire
 */
export function visitContext(
  { receive, log, ...services }: VisitServices,
  { id, nonce, sender, retryAfter }: Visit,
  incoming: IncomingMessage | undefined,
): RouterContextProvider {
  const context = new RouterContextProvider();
  context.set(rendering, { whole: false, nonce, requestId: id });
  context.set(servicesContext, {
    ...services,
    submit(form, request, from) {
      // The page that tests the forms makes up requests with bodies of their own.
      const source = request.body ? Readable.fromWeb(request.body as ReadableStream) : incoming;
      if (!source) return submitNothing();
      return receive(form, { request, source, from, sender, retryAfter });
    },
    reportError: (error) => log.error(`request ${id}: a page failed`, error),
  });
  return context;
}

/** What draws a page whole, to be kept for everybody. */
export function drawFor(pages: Pages, { receive: _, log, ...services }: VisitServices) {
  return (address: string): Promise<Response> => {
    const context = new RouterContextProvider();
    context.set(rendering, { whole: true, nonce: undefined, requestId: "" });
    context.set(servicesContext, {
      ...services,
      submit: submitNothing,
      reportError: (error) => log.error("a page failed while it was drawn to be kept", error),
    });
    return pages.answer(new Request(new URL(address, services.origin)), context);
  };
}

const submitNothing = () => Promise.reject(new Error("A page that is only read submits nothing."));
