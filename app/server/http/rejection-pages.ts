import type { Problem } from "../../domain/problem.ts";
import type { Rejection } from "../rejection.ts";
import { compress } from "./encoding.ts";
import type { Exchange } from "./exchange.ts";
import { pagePolicy, type ResponseHeaders } from "./headers.ts";
import { drainRequest } from "./reject.ts";
import { StoredResponse } from "./stored-response.ts";

/**
 * Time that a client gets to send the rest of its form: a browser shows the response only when it
 * has sent everything.
 */
const lingerMs = 60_000;

/**
 * Sends a rejection as a page with a sentence for people. Each is rendered once, so that a flood of
 * rejected requests costs little.
 */
export class RejectionPages {
  readonly #render: (url: string, rejection: Problem) => Promise<Response>;
  readonly #headers: ResponseHeaders;
  /** By message; rejections have a handful, which differ in the minutes to wait. */
  readonly #pages = new Map<string, Promise<StoredResponse>>();

  /** @param headers sent with every response */
  constructor(
    render: (url: string, rejection: Problem) => Promise<Response>,
    headers: ResponseHeaders,
  ) {
    this.#render = render;
    this.#headers = headers;
  }

  async send(exchange: Exchange, { problem }: Rejection): Promise<void> {
    drainRequest(exchange, lingerMs);
    const page = this.#pages.get(problem.error) ?? this.#store(problem);
    this.#pages.set(problem.error, page);
    // A failure is not kept: the next one tries again.
    page.catch(() => this.#pages.delete(problem.error));
    (await page).send(exchange);
  }

  async #store(problem: Problem): Promise<StoredResponse> {
    const response = await this.#render("/", problem);
    const text = Buffer.from(await response.arrayBuffer());
    const headers = {
      ...this.#headers,
      "Content-Type": "text/html; charset=utf-8",
      "Cache-Control": "no-store",
      "Content-Security-Policy": pagePolicy(false),
      "Retry-After": String(problem.retryAfter),
    };
    return new StoredResponse(problem.status, headers, await compress(text));
  }
}
