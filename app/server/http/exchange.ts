import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import Negotiator from "negotiator";
import type { IncomingPost } from "../../domain/incoming-post.ts";
import { countedClient } from "./client-address.ts";
import { noStoreHeaders, type ResponseHeaders } from "./headers.ts";

/** Responds and returns true, or returns false to pass the exchange on to the next handler. */
export type Handler = (exchange: Exchange) => boolean | Promise<boolean>;

/** What all exchanges of a server share. */
interface ExchangeOptions {
  /** Sent with every response. */
  headers: ResponseHeaders;
  clientAddressOf: (request: IncomingMessage) => string | undefined;
}

/**
 * One request and its response. Everything is computed when it is asked for: a cached page needs
 * only the URL.
 */
export class Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** A post with its body unread, from when `acceptPosts` has accepted it. */
  incoming: IncomingPost | undefined;
  readonly #options: ExchangeOptions;
  #id: string | undefined;

  constructor(request: IncomingMessage, response: ServerResponse, options: ExchangeOptions) {
    this.request = request;
    this.response = response;
    this.#options = options;
  }

  get isPost(): boolean {
    return this.request.method === "POST";
  }

  /** Path and query, as requested. */
  get url(): string {
    return this.request.url!;
  }

  get path(): string {
    return this.url.split("?", 1)[0]!;
  }

  get query(): URLSearchParams {
    return new URLSearchParams(this.url.slice(this.path.length));
  }

  /** Has the following handlers treat the exchange as one for another URL of the site. */
  rewriteUrl(url: string, query: URLSearchParams): void {
    const rewritten = new URL(url, "http://site.invalid");
    for (const [name, value] of query) rewritten.searchParams.append(name, value);
    this.request.url = rewritten.pathname + rewritten.search;
  }

  /** Twelve random hexadecimal digits: shown to the visitor and logged with the cause of an error. */
  get id(): string {
    if (this.#id === undefined) {
      const digits = randomUUID();
      this.#id = digits.slice(0, 8) + digits.slice(9, 13);
    }
    return this.#id;
  }

  /** Undefined if the request was forwarded, and not by a trusted proxy. */
  get clientAddress(): string | undefined {
    return this.#options.clientAddressOf(this.request);
  }

  /** What limits are counted by: an IPv4 address, or the /64 network of an IPv6 address. */
  get client(): string {
    return countedClient(this.clientAddress, this.request);
  }

  /** Browsers name text/html first; curl and HTTP libraries accept anything. */
  get prefersHtml(): boolean {
    const types = ["application/json", "text/html"];
    return new Negotiator(this.request).mediaType(types) === "text/html";
  }

  get commonHeaders(): ResponseHeaders {
    return this.#options.headers;
  }

  /** Node leaves out the body in response to HEAD. */
  send(status: number, headers: ResponseHeaders, body = ""): void {
    this.response
      .writeHead(status, {
        ...this.commonHeaders,
        ...headers,
        "Content-Length": String(Buffer.byteLength(body)),
      })
      .end(body);
  }

  /** Sends a short, uncacheable JSON response. */
  sendJson(status: number, body: object, headers: ResponseHeaders = {}): void {
    const type = { "Content-Type": "application/json; charset=utf-8" };
    this.send(status, { ...type, ...noStoreHeaders, ...headers }, JSON.stringify(body));
  }
}

/** Returns a signal that aborts if the client disconnects before the response is sent. */
export function disconnectSignal(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  response.on("close", () => {
    if (!response.writableFinished) controller.abort();
  });
  return controller.signal;
}
