import type { Socket } from "node:net";
import type { Config } from "../config/config.ts";
import { variableOf } from "../config/settings-table.ts";
import type { Intake } from "../intake/intake.ts";
import type { Log } from "../log.ts";
import { Rejection } from "../rejection.ts";
import { clientAddressReader } from "./client-address.ts";
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
import type { RouteServices } from "./router-context.ts";
import type { Traffic } from "./traffic.ts";

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
  const handlers = await orderedHandlers(config, dependencies, headers);
  const options = {
    headers,
    clientAddressOf: clientAddressReader(config.trustedProxies, untrustedWarning(log)),
  };
  const rejections = new RejectionLog(log);

  const handle = async (exchange: Exchange) => {
    try {
      for (const handler of handlers) {
        const handled = handler(exchange);
        if (handled && (await handled)) return;
      }
    } catch (error) {
      if (error instanceof Rejection) {
        rejections.count(`${error.status} ${error.code}`);
        sendRejection(exchange, error);
      } else {
        log.error(`request ${exchange.id} failed`, error);
        sendFailure(exchange);
      }
    }
  };

  let draining = false;
  const server = createLimitedServer(config.limits, (request, response) => {
    if (draining) response.setHeader("Connection", "close");
    void handle(new Exchange(request, response, options));
    traffic.count(response);
  });
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

/** Warns once: a client may send the header as well. */
function untrustedWarning(log: Log): () => void {
  let warned = false;
  return () => {
    if (!warned) {
      log.warn(
        `a request was forwarded by an address that is not in ${variableOf("TRUSTED_PROXIES")}: if it is your proxy, its visitors share the limits of one address`,
      );
    }
    warned = true;
  };
}

/** Each handler responds, passes the exchange on to the next one, or throws a Rejection. */
async function orderedHandlers(
  config: HttpConfig,
  { services, cacheRules, intake, files, health, traffic, metrics, log }: HttpDependencies,
  headers: ResponseHeaders,
): Promise<Handler[]> {
  const site = config.publicUrl === undefined ? undefined : new URL(config.publicUrl);
  const pages = await loadPages();
  const render = cacheRenderer(pages, services);
  const cache = new PageCache({ rules: cacheRules, headers, render, traffic, log });
  const isPage = (path: string) => cacheRules.paths.has(path);
  const isKnown = (path: string) => isPage(path) || isPostTarget(path);
  return [
    healthHandler(health),
    metrics,
    guard(site, config.limits.maxBodyBytes),
    cache.handleCached,
    redirectToCanonicalPath,
    acceptPosts(isPage, openRateLimit(config)),
    files(headers),
    endpointHandler(intake, log),
    cache.handleCacheable,
    pageHandler(pages, services, isKnown),
  ];
}
