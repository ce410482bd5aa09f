import { ReadableStream } from "node:stream/web";
import { createRequestHandler } from "@react-router/express";
import express, {
  type Express,
  type Request as ExpressRequest,
  type Response as ExpressResponse,
} from "express";
import type { RouterContextProvider } from "react-router";
import type { IncomingPost } from "../../domain/incoming-post.ts";
import type { Pages } from "./pages.ts";

/** Kept by Express with the response. */
export interface Locals {
  context: RouterContextProvider;
  incoming: IncomingPost | undefined;
}

/** Returns the Express app that passes all requests to React Router. */
export function expressApp(pages: Pages): Express {
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  app.post("/{*path}", async (request, response) => {
    const { context, incoming } = response.locals as Locals;
    await send(await pages.handle(postRequest(request, incoming!), context), response);
  });
  app.use(
    createRequestHandler({
      build: pages.build,
      getLoadContext: (_request, { locals }) => (locals as Locals).context,
    }),
  );
  return app;
}

/**
 * Returns the request that a page's action gets. Its body is read from the connection only if the
 * action asks for it: the intake reads the connection itself, because through the adapter's streams
 * an upload would take half as long again.
 */
function postRequest(
  { protocol, host, originalUrl, headers }: ExpressRequest,
  { source, signal }: IncomingPost,
): Request {
  const init: RequestInit & { duplex: "half" } = {
    method: "POST",
    headers: Object.entries(headers).map(([name, value]) => [name, String(value)]),
    signal,
    body: ReadableStream.from(source) as BodyInit,
    duplex: "half",
  };
  return new Request(`${protocol}://${host}${originalUrl}`, init);
}

/** Sends the response in one piece: it is short, a page with a form or a few lines of JSON. */
async function send(rendered: Response, response: ExpressResponse): Promise<void> {
  const body = Buffer.from(await rendered.arrayBuffer());
  if (response.destroyed) return;
  response.status(rendered.status);
  for (const [name, value] of rendered.headers) response.setHeader(name, value);
  response.end(body);
}
