import { BlockList, isIPv6 } from "node:net";
import type { Request } from "express";
import ipaddr from "ipaddr.js";
import type { Config } from "../config/load-config.ts";

/** Returns a function that checks whether an address is in one of the networks (10.0.0.0/8, or single addresses). */
function networkTest(networks: string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const network of networks) {
    const [address = "", bits] = network.split("/");
    if (bits === undefined) list.addAddress(address, familyOf(address));
    else list.addSubnet(address, Number(bits), familyOf(address));
  }
  return (address) => list.check(address, familyOf(address));
}

/** Whether a peer, or an address that it forwards, is a proxy whose X-Forwarded-For is trusted. */
export type TrustedProxyTest = (address: string | undefined) => boolean;

/**
 * Returns Express's setting `trust proxy`. On a Unix socket every peer is a trusted proxy: the peer has no address,
 * and the file's mode says who may connect. A TCP peer that has disconnected has no address either, so the kind of
 * the listening address decides.
 */
export function trustedProxyTest({
  trustedProxies,
  listenAddress,
}: Pick<Config, "trustedProxies" | "listenAddress">): TrustedProxyTest {
  const isListed = networkTest(trustedProxies);
  return (address) => (address === undefined ? "path" in listenAddress : isListed(address));
}

/**
 * Whether `request.ip` is not the client's: the request was forwarded by an untrusted peer, or with a
 * Forwarded header alone, or came through a Unix socket without X-Forwarded-For.
 */
export function isClientUnknown({ app, headers, socket }: Request): boolean {
  if (headers["x-forwarded-for"] === undefined) {
    return headers.forwarded !== undefined || socket.remoteAddress === undefined;
  }
  const isTrustedProxy = app.get("trust proxy fn") as TrustedProxyTest;
  return !isTrustedProxy(socket.remoteAddress);
}

/** Returns a function that checks whether a request's client is known, and in one of the networks. */
export function knownClientTest(networks: string[]): (request: Request) => boolean {
  const isListed = networkTest(networks);
  return (request) => !isClientUnknown(request) && request.ip !== undefined && isListed(request.ip);
}

/**
 * Returns the network by which limits count a client, or the socket's network if the client's address is malformed.
 * Empty if neither is known, as on a Unix socket or after the client has disconnected.
 */
export const clientOf = ({ ip, socket }: Request): string =>
  clientNetwork(ip ?? "") ?? clientNetwork(socket.remoteAddress ?? "") ?? "";

/**
 * Returns an IPv4 address, or the /64 network of an IPv6 address: a household or school has a whole /64 network, and
 * could use a new address for each post. Undefined if the text is no address.
 */
export function clientNetwork(address: string): string | undefined {
  if (!ipaddr.isValid(address)) return undefined;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === "ipv4") return parsed.toString();
  const { parts } = parsed as ipaddr.IPv6;
  return new ipaddr.IPv6([...parts.slice(0, 4), 0, 0, 0, 0]).toString();
}

const familyOf = (address: string) => (isIPv6(address) ? "ipv6" : "ipv4");
