import type { Config } from "../config/config.ts";
import { Rejection } from "../rejection.ts";

const windowMs = 10 * 60 * 1000;

/** Bounds the memory, to about 20 MB. */
const maxClients = 100_000;

/** Counts a post; returns the seconds that its client has to wait if it has posted too often. */
type CountPost = (clientAddress: string) => number | undefined;

/** Counts posts per client in windows that begin with a client's first post. 0 is no limit. */
export function newPostCounter(max: number, nowMs = () => performance.now()): CountPost {
  // In the order in which the windows end.
  const windows = new Map<string, { posts: number; endsAt: number }>();
  return (clientAddress) => {
    if (max === 0) return undefined;
    const time = nowMs();
    for (const [address, { endsAt }] of windows) {
      if (endsAt > time && windows.size < maxClients) break;
      windows.delete(address);
    }
    const window = windows.get(clientAddress) ?? { posts: 0, endsAt: time + windowMs };
    window.posts += 1;
    windows.set(clientAddress, window);
    return window.posts > max ? Math.ceil((window.endsAt - time) / 1000) : undefined;
  };
}

/** Mail providers unsubscribe all their users from a few addresses. */
const maxSubscriptionPosts = 600;

/** What a post brings; each kind has a limit of its own. */
type PostKind = "text" | "upload" | "subscription link";

/**
 * Returns a function that counts a post against its client's limits. It throws a Rejection 429 if the
 * client has posted too often.
 */
export function openRateLimit({
  maxPosts,
  maxUploads,
}: Pick<Config, "maxPosts" | "maxUploads">): (client: string, kind: PostKind) => void {
  const counters: Record<PostKind, CountPost> = {
    text: newPostCounter(maxPosts),
    upload: newPostCounter(maxUploads),
    "subscription link": newPostCounter(maxSubscriptionPosts),
  };
  return (client, kind) => {
    const retryAfter = counters[kind](client);
    if (retryAfter !== undefined) throw tooOften(Math.ceil(retryAfter / 60));
  };
}

const tooOften = (minutes: number) =>
  new Rejection(
    429,
    "too_often",
    `A lot has been sent from your network in a short time. Please try again in ${minutes === 1 ? "a minute" : `${minutes} minutes`}.`,
    { retryAfter: minutes * 60 },
  );
