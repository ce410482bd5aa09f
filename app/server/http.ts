import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createRequestHandler } from "@react-router/express";
import express, { type ErrorRequestHandler, type RequestHandler } from "express";
import { RouterContextProvider } from "react-router";
import { type Services, services as servicesContext } from "../services.ts";
import type { Config } from "./config.ts";
import { guard } from "./guard.ts";
import { setHeaders } from "./headers.ts";
import type { Log } from "./log.ts";

/** How long an answer may take to be read by somebody who is still sending. */
const lingerMs = 2_000;

/** How long requests in flight may take to finish when the program is told to stop. */
const graceMs = 30_000;

export interface Http {
  address: string;
  close(): Promise<void>;
}

/** The web server: headers, guard and assets in front, the pages behind. Listens when it resolves. */
export async function openHttp(
  config: Pick<Config, "host" | "port">,
  services: Services,
  assets: RequestHandler,
  log: Log,
): Promise<Http> {
  const app = express();
  app.disable("x-powered-by");
  app.use(cutOffAfterAnswer);
  app.use(setHeaders);
  app.use(assets);
  app.use(guard);
  app.use(
    createRequestHandler({
      build: await pages(),
      getLoadContext: () => {
        const context = new RouterContextProvider();
        context.set(servicesContext, services);
        return context;
      },
    }),
  );
  const answerFailure: ErrorRequestHandler = (error, _request, response, next) => {
    log.error("a request failed", error);
    if (response.headersSent) return next(error);
    response.status(500).type("text").send("Something went wrong on our side. Please try again.");
  };
  app.use(answerFailure);

  const server = createServer(app);
  // A whole upload on a slow line: 105 MB at 500 kbit/s takes 28 minutes.
  server.requestTimeout = 60 * 60_000;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(config.port, config.host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  const host = ["127.0.0.1", "::1", "0.0.0.0", "::"].includes(config.host)
    ? "localhost"
    : config.host;
  return {
    address: `http://${host}:${port}`,
    close: () =>
      new Promise((resolve) => {
        const impatience = setTimeout(() => server.closeAllConnections(), graceMs);
        server.close(() => {
          clearTimeout(impatience);
          resolve();
        });
        server.closeIdleConnections();
      }),
  };
}

/** Whoever goes on sending when the answer is out, beyond what was drained, is cut off. */
const cutOffAfterAnswer: RequestHandler = (request, response, next) => {
  response.on("finish", () => {
    if (!request.complete) setTimeout(() => request.socket.destroy(), lingerMs).unref();
  });
  next();
};

/** In development the pages are imported again after every change; built, they are part of the program. */
async function pages() {
  const load = () => import("virtual:react-router/server-build");
  return import.meta.env.DEV ? load : await load();
}
