import type { IncomingMessage } from "node:http";
import type { Express, Request, RequestHandler, Response } from "express";
import type { FormName } from "../../domain/request.ts";
import type { FileUpload } from "../../domain/upload.ts";
import { allForms } from "../../forms/all-forms.ts";
import { type Form, hasFiles } from "../../forms/form.ts";
import { uploadHeaders } from "../../forms/machine-fields.ts";
import { replyTimeOf, withReplyTime } from "../../forms/reply-time.ts";
import { subscriptionFor } from "../../forms/subscription.ts";
import {
  apiDescriptionPath,
  generatedFiles,
  isApiPath,
  linkApiPrefixes,
  notFoundPath,
  teamApiPrefix,
} from "../../site.ts";
import type { FileOutcome } from "../intake/draft-upload.ts";
import type { Intake, Post } from "../intake/intake.ts";
import { Rejection } from "../rejection.ts";
import { rewriteUrl } from "./guard.ts";
import { sendJson } from "./headers.ts";
import { prefersHtml } from "./posts.ts";
import { disconnectAfterResponse, sendProblem } from "./reject.ts";
import { logRequest } from "./request-log.ts";
import type { RouteServices } from "./router-context.ts";

export const endpoints: ReadonlyMap<string, Form> = new Map(
  allForms.map((form) => [form.endpoint, form]),
);

/**
 * Adds the endpoints to the application. They bypass React Router, whose matching and web Request and
 * Response objects would take longer than all other work.
 */
export function addEndpoints(
  app: Express,
  { intake, brand, log, writesToSubscribers }: RouteServices,
): void {
  for (const [path, form] of endpoints) {
    const { messages } = form.name === "subscription" ? subscriptionFor(writesToSubscribers) : form;
    const message = withReplyTime(messages.received, replyTimeOf(form, brand));
    const receive = receivePost(form.name, message, intake);
    app.post(path, logRequest(log), disconnectAfterResponse, receive);
    app.get(path, reportUpload(form, intake));
  }
  // The path is not logged: it has the token of a link.
  const logWithoutPath = logRequest(log, () => false);
  const scanPath = `${teamApiPrefix}:link/scan`;
  app.post(scanPath, logWithoutPath, disconnectAfterResponse, receiveScan(intake));
  app.get(scanPath, async (request, response) => {
    const token = requiredUploadToken(request);
    sendJson(response, 200, await intake.scans.findUpload(linkTokenOf(request), token), closing);
  });
  app.use(rejectUnknown);
}

/**
 * Closes the connection, so that the next post of an upload gets a new one. If a connection that was used before is
 * lost, browsers send the whole post again unasked.
 */
const closing = { Connection: "close" };

const linkTokenOf = (request: Request) => String(request.params.link);

/** Returns the token of a scan's upload. @throws Rejection 400 if the token is missing or malformed */
function requiredUploadToken(request: Request): string {
  const token = uploadTokenIn(request);
  if (token !== undefined) return token;
  throw new Rejection(400, "malformed", "The headers of the upload cannot be read.");
}

/**
 * Responds to one request of a scan's upload. A request for a turn gets 200 `{places}`. A part gets the response of
 * `sendFileOutcome`. The request after the last part gets 201 with the upload's token as `reference`. The page's form
 * then sends the token and ends the upload.
 */
const receiveScan =
  ({ scans, turns }: Intake): RequestHandler =>
  async (request, response) => {
    const { incoming, requestId } = response.locals;
    const { clientAddress, signal } = incoming!;
    const token = requiredUploadToken(request);
    const headers = { "X-Request-Id": requestId!, ...closing };
    if (request.get(uploadHeaders.turn)) {
      await scans.check(linkTokenOf(request));
      // One place at most: posts under a link wait for each other, so several parts at once would delay the forms of
      // the link's page.
      const places = Math.min(1, await turns.wait(clientAddress, token, signal));
      return sendJson(response, 200, { places }, headers);
    }
    const part = fileUploadIn(request, token);
    if (!part) return sendJson(response, 201, { reference: token }, headers);
    sendFileOutcome(response, await scans.receivePart(linkTokenOf(request), incoming!, part));
  };

/** Rejects unknown API paths: with JSON for programs, with the page for unknown addresses for browsers. */
const rejectUnknown: RequestHandler = (request, _response, next) => {
  if (isApiPath(request.path) && !isPageRoute(request.path)) {
    if (!prefersHtml(request)) {
      const error = `There is no endpoint at this address. The endpoints are listed at ${apiDescriptionPath}.`;
      throw new Rejection(404, "not_found", error);
    }
    rewriteUrl(request, notFoundPath);
  }
  next();
};

/** Whether React Router handles a path below /api/: that of the API description or any path of a private link. */
const isPageRoute = (path: string) =>
  generatedFiles.some((file) => file.path === path) ||
  linkApiPrefixes.some((prefix) => path.startsWith(prefix));

/** Returns the secret token of an upload by script, of 128 bits or more; undefined if it is missing or malformed. */
export function uploadTokenIn({ headers }: IncomingMessage): string | undefined {
  const token = headers[uploadHeaders.draft.toLowerCase()];
  return typeof token === "string" && /^[\w-]{22,64}$/.test(token) ? token : undefined;
}

/**
 * Returns the file that the headers of an upload's request describe; undefined if they describe none.
 * @throws Rejection 400 if the headers of the file cannot be read
 */
function fileUploadIn({ headers }: IncomingMessage, token: string): FileUpload | undefined {
  const value = (name: string) => String(headers[name.toLowerCase()] ?? "");
  const number = value(uploadHeaders.number);
  if (number === "") return undefined;
  try {
    const name = decodeURIComponent(value(uploadHeaders.name));
    if (/^\d{1,3}$/.test(number)) {
      return { token, number: Number(number), field: value(uploadHeaders.field), name };
    }
  } catch {
    // A name that cannot be decoded is rejected below.
  }
  throw new Rejection(400, "malformed", "The headers of the file cannot be read.");
}

/** Responds with what has arrived of an upload. */
const reportUpload =
  (form: Form, intake: Intake): RequestHandler =>
  async (request, response) => {
    const token = uploadTokenIn(request);
    if (!hasFiles(form) || !token) {
      const allow = "POST";
      throw new Rejection(405, "method_not_allowed", "Please send a POST request.", { allow });
    }
    sendJson(response, 200, await intake.findUpload(form.name, token), closing);
  };

/**
 * Responds to a post with 201 `{message, id, reference}`, or the problem's status and `{error, code, fields}`. In an
 * upload by script, a file gets the response of `sendFileOutcome`, and a request for a turn 200 `{places}`: how many
 * files the upload may send at once.
 */
const receivePost =
  (name: FormName, message: string, intake: Intake): RequestHandler =>
  async (request, response) => {
    const { incoming, requestId } = response.locals;
    const post: Post = { ...incoming!, from: "api" };
    const headers = { "X-Request-Id": requestId! };
    if (post.upload && request.get(uploadHeaders.turn)) {
      const { clientAddress, signal, upload } = post;
      const places = await intake.turns.wait(clientAddress, upload.token, signal);
      return sendJson(response, 200, { places }, { ...headers, ...closing });
    }
    const file = post.upload && fileUploadIn(request, post.upload.token);
    if (file) return sendFileOutcome(response, await intake.receiveFile(name, post, file));
    const outcome = await intake.receive(name, post);
    if (outcome.received) {
      const { id, reference } = outcome;
      sendJson(response, 201, { message, id, reference }, headers);
    } else {
      // A problem is missing only if a page's form removes a file from its draft.
      sendProblem(response, outcome.problem!, headers);
    }
  };

/** Responds with 201 `{id, isCrowded}`, or with the problem. */
function sendFileOutcome(response: Response, outcome: FileOutcome): void {
  const headers = { "X-Request-Id": response.locals.requestId!, ...closing };
  if ("problem" in outcome) {
    sendProblem(response, outcome.problem, headers);
    return;
  }
  // The body of a repeated file is unread: disconnect, so that the client stops sending it.
  if (outcome.isRepeated) response.on("finish", () => response.req.socket.destroySoon());
  const { id, isCrowded } = outcome;
  sendJson(response, 201, { id, isCrowded }, headers);
}
