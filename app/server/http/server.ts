import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { createRequestHandler as expressRequestHandler } from "@react-router/express";
import express, { type ErrorRequestHandler } from "express";
import { acceptsPosts } from "../../site.ts";
import type { Config } from "../config/config.ts";
import type { Log } from "../log.ts";
import {
  type EndpointDependencies,
  endpoints,
  handleEndpointPost,
  sendUploadStep,
} from "./endpoints.ts";
import { checkRequest, checkTarget, type GuardRejection } from "./guard.ts";
import { commonHeaders, strictPolicy } from "./headers.ts";
import { type Health, sendHealth } from "./health.ts";
import type { Metrics } from "./metrics.ts";
import { type CacheRules, PageCache } from "./page-cache.ts";
import { handlePagePosts } from "./page-posts.ts";
import { type ClientInfo, openRateLimit } from "./rate-limit.ts";
import { disconnectAfterResponse, redirect, rejectUnparsable, sendRejection } from "./reject.ts";
import { RejectionLog } from "./rejection-log.ts";
import {
  beginRequest,
  pageRendererFor,
  type RequestInfo,
  type RouteServices,
  routerContextFor,
} from "./request-context.ts";
import { loadPages } from "./router.ts";
import type { Assets } from "./static-files.ts";
import type { Traffic } from "./traffic.ts";

/** Time that requests in flight get to finish during shutdown. */
const graceMs = 30_000;

export interface HttpServer {
  address: string;
  close(): Promise<void>;
}

export interface HttpDependencies {
  routeContext: RouteServices;
  cacheRules: CacheRules;
  intake: EndpointDependencies["intake"];
  /** @param headers sent with every response */
  assets: (headers: [string, string][]) => Assets;
  health: Health;
  traffic: Traffic;
  /** Undefined if no network may read them. */
  metrics: Metrics | undefined;
  log: Log;
}

type HttpConfig = Pick<
  Config,
  "host" | "port" | "publicUrl" | "maxPosts" | "maxUploads" | "trustedProxies" | "limits"
>;

/**
 * Starts the web server; resolves once it listens. Health, metrics, the guard, cached pages, static
 * files and API endpoints are handled directly; everything else goes through Express to React
 * Router.
 */
export async function openHttpServer(
  config: HttpConfig,
  dependencies: HttpDependencies,
): Promise<HttpServer> {
  const { routeContext, health, traffic, metrics, log } = dependencies;
  const headers = commonHeaders(config.publicUrl?.startsWith("https:") ?? false);
  const site = config.publicUrl === undefined ? undefined : new URL(config.publicUrl);
  const { maxBodyBytes } = config.limits;
  const assets = dependencies.assets(headers);
  const pages = await loadPages();
  const cache = new PageCache(
    dependencies.cacheRules,
    headers,
    pageRendererFor(pages, routeContext),
  );

  const { paths } = dependencies.cacheRules;
  const isPage = (path: string) => paths.has(path);
  const isPostTarget = (path: string) => acceptsPosts(path) || endpoints.has(path);
  const isKnown = (path: string) => isPage(path) || isPostTarget(path);
  const clientOf = openRateLimit(config);
  const endpointDependencies: EndpointDependencies = { intake: dependencies.intake, headers, log };

  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  if (config.trustedProxies.length > 0) app.set("trust proxy", config.trustedProxies);
  app.use(handlePagePosts(pages, routeContext));
  app.use(
    expressRequestHandler({
      build: pages.build,
      getLoadContext: (_request, { locals }) =>
        routerContextFor(routeContext, locals as RequestInfo, undefined),
    }),
  );
  app.use(errorHandler(log));

  const passToRouter = (
    request: IncomingMessage,
    response: ServerResponse,
    client?: ClientInfo,
  ) => {
    const requestInfo = beginRequest(request, response, { headers, log, client, isKnown });
    disconnectAfterResponse(request, response);
    Object.assign(response, { locals: requestInfo });
    app(request, response);
  };

  const rejections = new RejectionLog(log);
  const rejectRequest = (
    request: IncomingMessage,
    response: ServerResponse,
    rejection: GuardRejection,
  ) => {
    rejections.count(`${rejection.status} ${rejection.code}`);
    sendRejection(request, response, rejection, headers);
  };

  let draining = false;
  const handle = (request: IncomingMessage, response: ServerResponse) => {
    if (draining) response.setHeader("Connection", "close");
    const { method } = request;
    const url = request.url!;
    if ((method === "GET" || method === "HEAD") && (url === "/healthz" || url === "/readyz")) {
      void sendHealth(url, health, headers, response);
      return;
    }
    if (url === "/metrics" && method === "GET" && metrics?.isAllowed(request)) {
      void metrics.respond(response, headers);
      return;
    }
    const rejection = checkRequest(request, site, maxBodyBytes);
    if (rejection) return rejectRequest(request, response, rejection);
    const isPost = method === "POST";
    if (!isPost && cache.sendCached(request, response)) {
      traffic.cachedPages += 1;
      return;
    }

    const path = url.replace(/\?.*$/s, "");
    const canonical = canonicalPath(path);
    if (canonical !== path) {
      return redirect(request, response, canonical + url.slice(path.length), headers);
    }
    const endpoint = endpoints.get(path);
    if (isPost) {
      const rejection = checkTarget(path, isPostTarget, isPage);
      if (rejection) return rejectRequest(request, response, rejection);
      // The client waits for 100 Continue before it sends the body.
      if (request.headers.expect) response.writeContinue();
      void clientOf(request).then((client) => {
        if (endpoint)
          void handleEndpointPost(endpoint, client, request, response, endpointDependencies);
        else passToRouter(request, response, client);
      });
      return;
    }
    if (endpoint) {
      const handled = sendUploadStep(endpoint, request, response, endpointDependencies);
      if (!handled) rejectRequest(request, response, methodNotAllowed);
      return;
    }
    const next = () => {
      cache.respond(request, response).then(
        (handled) => {
          if (handled) traffic.cachedPages += 1;
          else passToRouter(request, response);
        },
        (error) => {
          log.error("rendering a page for the cache failed", error);
          passToRouter(request, response);
        },
      );
    };
    try {
      assets(request, response, next);
    } catch (error) {
      log.error("a static file could not be read", error);
      rejectRequest(request, response, fileUnavailable);
    }
  };

  const server = createServer(
    {
      maxHeaderSize: config.limits.headerBytes,
      requireHostHeader: false,
      connectionsCheckingInterval: 1_000,
    },
    (request, response) => {
      handle(request, response);
      traffic.count(response);
    },
  );
  server.on("checkContinue", (request, response) => {
    handle(request, response);
    traffic.count(response);
  });
  server.on("checkExpectation", (request, response) => {
    rejectRequest(request, response, unmetExpectation);
  });
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    // HPE_ codes are parser errors; the others are dropped connections and timeouts.
    if (error.code?.startsWith("HPE_")) rejections.count("malformed HTTP");
    rejectUnparsable(error, socket as Socket, headers);
  });
  applyLimits(server, config);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(config.port, config.host, resolve);
  });
  return { address: addressOf(server.address() as AddressInfo, config.host), close };

  function close(): Promise<void> {
    health.drain();
    // Idle keep-alive connections would otherwise delay the shutdown.
    draining = true;
    const idle = setInterval(() => server.closeIdleConnections(), 500);
    return new Promise((resolve) => {
      const forcedClose = setTimeout(() => server.closeAllConnections(), graceMs);
      server.close(() => {
        clearTimeout(forcedClose);
        clearInterval(idle);
        rejections.report();
        resolve();
      });
      server.closeIdleConnections();
    });
  }
}

/** Sets the limits and timeouts that Node enforces itself. */
function applyLimits(server: ReturnType<typeof createServer>, { limits }: HttpConfig): void {
  server.headersTimeout = limits.headerMs;
  // Enough for a large upload on a slow line: 105 MB at 500 kbit/s takes 28 minutes.
  server.requestTimeout = 60 * 60_000;
  // Slightly longer than the usual 60 s of proxies, so that the proxy closes first.
  server.keepAliveTimeout = 65_000;
  server.maxConnections = limits.connections;
  // No limit: Node drops headers beyond it, and the guard would not see them. headerBytes limits
  // their size.
  server.maxHeadersCount = 0;
}

function addressOf({ port }: AddressInfo, host: string): string {
  const isLocal = ["127.0.0.1", "::1", "0.0.0.0", "::"].includes(host);
  return `http://${isLocal ? "localhost" : host}:${port}`;
}

/** Returns the path without repeated or trailing slashes. */
function canonicalPath(path: string): string {
  if (!path.endsWith("/") && !path.includes("//")) return path;
  return path.replace(/\/+/g, "/").replace(/(.)\/$/, "$1");
}

const methodNotAllowed: GuardRejection = {
  status: 405,
  code: "method_not_allowed",
  error: "Please send a POST request.",
  headers: { Allow: "POST" },
};

const fileUnavailable: GuardRejection = {
  status: 503,
  code: "unavailable",
  error: "This file is temporarily unavailable. Please try again in a minute.",
  headers: { "Retry-After": "60" },
};

const unmetExpectation = {
  status: 417,
  code: "unmet_expectation",
  error: "This server does not support the value of the Expect header.",
} as const;

/**
 * Handles errors of the router itself: logs the cause under the request id, and responds with plain
 * text.
 */
function errorHandler(log: Log): ErrorRequestHandler {
  return (error, _request, response, next) => {
    const { id } = response.locals as RequestInfo;
    log.error(`request ${id} failed`, error);
    if (response.headersSent) return next(error);
    response
      .status(500)
      .type("text")
      .set({ "Cache-Control": "no-store", "Content-Security-Policy": strictPolicy })
      .send(`Something went wrong on our side. Please try again. (${id})\n`);
  };
}
