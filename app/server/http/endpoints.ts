import type { IncomingMessage } from "node:http";
import type { Express, Request, RequestHandler, Response } from "express";
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
import { rewriteUrl } from "./guard.ts";
import { sendJson } from "./headers.ts";
import { prefersHtml, queryOf } from "./posts.ts";
import { disconnectAfterResponse, sendProblem } from "./reject.ts";
import { logRequest } from "./request-log.ts";

/** The forms by the paths of their endpoints. */
export const endpoints: ReadonlyMap<string, Form> = new Map(
  allForms.map((form) => [form.endpoint, form]),
);

export type UploadIntake = Pick<Intake, "receive" | "findUpload" | "findProgress">;

/**
 * Adds the endpoints to the application. They bypass React Router, whose matching and web Request and
 * Response objects would take longer than all other work.
 */
export function addEndpoints(app: Express, intake: UploadIntake, log: Log): void {
  for (const [path, form] of endpoints) {
    app.post(path, logRequest(log), disconnectAfterResponse, (_request, response) =>
      receivePost(form, response, intake),
    );
    app.get(path, (request, response) => reportUpload(form, request, response, intake));
  }
  app.use(rejectUnknown);
}

/** People get the page for unknown addresses. */
const rejectUnknown: RequestHandler = (request, _response, next) => {
  if (isApiPath(request.path) && !isPageRoute(request.path)) {
    if (!prefersHtml(request)) throw notFound();
    rewriteUrl(request, notFoundPath);
  }
  next();
};

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

/** Responds with what has arrived of an upload; with `?progress`, how far its post is. */
async function reportUpload(
  form: Form,
  request: Request,
  response: Response,
  intake: UploadIntake,
): Promise<void> {
  const uploadId = uploadIdIn(request);
  if (!hasFiles(form) || !uploadId) {
    const allow = "POST";
    throw new Rejection(405, "method_not_allowed", "Please send a POST request.", { allow });
  }
  if (queryOf(request).has("progress")) {
    sendJson(response, 200, intake.findProgress(form.name, uploadId));
    return;
  }
  const status = await intake.findUpload(form.name, uploadId);
  // On a connection that was used before, browsers repeat a whole post after a loss, unasked.
  sendJson(response, 200, status, { Connection: "close" });
}

/** Responds with 201 `{message, id, reference}`, or the problem's status and `{error, code, fields}`. */
async function receivePost(
  { name, messages }: Form,
  response: Response,
  intake: UploadIntake,
): Promise<void> {
  const { incoming, requestId } = response.locals;
  const outcome = await intake.receive(name, { ...incoming!, from: "api" });
  const headers = { "X-Request-Id": requestId! };
  if (outcome.received) {
    const { id, reference } = outcome;
    sendJson(response, 201, { message: messages.received, id, reference }, headers);
  } else {
    // `problem` is undefined only when a page removes a draft file.
    const problem = outcome.problem!;
    if (problem.code === staleManifest) {
      response.on("finish", () => response.req.socket.destroySoon());
    }
    sendProblem(response, problem, headers);
  }
}
