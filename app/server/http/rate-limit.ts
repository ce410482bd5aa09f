import type { Config } from "../config/config.ts";
import { clientNetwork } from "./client-address.ts";
import type { Exchange } from "./exchange.ts";

const windowMs = 10 * 60 * 1000;

/** Bounds the memory, to about 20 MB. */
const maxClients = 100_000;

/** Counts a post; returns the seconds that its client has to wait if it has posted too often. */
export type CountPost = (clientAddress: string) => number | undefined;

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

/**
 * Returns a function that counts a post against its client's limits; uploads have a limit of their
 * own. The intake rejects what exceeds it: it can return the form.
 */
export function openRateLimit({ maxPosts, maxUploads }: Pick<Config, "maxPosts" | "maxUploads">): (
  exchange: Exchange,
) => {
  clientAddress: string;
  retryAfter: number | undefined;
} {
  const countPost = newPostCounter(maxPosts);
  const countUpload = newPostCounter(maxUploads);
  return ({ request, clientAddress: address }) => {
    const { socket, headers } = request;
    // Ignore X-Forwarded-For from untrusted peers; use the socket's address.
    const clientAddress =
      clientNetwork(address ?? "") ?? clientNetwork(socket.remoteAddress ?? "") ?? "";
    const isUpload = /^multipart\//i.test(headers["content-type"] ?? "");
    return { clientAddress, retryAfter: (isUpload ? countUpload : countPost)(clientAddress) };
  };
}
