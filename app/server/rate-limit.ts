import type { Request, RequestHandler } from "express";
import { ipKeyGenerator, type Options, rateLimit } from "express-rate-limit";
import type { Config } from "./config.ts";

/** Left for the intake, which knows how to give a form back with everything kept. */
export interface RateLocals {
  /** The address that stands for whoever sends. */
  sender: string;
  /** Seconds to wait, where somebody has posted too often. */
  retryAfter?: number;
}

const windowMs = 10 * 60 * 1000;

/** Counts posts by address, forms with files apart. Addresses are kept in memory for ten minutes, and nowhere else. */
export function limitRate(config: Pick<Config, "mostPosts" | "mostUploads">): RequestHandler[] {
  const isUpload = (type: string | undefined) => /^multipart\//i.test(type ?? "");
  const limits: [most: number, uploads: boolean][] = [
    [config.mostPosts, false],
    [config.mostUploads, true],
  ];
  const limiters = limits
    .filter(([most]) => most > 0)
    .map(([most, uploads]) =>
      rateLimit({
        ...options,
        limit: most,
        skip: ({ method, headers }) =>
          method !== "POST" || isUpload(headers["content-type"]) !== uploads,
      }),
    );
  return [noteSender, ...limiters];
}

// A household or school has a /64 to itself, and could else take a new address for each post.
const senderOf = ({ ip }: Request) => ipKeyGenerator(ip ?? "", 64);

const noteSender: RequestHandler = (request, response, next) => {
  (response.locals as RateLocals).sender = senderOf(request);
  next();
};

const options: Partial<Options> = {
  windowMs,
  standardHeaders: false,
  legacyHeaders: false,
  keyGenerator: senderOf,
  handler: (request, response, next) => {
    const { resetTime } = (request as unknown as { rateLimit: { resetTime?: Date } }).rateLimit;
    const waitMs = resetTime ? resetTime.getTime() - Date.now() : windowMs;
    (response.locals as RateLocals).retryAfter = Math.max(1, Math.ceil(waitMs / 1000));
    next();
  },
};
