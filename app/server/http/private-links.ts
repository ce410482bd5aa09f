import type { Request, RequestHandler } from "express";
import { sampleToken } from "../../domain/result.ts";
import {
  linkApiPrefixes,
  markingApiPrefix,
  markingPath,
  teamApiPrefix,
  teamPath,
} from "../../site.ts";
import { Rejection } from "../rejection.ts";
import { clientOf, operatorTest } from "./client-address.ts";

declare global {
  namespace Express {
    interface Locals {
      /** What limits count the request by. */
      limitKey?: string;
    }
  }
}

/** Bounds the memory. */
const maxTokens = 10_000;

/**
 * Returns middleware that says what limits count a request by: the private link that it uses, if that
 * has opened before, because a school shares one address; otherwise the client. So a token that opens
 * nothing counts for its client.
 * @param opensLink whether a token opens a link: another server may have shown the form of a post
 */
export function chooseLimitKey(opensLink: (token: string) => Promise<boolean>): RequestHandler {
  const opened = new Set<string>();
  const remember = (token: string) => {
    opened.add(token);
    if (opened.size > maxTokens) opened.delete(opened.values().next().value!);
  };
  return async (request, response, next) => {
    const { method } = request;
    const token = linkTokenIn(request);
    if (token !== undefined && !opened.has(token)) {
      if (method === "POST" && (await opensLink(token).catch(() => false))) remember(token);
      if (method === "GET") {
        response.once("finish", () => {
          if (response.statusCode === 200) remember(token);
        });
      }
    }
    const isOpen = token !== undefined && opened.has(token);
    response.locals.limitKey = isOpen ? token : clientOf(request);
    next();
  };
}

/** The token of a private link; undefined for the sample, which everyone uses. */
export function linkTokenIn(request: Request): string | undefined {
  const token = tokenIn(request);
  return token && token !== sampleToken ? token : undefined;
}

function tokenIn(request: Request): string | null | undefined {
  const { path } = request;
  const prefix = linkApiPrefixes.find((one) => path.startsWith(one));
  const parameter = new Map([
    ["/", "results"],
    [markingPath, "link"],
    [teamPath, "link"],
  ]).get(path);
  return prefix
    ? path.slice(prefix.length).split("/", 1)[0]
    : parameter && new URLSearchParams(request.url.slice(path.length)).get(parameter);
}

const isMarking = (path: string) =>
  [markingPath, teamPath].includes(path) ||
  [markingApiPrefix, teamApiPrefix].some((prefix) => path.startsWith(prefix));

/**
 * Returns middleware that rejects requests for the marking desk and the team's page from other networks than these:
 * links of markers and of the team open there only, the educator's and the sample anywhere.
 * @param isMarkers whether a token opens a desk as a marker's link
 */
export function limitMarking(
  networks: string[] | undefined,
  isMarkers: (token: string) => Promise<boolean>,
): RequestHandler {
  if (networks === undefined) return (_request, _response, next) => next();
  const isAllowed = operatorTest(networks);
  return async (request, _response, next) => {
    if (isMarking(request.path) && !isAllowed(request)) {
      const token = tokenIn(request);
      if (token !== sampleToken && (!token || (await isMarkers(token)))) {
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
