declare module "fresh" {
  export default function fresh(
    requestHeaders: { "if-none-match": string },
    responseHeaders: { etag: string },
  ): boolean;
}

declare module "negotiator" {
  export default class Negotiator {
    constructor(request: { headers: { "accept-encoding"?: string; accept?: string } });
    mediaType<Type extends string>(available: readonly Type[]): Type | undefined;
    encodings<Name extends string>(
      available: readonly Name[],
      options: { preferred: readonly string[] },
    ): Name[];
  }
}

declare module "proxy-addr" {
  import type { IncomingMessage } from "node:http";
  /** Returns the last address in X-Forwarded-For that is not trusted, or the socket's, if it has one. */
  export default function proxyAddr(
    request: IncomingMessage,
    isTrusted: (address: string | undefined) => boolean,
  ): string | undefined;
}
