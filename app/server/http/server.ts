import type { Socket } from "node:net";
import express, {
  type ErrorRequestHandler,
  type Express,
  type Request,
  type RequestHandler,
  type Response,
} from "express";
import { Unavailable } from "#db/store.ts";
import { acceptsPosts, operatorPaths } from "../../site.ts";
import type { Config } from "../config/load-config.ts";
import { variableOf } from "../config/settings-table.ts";
import { maxPostBytes } from "../intake/body.ts";
import type { Log } from "../log.ts";
import { Rejection, unavailable } from "../rejection.ts";
import { cacheRulesFor } from "./cache-rules.ts";
import { isClientUnknown, knownClientTest, trustedProxyTest } from "./client-address.ts";
import { type ConnectionCount, inOrder, limitConnections } from "./connections.ts";
import { downloadFiles } from "./download-files.ts";
import { addEndpoints } from "./endpoints.ts";
import { guard, redirectToCanonicalPath } from "./guard.ts";
import { commonHeaders, type ResponseHeaders, setHeaders } from "./headers.ts";
import { closeGracefully, createLimitedServer, listen } from "./node-server.ts";
import { PageCache } from "./page-cache.ts";
import { cacheRenderer, type Pages, pageHandler } from "./pages.ts";
import { acceptPosts, formPageAt, isPostTarget, prefersHtml, rewriteFormPosts } from "./posts.ts";
import { chooseLimitKey, limitMarking } from "./private-links.ts";
import { openRateLimit } from "./rate-limit.ts";
import { type Health, proxyCheck, reportLiveness, reportReadiness } from "./readiness-checks.ts";
import {
  type DrainRequest,
  disconnectAfterResponse,
  openDrains,
  rejectUnparsable,
  sendFailure,
  sendProblem,
} from "./reject.ts";
import { RejectionLog } from "./rejection-log.ts";
import { openRejectionPages } from "./rejection-pages.ts";
import { logRequest } from "./request-log.ts";
import type { RouteServices } from "./router-context.ts";
import { countResponse, type Traffic } from "./traffic.ts";
import {
  beginInTurns,
  openPageTurns,
  openTurns,
  renderLimits,
  takeTurnsByLink,
  takeTurnsForPictures,
} from "./turns.ts";

interface HttpServer {
  address: string;
  close(): Promise<void>;
}

export interface HttpDependencies {
  pages: Pages;
  services: RouteServices;
  /** Responds to requests for the built files, such as scripts and styles. */
  files: RequestHandler;
  health: Health;
  traffic: Traffic;
  metrics: RequestHandler;
}

/** Starts the web server; resolves once it listens. */
export async function openHttpServer(
  config: Config,
  dependencies: HttpDependencies,
): Promise<HttpServer> {
  const { health, services } = dependencies;
  const headers = commonHeaders(config);
  const rejections = new RejectionLog(services.log);
  const connections = { accepted: 0 };
  const app = createApp(config, dependencies, { rejections, connections });
  let isDraining = false;
  const listener = inOrder((request, response) => {
    if (isDraining) response.setHeader("Connection", "close");
    // Express ends here with an absolute URL that it cannot parse. Its own 404 would first read the body, however long.
    const end = () => response.writeHead(400, { Connection: "close", "Content-Length": 0 }).end();
    app(request as Request, response as Response, end);
  });
  const server = createLimitedServer(listener);
  limitConnections(server, {
    isTrustedProxy: trustedProxyTest(config),
    onReject: () => rejections.count("too many connections"),
    count: connections,
  });
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    // HPE_ codes are parser errors, except HPE_INVALID_EOF_STATE: the request broke off. Other codes mean a dropped
    // connection or a timeout.
    const isBrokenOff = error.code === "HPE_INVALID_EOF_STATE";
    if (error.code?.startsWith("HPE_") && !isBrokenOff) rejections.count("malformed HTTP");
    rejectUnparsable(error, socket as Socket, headers);
  });
  const address = await listen(server, config.listenAddress);
  return {
    address,
    async close() {
      health.drain();
      // Responses close their connections from now on, because idle ones would delay the shutdown.
      isDraining = true;
      services.intake.turns.stop();
      await closeGracefully(server);
      rejections.report();
    },
  };
}

/** Returns the Express application: each middleware responds, calls the next one, or throws. */
function createApp(
  config: Config,
  { pages, services, files, health, metrics, traffic }: HttpDependencies,
  { rejections, connections }: { rejections: RejectionLog; connections: ConnectionCount },
): Express {
  const { log } = services;
  const rules = cacheRulesFor(services.articles);
  const { publicUrl, formOrigins } = config;
  const site = publicUrl === undefined ? undefined : new URL(publicUrl);
  const render = cacheRenderer(pages, services);
  const headers = commonHeaders(config);
  const cache = new PageCache({ rules, headers, render, log });
  const drain = openDrains(connections);
  const isPage = (path: string) => rules.paths.has(path) || acceptsPosts(path);
  const isKnown = (path: string) => isPage(path) || isPostTarget(path);
  const app = express()
    .disable("x-powered-by")
    .disable("etag")
    .disable("query parser")
    .enable("case sensitive routing")
    .enable("strict routing")
    .set("trust proxy", trustedProxyTest(config));
  app.use(beginInTurns());
  app.use(countResponse(traffic));
  app.use(warnOfUnknownClients(health, log));
  app.use(guard(site, formOrigins, maxPostBytes(config.maxFileBytes)));
  app.use(rewriteFormPosts);
  app.use(cache.pages);
  app.use(files);
  app.use(downloadFiles(services.downloads, headers));
  app.use(setHeaders(headers));
  app.get("/healthz", reportLiveness);
  app.get("/readyz", reportReadiness(health, knownClientTest(config.metricsNetworks)));
  app.get("/metrics", metrics);
  app.use(redirectToCanonicalPath(drain));
  app.use(takeTurnsByLink());
  const kindOf = services.desk.findLinkKind;
  app.use(
    limitMarking(config.markingNetworks, async (token) => (await kindOf(token)) !== "decide"),
  );
  app.use(chooseLimitKey(async (token) => (await kindOf(token)) !== undefined));
  app.use(takeTurnsForPictures());
  const takeTurn = openTurns(renderLimits, connections);
  app.use(acceptPosts(isPage, openRateLimit(config), takeTurn));
  addEndpoints(app, services);
  app.use(cache.unknownPages);
  app.use(logRequest(log, isKnown));
  app.use(disconnectAfterResponse);
  app.use(pageHandler(pages, services, openPageTurns(takeTurn)));
  const sendPage = openRejectionPages(drain, render);
  app.use(errorHandler(headers, { isPage, drain, sendPage, rejections, log }));
  return app;
}

interface ErrorDependencies {
  isPage(path: string): boolean;
  drain: DrainRequest;
  sendPage: ReturnType<typeof openRejectionPages>;
  rejections: RejectionLog;
  log: Log;
}

function errorHandler(
  headers: ResponseHeaders,
  { isPage, drain, sendPage, rejections, log }: ErrorDependencies,
): ErrorRequestHandler {
  return async (thrown, request, response, _next) => {
    const error = thrown instanceof Unavailable ? unavailable(request.method) : thrown;
    if (!response.headersSent) response.set(headers);
    try {
      if (!(error instanceof Rejection)) throw error;
      // A client that has left while it waited was not rejected.
      if (response.closed) return;
      rejections.count(`${error.status} ${error.code}`);
      const isForPeople = error.retryAfter !== undefined || error.code === "not_here";
      const formPage =
        error.code === "other_site" && prefersHtml(request) ? formPageAt(request.path) : undefined;
      if (formPage) {
        await sendPage(request, response, { ...error.problem, formPage });
      } else if (isForPeople && isPage(request.path)) {
        await sendPage(request, response, error.problem);
      } else {
        const draining = drain(request, response);
        if (draining) await draining;
        const { problem, allow } = error;
        sendProblem(response, problem, allow === undefined ? {} : { Allow: allow });
      }
    } catch (cause) {
      sendFailure(response, log, cause);
    }
  };
}

/** Returns middleware that warns of a wrong proxy once: any client could fill the log with forwarded requests. */
function warnOfUnknownClients(health: Health, log: Log): RequestHandler {
  let hasWarned = false;
  return (request, _response, next) => {
    // Requests of the command `health` have no X-Forwarded-For either, so they say nothing about a proxy.
    if (!hasWarned && !operatorPaths.includes(request.url) && isClientUnknown(request)) {
      hasWarned = true;
      const cause =
        request.headers["x-forwarded-for"] === undefined
          ? "came without X-Forwarded-For"
          : `was forwarded by an address that is not in ${variableOf("TRUSTED_PROXIES")}`;
      health.report(proxyCheck, `a request ${cause}`);
      log.warn(
        `a request ${cause}: if it is your proxy's, its visitors share the limits of one address`,
      );
    }
    next();
  };
}
