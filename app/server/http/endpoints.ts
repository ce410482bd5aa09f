import type { IncomingMessage } from "node:http";
import type { IncomingPost } from "../../domain/incoming-post.ts";
import { allForms } from "../../forms/all-forms.ts";
import { type Form, hasFiles } from "../../forms/form.ts";
import {
  apiDescriptionPath,
  generatedFiles,
  isApiPath,
  notFoundPath,
  resultsApiPrefix,
} from "../../site.ts";
import type { Intake } from "../intake/intake.ts";
import { staleManifest } from "../intake/resumable-upload.ts";
import type { Log } from "../log.ts";
import { Rejection } from "../rejection.ts";
import type { Exchange, Handler } from "./exchange.ts";
import { disconnectAfterResponse, sendProblem } from "./reject.ts";
import { logWhenDone } from "./request-log.ts";

/** The forms by the paths of their endpoints. */
export const endpoints: ReadonlyMap<string, Form> = new Map(
  allForms.map((form) => [form.endpoint, form]),
);

export type UploadIntake = Pick<Intake, "receive" | "findUpload" | "findProgress">;

/**
 * Handles the endpoints. Bypasses the router, whose matching and web Request and Response objects
 * would take longer than all other work.
 */
export function endpointHandler(intake: UploadIntake, log: Log): Handler {
  return (exchange) => {
    const form = endpoints.get(exchange.path);
    if (!form) {
      if (isApiPath(exchange.path) && !isPageRoute(exchange.path)) {
        if (!exchange.prefersHtml) throw notFound();
        exchange.request.url = notFoundPath;
      }
      return false;
    }
    if (exchange.incoming) return receivePost(form, exchange, exchange.incoming, { intake, log });
    const uploadId = uploadIdIn(exchange.request);
    // With an id it asks what has arrived of an upload; with `?progress`, how far its post is.
    if (!hasFiles(form) || !uploadId) {
      const allow = "POST";
      throw new Rejection(405, "method_not_allowed", "Please send a POST request.", { allow });
    }
    if (exchange.query.has("progress")) {
      exchange.sendJson(200, intake.findProgress(form.name, uploadId));
      return true;
    }
    return intake.findUpload(form.name, uploadId).then((status) => {
      // On a connection that was used before, browsers repeat a whole post after a loss, unasked.
      exchange.sendJson(200, status, { Connection: "close" });
      return true;
    });
  };
}

/** Whether a path below /api/ is a route's: the results of a link, their files, the description. */
const isPageRoute = (path: string) =>
  generatedFiles.some((file) => file.path === path) ||
  (path.startsWith(resultsApiPrefix) &&
    /^[^/]+(\/[^/]+)?$/.test(path.slice(resultsApiPrefix.length)));

const notFound = () =>
  new Rejection(
    404,
    "not_found",
    `There is no endpoint at this address. The endpoints are listed at ${apiDescriptionPath}.`,
  );

/**
 * The secret id of an upload: in a header, because URLs are logged. Undefined if it is missing or
 * malformed; 22 characters of base64url have 128 bits.
 */
export function uploadIdIn({ headers }: IncomingMessage): string | undefined {
  const id = headers["upload-id"];
  return typeof id === "string" && /^[\w-]{22,64}$/.test(id) ? id : undefined;
}

/** Responds with 201 `{message, id, reference}`, or the problem's status and `{error, code, fields}`. */
async function receivePost(
  { name, messages }: Form,
  exchange: Exchange,
  incoming: IncomingPost,
  { intake, log }: { intake: Pick<Intake, "receive">; log: Log },
): Promise<true> {
  logWhenDone(exchange, exchange.path, log);
  disconnectAfterResponse(exchange);
  const outcome = await intake.receive(name, { ...incoming, from: "api" });
  const headers = { "X-Request-Id": exchange.id };
  if (outcome.received) {
    const { id, reference } = outcome;
    exchange.sendJson(201, { message: messages.received, id, reference }, headers);
  } else {
    // `problem` is undefined only when a page removes a draft file.
    const problem = outcome.problem!;
    if (problem.code === staleManifest) {
      exchange.response.on("finish", () => exchange.request.socket.destroySoon());
    }
    sendProblem(exchange, problem, headers);
  }
  return true;
}
