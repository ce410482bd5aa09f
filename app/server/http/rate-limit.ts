import type { Config } from "../config/load-config.ts";
import { Rejection } from "../rejection.ts";

const windowMs = 10 * 60 * 1000;

/** How many clients and links are counted for each kind of post. Their counts take up to 20 MB for each kind. */
const maxClients = 100_000;

/** Counts a post; returns the seconds to wait if its client or link has posted too often, otherwise undefined. */
type CountPost = (key: string) => number | undefined;

/** Counts posts per key, in windows that end `windowMs` after the key's first post or, if they slide, its latest. */
function newWindows(options: { slide: boolean; nowMs?: () => number }) {
  const { slide, nowMs = () => performance.now() } = options;
  // In the order in which the windows end.
  const windows = new Map<string, { posts: number; endsAt: number }>();
  return {
    count(key: string) {
      const time = nowMs();
      for (const [other, { endsAt }] of windows) {
        if (endsAt > time && windows.size < maxClients) break;
        windows.delete(other);
      }
      const window = windows.get(key) ?? { posts: 0, endsAt: time + windowMs };
      window.posts += 1;
      if (slide) {
        window.endsAt = time + windowMs;
        windows.delete(key);
      }
      windows.set(key, window);
      return { posts: window.posts, secondsLeft: Math.ceil((window.endsAt - time) / 1000) };
    },
    forget: (key: string) => windows.delete(key),
  };
}

/** Returns a function that counts posts per client or link. @param max posts in a window; 0 is no limit */
export function newPostCounter(max: number, nowMs?: () => number): CountPost {
  const windows = newWindows({ slide: false, nowMs });
  return (key) => {
    if (max === 0) return undefined;
    const { posts, secondsLeft } = windows.count(key);
    return posts > max ? secondsLeft : undefined;
  };
}

/** Max posts of subscription links in a window. A mail provider unsubscribes all its users from a few addresses. */
const maxSubscriptionPosts = 600;

/** Requests after which an upload by script counts again: 52 files of the largest form, and an hour of waiting. */
const maxRequestsPerUpload = 500;

/** Max posts of decisions under one private link in a window: two a second. */
const maxDecisions = 1200;

/** What a post is counted as; each kind has a limit of its own. */
export type PostKind = "text" | "upload" | "decision" | "subscription link";

/**
 * Returns a function that counts a post against the limits of its client or link. It throws a Rejection 429 if there
 * were too many. Of one upload by script, `maxRequestsPerUpload` requests count as one.
 */
export function openRateLimit({
  maxPosts,
  maxUploads,
}: Pick<Config, "maxPosts" | "maxUploads">): (
  limitKey: string,
  kind: PostKind,
  uploadToken?: string,
) => void {
  const counters: Record<PostKind, CountPost> = {
    text: newPostCounter(maxPosts),
    upload: newPostCounter(maxUploads),
    decision: newPostCounter(maxDecisions),
    "subscription link": newPostCounter(maxSubscriptionPosts),
  };
  // Windows slide, so that an upload is counted once even if it waits for its turn for longer than a window.
  const uploads = newWindows({ slide: true });
  return (limitKey, kind, uploadToken) => {
    const upload = uploadToken && `${limitKey} ${uploadToken}`;
    if (upload && uploads.count(upload).posts % maxRequestsPerUpload !== 1) return;
    const secondsLeft = counters[kind](limitKey);
    if (secondsLeft === undefined) return;
    if (upload) uploads.forget(upload);
    throw tooOften(Math.ceil(secondsLeft / 60));
  };
}

function tooOften(minutes: number): Rejection {
  const wait = minutes === 1 ? "a minute" : `${minutes} minutes`;
  const error = `A lot has been sent from your network in a short time. Please try again in ${wait}.`;
  return new Rejection(429, "too_often", error, { retryAfter: minutes * 60 });
}
