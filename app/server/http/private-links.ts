import type { Request, RequestHandler } from "express";
import { sampleToken } from "../../domain/result.ts";
import {
  linkApiPrefixes,
  markingApiPrefix,
  markingHelp,
  markingPath,
  teamApiPrefix,
  teamPath,
} from "../../site.ts";
import { Rejection } from "../rejection.ts";
import { clientOf, knownClientTest } from "./client-address.ts";
import { queryOf } from "./posts.ts";

declare global {
  namespace Express {
    interface Locals {
      /**
       * The key that limits count the request by: the token of a private link, or the client's network. Set before
       * posts and pages are handled.
       */
      limitKey?: string;
    }
  }
}

/** How many opened links are remembered. */
const maxTokens = 10_000;

/**
 * Returns middleware that sets a request's limit key. A school shares one address, so a private link that has opened
 * before is counted by itself. All other requests, also those with made-up tokens, are counted by their client.
 * @param opensLink whether a token opens a link. Called before a post, because another server may have shown the form.
 * Also called after a page with status 200, because some pages have that status for any token
 */
export function chooseLimitKey(opensLink: (token: string) => Promise<boolean>): RequestHandler {
  const opened = new Set<string>();
  const rememberIfOpen = async (token: string) => {
    if (!(await opensLink(token))) return;
    opened.add(token);
    if (opened.size > maxTokens) opened.delete(opened.values().next().value!);
  };
  return async (request, response, next) => {
    const { method } = request;
    const token = linkTokenIn(request);
    if (token !== undefined && !opened.has(token)) {
      if (method === "POST") await rememberIfOpen(token);
      if (method === "GET") {
        response.once("finish", () => {
          if (response.statusCode === 200) void rememberIfOpen(token).catch(() => {});
        });
      }
    }
    const isOpen = token !== undefined && opened.has(token);
    response.locals.limitKey = isOpen ? token : clientOf(request);
    next();
  };
}

/** The decoded token of a private link; undefined for the sample, which everyone uses. */
export function linkTokenIn(request: Request): string | undefined {
  const token = tokenIn(request);
  return token && token !== sampleToken ? token : undefined;
}

/** The pages of private links, each with the query parameter for the token. */
const tokenParameters = new Map([
  ["/", "results"],
  [markingPath, "link"],
  [teamPath, "link"],
]);

function tokenIn(request: Request): string | undefined {
  const { path } = request;
  const prefix = linkApiPrefixes.find((one) => path.startsWith(one));
  // A token can be percent-encoded in many ways, and each would be counted as another client. The guard passes on only
  // paths that decode.
  if (prefix) return decodeURIComponent(path.slice(prefix.length).split("/", 1)[0]!);
  const parameter = tokenParameters.get(path);
  return parameter && (queryOf(request).get(parameter) ?? undefined);
}

const isMarkingOrTeam = (path: string) =>
  [markingPath, teamPath].includes(path) ||
  [markingApiPrefix, teamApiPrefix].some((prefix) => path.startsWith(prefix));

/**
 * Returns middleware that rejects requests for the marking desk and the team's page from outside the networks. The
 * sample, the help and links that are not restricted, such as an educator's, open everywhere.
 * @param networks undefined for no restriction
 */
export function limitMarking(
  networks: string[] | undefined,
  isRestricted: (token: string) => Promise<boolean>,
): RequestHandler {
  if (networks === undefined) return (_request, _response, next) => next();
  const isAllowed = knownClientTest(networks);
  return async (request, _response, next) => {
    if (isMarkingOrTeam(request.path) && request.url !== markingHelp && !isAllowed(request)) {
      const token = tokenIn(request);
      if (token !== sampleToken && (!token || (await isRestricted(token)))) {
        throw new Rejection(
          403,
          "not_here",
          "The marking desk does not open from this network. Please ask the sender of the link.",
        );
      }
    }
    next();
  };
}
