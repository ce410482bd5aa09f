import { PassThrough, pipeline } from "node:stream";
import { constants, createBrotliCompress, createGzip } from "node:zlib";
import { createReadableStreamFromReadable } from "@react-router/node";
import { renderToPipeableStream } from "react-dom/server";
import {
  type EntryContext,
  type HandleErrorFunction,
  isRouteErrorResponse,
  type RouterContextProvider,
  ServerRouter,
} from "react-router";
import { routeContext } from "./context.ts";
import { rendering } from "./rendering.ts";
import { LoaderUrl } from "./ui/island.tsx";
import { RequestId } from "./ui/request-id.ts";

/** How long a page waits for its late part, in milliseconds. React Router reads this export. */
export const streamTimeout = 5_000;

const unlimited = Number.MAX_SAFE_INTEGER;

/** Fast encoders for pages that are sent once; the cache compresses its pages better (server/http/encoding.ts). */
const encoders = {
  br: () => createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: () => createGzip(),
  identity: () => undefined,
};

export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  routerContext: EntryContext,
  context: Readonly<RouterContextProvider>,
): Promise<Response> {
  const { isCacheable, encoding, streaming, requestId, turns } = context.get(rendering);
  headers.set("Content-Type", "text/html; charset=utf-8");
  if (!headers.has("Cache-Control"))
    headers.set("Cache-Control", isCacheable ? "no-cache" : "no-store");
  // A post to / without ?index reaches the root route in place of the home page, and the root route has no action.
  if (status === 405) headers.set("Allow", "GET, HEAD");
  const late = streaming?.late;
  const encoder = encoders[request.method === "GET" ? encoding : "identity"]();
  if (encoder) headers.set("Content-Encoding", encoding);
  await turns?.takeToRender();
  return new Promise((resolve, reject) => {
    const send = () => {
      // Rendering never waits for a slow client: the rest of a page takes far less memory than a render in progress.
      const body = new PassThrough({ highWaterMark: unlimited });
      body.once("close", () => clearTimeout(abortTimer));
      // Other pages may render now. This page keeps its place, because it is in memory until the client has read it.
      body.once("finish", () => turns?.pause());
      if (encoder) pipeline(encoder, body, () => {});
      pipe(encoder ?? body);
      // Late parts take another turn, so let other pages render until then.
      if (late) turns?.pause();
      resolve(new Response(createReadableStreamFromReadable(body), { status, headers }));
    };
    const { pipe, abort } = renderToPipeableStream(
      <RequestId.Provider value={requestId}>
        <LoaderUrl.Provider value={routerContext.manifest.entry.module}>
          <ServerRouter context={routerContext} url={request.url} />
        </LoaderUrl.Provider>
      </RequestId.Provider>,
      {
        ...(streaming && { nonce: streaming.nonce }),
        // Without this, React sends large parts after the page, with a script, even if they are ready.
        progressiveChunkSize: unlimited,
        ...(late ? { onShellReady: send } : { onAllReady: send }),
        onShellError: reject,
        onError: (error) => handleError(error, { request, params: {}, context }),
      },
    );
    // Only late parts can hang. The timer is cleared when the body closes, because it keeps the whole render in memory.
    const abortTimer = late && setTimeout(abort, streamTimeout + 1_000).unref();
    // Never abort once the class has arrived: a page that was cut off would not say that learners are missing.
    late?.then(
      () => clearTimeout(abortTimer),
      () => {},
    );
  });
}

/** Logs unexpected errors of routes, but not aborted requests, rejections or responses below 500. */
export const handleError: HandleErrorFunction = (error, { request, context }) => {
  const isExpected =
    isRouteErrorResponse(error) && (error.status < 500 || context.get(rendering).rejection);
  if (!request.signal.aborted && !isExpected) context.get(routeContext).reportError(error);
};
