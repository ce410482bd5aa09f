import type { IncomingMessage } from "node:http";
import { ipKeyGenerator, MemoryStore, type Options } from "express-rate-limit";
import type { Config } from "../config/config.ts";
import { clientAddressOf, networkList } from "./client-address.ts";

/** Who posts, and whether it is too soon. */
export interface ClientInfo {
  /** The address that stands for whoever sends. */
  clientAddress: string;
  /**
   * Seconds to wait, where somebody has posted too often. Left for the intake, which knows how to give a
   * form back with everything kept.
   */
  retryAfter: number | undefined;
}

const windowMs = 10 * 60 * 1000;

/** Counts posts by address, forms with files apart. Addresses are kept in memory for ten minutes, and nowhere else. */
export function openRateLimit({
  maxPosts,
  maxUploads,
  trustedProxies,
}: Pick<Config, "maxPosts" | "maxUploads" | "trustedProxies">): (
  request: IncomingMessage,
) => Promise<ClientInfo> {
  const isOurProxy = networkList(trustedProxies);
  const waitForPost = openCounter(maxPosts);
  const waitForUpload = openCounter(maxUploads);
  return async (request) => {
    const { socket, headers } = request;
    // What somebody says to have forwarded whom nobody has told us to believe, he has sent himself.
    const address = clientAddressOf(request, isOurProxy) || socket.remoteAddress || "";
    // A household or school has a /64 to itself, and could else take a new address for each post.
    const clientAddress = ipKeyGenerator(address, 64);
    const isUpload = /^multipart\//i.test(headers["content-type"] ?? "");
    return {
      clientAddress,
      retryAfter: await (isUpload ? waitForUpload : waitForPost)(clientAddress),
    };
  };
}

/** Counts one more, and returns the seconds to wait where it is one too many. @param most 0 counts nothing */
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
