import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import { RouterContextProvider } from "react-router";
import { Unavailable } from "#db/store.ts";
import { type RouteContext, routeContext } from "../../context.ts";
import type { IncomingPost } from "../../domain/incoming-post.ts";
import { type Rendering, rendering } from "../../rendering.ts";
import type { Intake } from "../intake/intake.ts";
import type { Log } from "../log.ts";
import { unavailable } from "../rejection.ts";

/** The parts of a route's context that are the same for every request. */
export interface RouteServices
  extends Omit<
    RouteContext,
    "submit" | "readTexts" | "readTeamForm" | "submitTest" | "reportError"
  > {
  intake: Intake;
  log: Log;
}

/**
 * Returns the router context of one request.
 * @param incoming undefined for a request that is not a post
 */
export function routerContextFor(
  { intake, log, ...services }: RouteServices,
  pageRendering: Rendering,
  incoming: IncomingPost | undefined,
): RouterContextProvider {
  const context = new RouterContextProvider();
  context.set(rendering, pageRendering);
  context.set(routeContext, {
    ...services,
    submit: async (form) => intake.receive(form, { ...requirePost(incoming), from: "page" }),
    readTexts: async () => intake.readTexts(requirePost(incoming)),
    readTeamForm: async (token) => intake.scans.readForm(token, requirePost(incoming)),
    submitTest: async (form, testPost) =>
      intake.receive(form, {
        ...requirePost(incoming),
        contentType: testPost.headers.get("Content-Type") ?? "",
        // 0 is below every limit: the server makes this body itself, of a few kilobytes at most.
        length: 0,
        query: new URL(testPost.url).searchParams,
        source: Readable.fromWeb(testPost.body as ReadableStream),
        from: "api",
      }),
    reportError(error) {
      if (error instanceof Unavailable) pageRendering.unavailable = unavailable("GET").problem;
      const what = pageRendering.isCacheable
        ? "a page failed while being rendered for the cache"
        : `request ${pageRendering.requestId}: a page failed`;
      log.error(what, error);
    },
  });
  return context;
}

function requirePost(incoming: IncomingPost | undefined): IncomingPost {
  if (!incoming) throw new Error("Only a POST request can submit a form.");
  return incoming;
}
