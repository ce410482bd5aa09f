import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { createRequestHandler as expressPages } from "@react-router/express";
import express, { type ErrorRequestHandler } from "express";
import { acceptsPosts } from "../../site.ts";
import type { Config } from "../config/config.ts";
import type { Log } from "../log.ts";
import { type EndpointParts, endpoints, handleEndpointPost, sendUploadStep } from "./endpoints.ts";
import { checkRequest, checkTarget, type GuardRejection } from "./guard.ts";
import { commonHeaders, strictPolicy } from "./headers.ts";
import { type Health, sendHealth } from "./health.ts";
import type { Metrics } from "./metrics.ts";
import { type CacheRules, PageCache } from "./page-cache.ts";
import { handlePagePosts } from "./page-posts.ts";
import { type ClientInfo, openRateLimit } from "./rate-limit.ts";
import { cutOffAfterAnswer, redirect, rejectUnparsable, sendRejection } from "./reject.ts";
import { RejectionLog } from "./rejection-log.ts";
import {
  beginRequest,
  type RequestInfo,
  type RouteServices,
  renderFor,
  routerContextFor,
} from "./request-context.ts";
import { loadPages } from "./router.ts";
import type { Assets } from "./static-files.ts";
import type { Traffic } from "./traffic.ts";

/** How long requests in flight may take to finish when the program is told to stop. */
const graceMs = 30_000;

export interface Http {
  address: string;
  close(): Promise<void>;
}

export interface HttpParts {
  routeContext: RouteServices;
  cacheRules: CacheRules;
  intake: EndpointParts["intake"];
  /** Made with the headers that every answer carries. */
  assets: (headers: [string, string][]) => Assets;
  health: Health;
  traffic: Traffic;
  /** Undefined where nobody may ask. */
  metrics: Metrics | undefined;
  log: Log;
}

type HttpConfig = Pick<
  Config,
  "host" | "port" | "publicUrl" | "maxPosts" | "maxUploads" | "trustedProxies" | "limits"
>;

/**
 * The web server. In front stand the guard, files, kept pages and calls, which need no router; behind
 * them Express with the pages. Listens when it resolves.
 */
export async function openHttp(config: HttpConfig, parts: HttpParts): Promise<Http> {
  const { routeContext, health, traffic, metrics, log } = parts;
  const headers = commonHeaders(config.publicUrl?.startsWith("https:") ?? false);
  const site = config.publicUrl === undefined ? undefined : new URL(config.publicUrl);
  const { maxBodyBytes } = config.limits;
  const assets = parts.assets(headers);
  const pages = await loadPages();
  const cache = new PageCache(parts.cacheRules, headers, renderFor(pages, routeContext));

  const { paths } = parts.cacheRules;
  const isPage = (path: string) => paths.has(path);
  const takesPosts = (path: string) => acceptsPosts(path) || endpoints.has(path);
  const isKnown = (path: string) => isPage(path) || takesPosts(path);
  const clientOf = openRateLimit(config);
  const endpointParts: EndpointParts = { intake: parts.intake, headers, log };

  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  if (config.trustedProxies.length > 0) app.set("trust proxy", config.trustedProxies);
  app.use(handlePagePosts(pages, routeContext));
  app.use(
    expressPages({
      build: pages.build,
      getLoadContext: (_request, { locals }) =>
        routerContextFor(routeContext, locals as RequestInfo, undefined),
    }),
  );
  app.use(errorHandler(log));

  /** What the guard lets through and nothing in front has answered. */
  const toPages = (request: IncomingMessage, response: ServerResponse, client?: ClientInfo) => {
    const requestInfo = beginRequest(headers, response, log, request, client, isKnown);
    cutOffAfterAnswer(request, response);
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
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    if (draining) response.setHeader("Connection", "close");
    const { method, headers: sent } = request;
    const url = request.url!;
    if ((method === "GET" || method === "HEAD") && (url === "/healthz" || url === "/readyz")) {
      void sendHealth(url, health, headers, response);
      return;
    }
    if (url === "/metrics" && method === "GET" && metrics?.isFor(request)) {
      void metrics.answer(response, headers);
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
    const plain = plainPath(path);
    if (plain !== path) {
      return redirect(request, response, plain + url.slice(path.length), headers);
    }
    const endpoint = endpoints.get(path);
    if (isPost) {
      const rejection = checkTarget(path, takesPosts, isPage);
      if (rejection) return rejectRequest(request, response, rejection);
      // A client may ask first whether it is to send the body at all.
      if (sent.expect) response.writeContinue();
      void clientOf(request).then((client) => {
        if (endpoint) void handleEndpointPost(endpoint, client, request, response, endpointParts);
        else toPages(request, response, client);
      });
      return;
    }
    if (endpoint) {
      const answered = sendUploadStep(endpoint, request, response, endpointParts);
      if (!answered) rejectRequest(request, response, postOnly);
      return;
    }
    const others = () => {
      cache.answer(request, response).then(
        (answered) => {
          if (answered) traffic.cachedPages += 1;
          else toPages(request, response);
        },
        (error) => {
          log.error("a page could not be drawn to be kept", error);
          toPages(request, response);
        },
      );
    };
    try {
      assets(request, response, others);
    } catch (error) {
      log.error("a file of the site could not be read", error);
      rejectRequest(request, response, unreadableFile);
    }
  };

  const server = createServer(
    {
      maxHeaderSize: config.limits.headerBytes,
      requireHostHeader: false,
      connectionsCheckingInterval: 1_000,
    },
    (request, response) => {
      answer(request, response);
      traffic.count(response);
    },
  );
  server.on("checkContinue", (request, response) => {
    answer(request, response);
    traffic.count(response);
  });
  server.on("checkExpectation", (request, response) => {
    rejectRequest(request, response, unmetExpectation);
  });
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    // Others are visitors who have left.
    if (error.code?.startsWith("HPE_")) rejections.count("what cannot be read as HTTP");
    rejectUnparsable(error, socket as Socket, headers);
  });
  setLimits(server, config);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(config.port, config.host, resolve);
  });
  return { address: addressOf(server.address() as AddressInfo, config.host), close };

  function close(): Promise<void> {
    health.drain();
    // A connection that is kept for the next request would else keep the program.
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

/** Node's own limits, set on purpose. */
function setLimits(server: ReturnType<typeof createServer>, { limits }: HttpConfig): void {
  server.headersTimeout = limits.headerMs;
  // A whole upload on a slow line: 105 MB at 500 kbit/s takes 28 minutes.
  server.requestTimeout = 60 * 60_000;
  // A little over what proxies keep theirs for.
  server.keepAliveTimeout = 65_000;
  server.maxConnections = limits.connections;
  // Their size is limited; beyond a number Node would leave some out, and the guard would not see them.
  server.maxHeadersCount = 0;
}

function addressOf({ port }: AddressInfo, host: string): string {
  const isLocal = ["127.0.0.1", "::1", "0.0.0.0", "::"].includes(host);
  return `http://${isLocal ? "localhost" : host}:${port}`;
}

/** A path without slashes at its end or in a row. */
function plainPath(path: string): string {
  if (!path.endsWith("/") && !path.includes("//")) return path;
  return path.replace(/\/+/g, "/").replace(/(.)\/$/, "$1");
}

const postOnly: GuardRejection = {
  status: 405,
  code: "method_not_allowed",
  error: "Please send a POST request.",
  headers: { Allow: "POST" },
};

const unreadableFile: GuardRejection = {
  status: 503,
  code: "unavailable",
  error: "This cannot be read at the moment. Please try again in a minute.",
  headers: { "Retry-After": "60" },
};

const unmetExpectation = {
  status: 417,
  code: "unmet_expectation",
  error: "The request expects what this server does not do.",
} as const;

/** Where even the router fails: a plain page, with the name under which the log tells the cause. */
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
