import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { acceptsPosts } from "../../site.ts";
import type { Config } from "../config/config.ts";
import type { Intake } from "../intake/intake.ts";
import type { Log } from "../log.ts";
import { Rejection } from "../rejection.ts";
import { clientAddressReader, countedClient, networkList } from "./client-address.ts";
import { Connections } from "./connections.ts";
import { endpointHandler } from "./endpoints.ts";
import { Exchange, type Handler } from "./exchange.ts";
import { guard, redirectToCanonicalPath } from "./guard.ts";
import { commonHeaders, type ResponseHeaders } from "./headers.ts";
import { type Health, healthHandler } from "./health.ts";
import { closeGracefully, createLimitedServer, listen } from "./limits.ts";
import { type CacheRules, PageCache } from "./page-cache.ts";
import { cacheRenderer, loadPages, pageHandler } from "./pages.ts";
import { acceptPosts, isPostTarget } from "./posts.ts";
import { openRateLimit } from "./rate-limit.ts";
import { rejectUnparsable, sendFailure, sendRejection } from "./reject.ts";
import { RejectionLog } from "./rejection-log.ts";
import { RejectionPages } from "./rejection-pages.ts";
import { RenderQueue } from "./render-queue.ts";
import type { RouteServices } from "./router-context.ts";
import type { Traffic } from "./traffic.ts";

/**
 * Time before a client that is over a limit gets its rejection. Without it, a client that repeats a
 * rejected request at once would keep the server from handling those of others.
 */
const overLimitMs = 1_000;

export interface HttpServer {
  address: string;
  close(): Promise<void>;
}

type HttpConfig = Pick<
  Config,
  "host" | "port" | "publicUrl" | "maxPosts" | "maxUploads" | "trustedProxies" | "limits"
>;

export interface HttpDependencies {
  services: RouteServices;
  cacheRules: CacheRules;
  intake: Pick<Intake, "receive" | "findStep">;
  /** @param headers sent with every response */
  files: (headers: ResponseHeaders) => Handler;
  health: Health;
  traffic: Traffic;
  metrics: Handler;
  log: Log;
}

/** Starts the web server; resolves once it listens. */
export async function openHttpServer(
  config: HttpConfig,
  dependencies: HttpDependencies,
): Promise<HttpServer> {
  const { health, traffic, log } = dependencies;
  const headers = commonHeaders(config.publicUrl?.startsWith("https:") ?? false);
  const renders = new RenderQueue();
  const { handlers, reject } = await orderedHandlers(config, dependencies, headers, renders);
  const clientAddressOf = clientAddressReader(config.trustedProxies);
  const options = { headers, clientAddressOf };
  const rejections = new RejectionLog(log);

  const handle = async (exchange: Exchange) => {
    try {
      const rejection = await runHandlers(handlers, exchange);
      if (!rejection) return;
      rejections.count(`${rejection.status} ${rejection.code}`);
      if (rejection.retryAfter !== undefined) {
        // Discards the body, which would fill the connection's buffers meanwhile.
        exchange.request.resume();
        await sleep(overLimitMs);
      }
      await reject(exchange, rejection);
    } catch (error) {
      log.error(`request ${exchange.id} failed`, error);
      sendFailure(exchange);
    }
  };

  const connections = new Connections({
    max: config.limits.connections,
    writeTimeoutMs: config.limits.writeTimeoutMs,
    isTrustedProxy: networkList(config.trustedProxies),
    clientOf: (request) => countedClient(clientAddressOf(request), request),
    onRevoke: () => rejections.count("too many connections"),
  });
  let draining = false;
  const listener = connections.inOrder((request, response) => {
    if (draining) response.setHeader("Connection", "close");
    void handle(new Exchange(request, response, options));
    traffic.count(response);
  });
  const server = createLimitedServer(config.limits, listener);
  connections.watch(server);
  server.on("connection", renders.deferForConnection);
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    // HPE_ codes are parser errors; the others are dropped connections and timeouts.
    if (error.code?.startsWith("HPE_")) rejections.count("malformed HTTP");
    rejectUnparsable(error, socket as Socket, headers);
  });
  const address = await listen(server, config.port, config.host);
  return {
    address,
    async close() {
      health.drain();
      // Idle keep-alive connections would otherwise delay the shutdown.
      draining = true;
      await closeGracefully(server);
      rejections.report();
    },
  };
}

/** Returns the Rejection that a handler has thrown; undefined if the response is sent. */
async function runHandlers(
  handlers: Handler[],
  exchange: Exchange,
): Promise<Rejection | undefined> {
  try {
    for (const handler of handlers) {
      const handled = handler(exchange);
      if (handled && (await handled)) return undefined;
    }
    return undefined;
  } catch (error) {
    if (error instanceof Rejection) return error;
    throw error;
  }
}

/**
 * Returns the handlers, each of which responds, passes the exchange on to the next one, or throws a
 * Rejection; and a function that responds with that.
 */
async function orderedHandlers(
  config: HttpConfig,
  { services, cacheRules, intake, files, health, traffic, metrics, log }: HttpDependencies,
  headers: ResponseHeaders,
  renders: RenderQueue,
): Promise<{
  handlers: Handler[];
  reject: (exchange: Exchange, rejection: Rejection) => Promise<void> | void;
}> {
  const site = config.publicUrl === undefined ? undefined : new URL(config.publicUrl);
  const pages = await loadPages();
  const render = cacheRenderer(pages, services);
  const cache = new PageCache({ rules: cacheRules, headers, render, traffic, log });
  const rejectionPages = new RejectionPages(render, headers);
  const isPage = (path: string) => cacheRules.paths.has(path);
  const isKnown = (path: string) => isPage(path) || isPostTarget(path);
  const handlers = [
    guard(site, config.limits.maxBodyBytes),
    healthHandler(health, renders),
    metrics,
    cache.handleCached,
    redirectToCanonicalPath,
    acceptPosts(isPage, openRateLimit(config)),
    files(headers),
    endpointHandler(intake, log),
    cache.handleCacheable,
    pageHandler(pages, services, renders, isKnown),
  ];
  return {
    handlers,
    reject: (exchange, rejection) =>
      rejection.retryAfter !== undefined && (isPage(exchange.path) || acceptsPosts(exchange.path))
        ? rejectionPages.send(exchange, rejection)
        : sendRejection(exchange, rejection),
  };
}
