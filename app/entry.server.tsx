import { PassThrough } from "node:stream";
import { createReadableStreamFromReadable } from "@react-router/node";
import { renderToPipeableStream } from "react-dom/server";
import {
  type EntryContext,
  type HandleErrorFunction,
  isRouteErrorResponse,
  type RouterContextProvider,
  ServerRouter,
} from "react-router";
import { openEncoder } from "#server/http/encoding.ts";
import { routeContext } from "./context.ts";
import type { Results } from "./domain/result.ts";
import { rendering } from "./rendering.ts";
import { RequestId } from "./ui/request-id.ts";
import { ClosedLink } from "./ui/results/closed-link.tsx";
import { ResultsView } from "./ui/results/results-view.tsx";
import { resultsOfPage, ShownResults } from "./ui/results/shown-results.ts";

/** How long a page may take to stream, in milliseconds; React Router reads this name. */
export const streamTimeout = 5_000;

export default function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  routerContext: EntryContext,
  context: Readonly<RouterContextProvider>,
): Promise<Response> {
  const { whole, nonce, requestId } = context.get(rendering);
  headers.set("Content-Type", "text/html; charset=utf-8");
  if (!headers.has("Cache-Control")) headers.set("Cache-Control", whole ? "no-cache" : "no-store");
  // Where a page takes a form only at another address of its own, as the home page does.
  if (status === 405) headers.set("Allow", "GET, HEAD");
  // A page that is asked for holds no secret that its own address does not open, so its size betrays none
  // (BREACH). A form that came back holds what was typed, and goes as it is.
  const encoder =
    whole || request.method !== "GET"
      ? undefined
      : openEncoder(request.headers.get("Accept-Encoding") ?? undefined);
  if (encoder) headers.set("Content-Encoding", encoder.encoding);
  return new Promise((resolve, reject) => {
    const { pipe, abort } = renderToPipeableStream(
      <RequestId.Provider value={requestId}>
        <ShownResults.Provider value={renderResults(context.get(resultsOfPage))}>
          <ServerRouter context={routerContext} url={request.url} {...(nonce && { nonce })} />
        </ShownResults.Provider>
      </RequestId.Provider>,
      {
        ...(nonce && { nonce }),
        [whole ? "onAllReady" : "onShellReady"]() {
          const body = encoder?.stream ?? new PassThrough();
          body.once("close", () => clearTimeout(tooLong));
          pipe(body);
          resolve(new Response(createReadableStreamFromReadable(body), { status, headers }));
        },
        onShellError: reject,
        onError: (error) => handleError(error, { request, params: {}, context }),
      },
    );
    // Held for longer than the page takes, it would hold all that the page was made of.
    const tooLong = setTimeout(abort, streamTimeout + 1_000).unref();
  });
}

/** Nothing where nobody asks. */
function renderResults(results: Results | "none" | null) {
  if (!results) return null;
  return results === "none" ? <ClosedLink /> : <ResultsView results={results} />;
}

/** What a route throws unexpectedly. A visitor who left, or asked for what is not there, is no error. */
export const handleError: HandleErrorFunction = (error, { request, context }) => {
  const isAnswer = isRouteErrorResponse(error) && error.status < 500;
  if (!request.signal.aborted && !isAnswer) context.get(routeContext).reportError(error);
};
