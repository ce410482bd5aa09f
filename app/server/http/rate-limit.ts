import type { IncomingMessage } from "node:http";
import { ipKeyGenerator, MemoryStore, type Options } from "express-rate-limit";
import type { Config } from "../config/config.ts";
import { clientAddressOf, networkList } from "./client-address.ts";

export interface ClientInfo {
  /** The client's IPv4 address, or the /64 network of its IPv6 address. */
  clientAddress: string;
  /**
   * Seconds to wait if the client has posted too often. The intake rejects the post: it can return
   * the form.
   */
  retryAfter: number | undefined;
}

const windowMs = 10 * 60 * 1000;

/**
 * Returns a function that counts a post against its client's limits; uploads have a limit of their
 * own. Addresses are stored for ten minutes, in memory only.
 */
export function openRateLimit({
  maxPosts,
  maxUploads,
  trustedProxies,
}: Pick<Config, "maxPosts" | "maxUploads" | "trustedProxies">): (
  request: IncomingMessage,
) => Promise<ClientInfo> {
  const isTrustedProxy = networkList(trustedProxies);
  const secondsUntilPost = openCounter(maxPosts);
  const secondsUntilUpload = openCounter(maxUploads);
  return async (request) => {
    const { socket, headers } = request;
    // Ignore X-Forwarded-For from untrusted peers; use the socket's address.
    const address = clientAddressOf(request, isTrustedProxy) || socket.remoteAddress || "";
    // A household or school has a whole /64, so it could use a new address for each post.
    const clientAddress = ipKeyGenerator(address, 64);
    const isUpload = /^multipart\//i.test(headers["content-type"] ?? "");
    return {
      clientAddress,
      retryAfter: await (isUpload ? secondsUntilUpload : secondsUntilPost)(clientAddress),
    };
  };
}

/**
 * Returns a function that counts a post and returns the seconds to wait if it exceeds `max`. 0 is
 * no limit.
 */
function openCounter(max: number): (clientAddress: string) => Promise<number | undefined> {
  if (max === 0) return async () => undefined;
  const posts = new MemoryStore();
  posts.init({ windowMs } as Options);
  return async (clientAddress) => {
    const { totalHits, resetTime } = await posts.increment(clientAddress);
    if (totalHits <= max) return undefined;
    return Math.max(1, Math.ceil((resetTime!.getTime() - Date.now()) / 1000));
  };
}
