import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { ArticleDownload } from "../../domain/article.ts";
import { acceptsPosts, operatorPaths } from "../../site.ts";
import type { Config } from "../config/config.ts";
import { variableOf } from "../config/settings-table.ts";
import type { Log } from "../log.ts";
import { Rejection } from "../rejection.ts";
import { showBrowserForms } from "./browser-forms.ts";
import {
  clientAddressReader,
  countedClient,
  networkList,
  trustedProxyTest,
} from "./client-address.ts";
import { Connections, connectionLimits } from "./connections.ts";
import { DelayedRejections } from "./delayed-rejections.ts";
import { downloadFiles } from "./download-files.ts";
import { endpointHandler, type UploadIntake } from "./endpoints.ts";
import { Exchange, type Handler } from "./exchange.ts";
import { guard, redirectToCanonicalPath } from "./guard.ts";
import { commonHeaders, type ResponseHeaders } from "./headers.ts";
import { type Health, healthHandler } from "./health.ts";
import { closeGracefully, createLimitedServer, listen } from "./node-server.ts";
import { type CacheRules, PageCache } from "./page-cache.ts";
import { cacheRenderer, type Pages, pageHandler } from "./pages.ts";
import { acceptPosts, isPostTarget } from "./posts.ts";
import { openRateLimit } from "./rate-limit.ts";
import { rejectUnparsable, sendFailure, sendRejection } from "./reject.ts";
import { RejectionLog } from "./rejection-log.ts";
import { RenderQueue } from "./render-queue.ts";
import type { RouteServices } from "./router-context.ts";
import type { Traffic } from "./traffic.ts";

interface HttpServer {
  address: string;
  close(): Promise<void>;
}

type HttpConfig = Pick<
  Config,
  | "listenAddress"
  | "publicUrl"
  | "maxPosts"
  | "maxUploads"
  | "trustedProxies"
  | "metricsNetworks"
  | "formOrigins"
>;

export interface HttpDependencies {
  pages: Pages;
  services: RouteServices;
  cacheRules: CacheRules;
  intake: UploadIntake;
  /** @param headers sent with every response */
  files: (headers: ResponseHeaders) => Handler;
  downloads: ArticleDownload[];
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
  const { pages, cacheRules, health, log, services, traffic } = dependencies;
  const headers = commonHeaders(config.publicUrl?.startsWith("https:") ?? false);
  const render = cacheRenderer(pages, services);
  const renders = new RenderQueue();
  const isPage = (path: string) => cacheRules.paths.has(path) || acceptsPosts(path);
  const rendering = { headers, pages, isPage, render, renders };
  const handlers = orderedHandlers(config, dependencies, rendering);
  const delayed = new DelayedRejections({ render, headers, isPage });
  const rejections = new RejectionLog(log);
  const isTrustedProxy = trustedProxyTest(config);
  const clientAddressOf = clientAddressReader(isTrustedProxy, unknownClientWarning(config, log));

  const handle = exchangeHandler(handlers, { delayed, rejections, log });
  const connections = new Connections({
    ...connectionLimits,
    isTrustedProxy,
    clientOf: (request) => countedClient(clientAddressOf(request), request),
    onRevoke: () => rejections.count("too many connections"),
  });
  let isDraining = false;
  const listener = connections.inOrder((request, response) => {
    if (isDraining) response.setHeader("Connection", "close");
    void handle(new Exchange(request, response, { headers, clientAddressOf }));
    traffic.count(response);
  });
  const server = createLimitedServer(listener);
  connections.watch(server);
  server.on("connection", renders.deferForConnection);
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    // HPE_ codes are parser errors; the others are dropped connections and timeouts.
    if (error.code?.startsWith("HPE_")) rejections.count("malformed HTTP");
    rejectUnparsable(error, socket as Socket, headers);
  });
  const address = await listen(server, config.listenAddress);
  return {
    address,
    async close() {
      health.drain();
      // Idle keep-alive connections would otherwise delay the shutdown.
      isDraining = true;
      await closeGracefully(server);
      rejections.report();
    },
  };
}

interface PageRendering {
  headers: ResponseHeaders;
  pages: Pages;
  isPage(path: string): boolean;
  render: ReturnType<typeof cacheRenderer>;
  renders: RenderQueue;
}

/** Each handler responds, passes the exchange on to the next one, or throws a Rejection. */
function orderedHandlers(
  config: HttpConfig,
  dependencies: HttpDependencies,
  { headers, pages, isPage, render, renders }: PageRendering,
): Handler[] {
  const { services, cacheRules, intake, files, downloads, traffic, log } = dependencies;
  const { publicUrl, formOrigins } = config;
  const site = publicUrl === undefined ? undefined : new URL(publicUrl);
  const cache = new PageCache({ rules: cacheRules, headers, render, traffic, log });
  const isKnown = (path: string) => isPage(path) || isPostTarget(path);
  return [
    guard(site, formOrigins),
    showBrowserForms,
    healthHandler(dependencies.health, networkList(config.metricsNetworks), renders),
    dependencies.metrics,
    cache.handleCached,
    redirectToCanonicalPath,
    acceptPosts(isPage, openRateLimit(config)),
    files(headers),
    downloadFiles(downloads, headers),
    endpointHandler(intake, log),
    cache.handleCacheable,
    pageHandler(pages, services, renders, isKnown),
  ];
}

/** Returns a function that passes an exchange to the handlers, and responds to what they throw. */
function exchangeHandler(
  handlers: Handler[],
  { delayed, rejections, log }: { delayed: DelayedRejections; rejections: RejectionLog; log: Log },
): (exchange: Exchange) => Promise<void> {
  const fail = (exchange: Exchange, error: unknown) => {
    log.error(`request ${exchange.id} failed`, error);
    sendFailure(exchange);
  };
  return async (exchange) => {
    try {
      for (const handler of handlers) {
        const handled = handler(exchange);
        if (handled && (await handled)) return;
      }
    } catch (error) {
      if (!(error instanceof Rejection)) return fail(exchange, error);
      rejections.count(`${error.status} ${error.code}`);
      // At once: the parser may find an error in the body next.
      if (error.retryAfter === undefined) return sendRejection(exchange, error);
      await delayed.send(exchange, error).catch((cause) => fail(exchange, cause));
    }
  };
}

/** Warns once: a client may send the header as well. */
function unknownClientWarning({ listenAddress }: HttpConfig, log: Log) {
  const cause =
    "path" in listenAddress
      ? "came without X-Forwarded-For"
      : `was forwarded by an address that is not in ${variableOf("TRUSTED_PROXIES")}`;
  let hasWarned = false;
  return ({ url }: IncomingMessage) => {
    // The command health comes without the header too.
    if (hasWarned || operatorPaths.includes(url!)) return;
    hasWarned = true;
    log.warn(
      `a request ${cause}: if it is your proxy's, its visitors share the limits of one address`,
    );
  };
}
