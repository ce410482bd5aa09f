import type { IncomingMessage } from "node:http";
import { ipKeyGenerator, MemoryStore, type Options } from "express-rate-limit";
import type { Config } from "../config/config.ts";
import { networkList, senderOf } from "./client-address.ts";

/** Who posts, and whether it is too soon. */
export interface Arrival {
  /** The address that stands for whoever sends. */
  sender: string;
  /**
   * Seconds to wait, where somebody has posted too often. Left for the intake, which knows how to give a
   * form back with everything kept.
   */
  retryAfter: number | undefined;
}

const windowMs = 10 * 60 * 1000;

/** Counts posts by address, forms with files apart. Addresses are kept in memory for ten minutes, and nowhere else. */
export function openRateLimit({
  mostPosts,
  mostUploads,
  trustedProxies,
}: Pick<Config, "mostPosts" | "mostUploads" | "trustedProxies">): (
  request: IncomingMessage,
) => Promise<Arrival> {
  const isOurProxy = networkList(trustedProxies);
  const waitForPost = openCounter(mostPosts);
  const waitForUpload = openCounter(mostUploads);
  return async (request) => {
    const { socket, headers } = request;
    // What somebody says to have forwarded whom nobody has told us to believe, he has sent himself.
    const address = senderOf(request, isOurProxy) || socket.remoteAddress || "";
    // A household or school has a /64 to itself, and could else take a new address for each post.
    const sender = ipKeyGenerator(address, 64);
    const isUpload = /^multipart\//i.test(headers["content-type"] ?? "");
    return { sender, retryAfter: await (isUpload ? waitForUpload : waitForPost)(sender) };
  };
}

/** Counts one more, and returns the seconds to wait where it is one too many. @param most 0 counts nothing */
function openCounter(most: number): (sender: string) => Promise<number | undefined> {
  if (most === 0) return async () => undefined;
  const posts = new MemoryStore();
  posts.init({ windowMs } as Options);
  return async (sender) => {
    const { totalHits, resetTime } = await posts.increment(sender);
    if (totalHits <= most) return undefined;
    return Math.max(1, Math.ceil((resetTime!.getTime() - Date.now()) / 1000));
  };
}
