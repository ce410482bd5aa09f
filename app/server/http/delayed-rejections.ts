import { setTimeout as sleep } from "node:timers/promises";
import type { Response as ExpressResponse, Request } from "express";
import type { Problem } from "../../domain/problem.ts";
import type { Rejection } from "../rejection.ts";
import { compress } from "./encoding.ts";
import { pagePolicy } from "./headers.ts";
import { drainRequest, sendRejection } from "./reject.ts";
import { StoredResponse } from "./stored-response.ts";

/**
 * Without this delay, a client that repeats a rejected request at once would keep the server from
 * handling those of others.
 */
const delayMs = 1_000;

/**
 * Time that a client gets to send the rest of its form: a browser shows the response only when it
 * has sent everything.
 */
const lingerMs = 60_000;

interface Options {
  render: (url: string, rejection: Problem) => Promise<Response>;
  isPage: (path: string) => boolean;
}

/** Rejects requests of clients that are over a limit: by a page for people, by JSON for programs. */
export class DelayedRejections {
  readonly #options: Options;
  /**
   * Each is rendered once, so that a flood of rejected requests costs little. By message: there are a
   * handful, which differ in the minutes to wait.
   */
  readonly #pages = new Map<string, Promise<StoredResponse>>();

  constructor(options: Options) {
    this.#options = options;
  }

  async send(request: Request, response: ExpressResponse, rejection: Rejection): Promise<void> {
    // Discards the body, which would fill the connection's buffers meanwhile.
    request.resume();
    await sleep(delayMs);
    if (!this.#options.isPage(request.path)) {
      sendRejection(request, response, rejection);
      return;
    }
    drainRequest(request, response, lingerMs);
    (await this.#pageFor(rejection.problem)).send(request, response);
  }

  #pageFor(problem: Problem): Promise<StoredResponse> {
    const known = this.#pages.get(problem.error);
    if (known) return known;
    const page = this.#renderPage(problem);
    this.#pages.set(problem.error, page);
    // The next request tries again.
    page.catch(() => this.#pages.delete(problem.error));
    return page;
  }

  async #renderPage(problem: Problem): Promise<StoredResponse> {
    const response = await this.#options.render("/", problem);
    const text = Buffer.from(await response.arrayBuffer());
    const headers = {
      "Content-Type": "text/html; charset=utf-8",
      "Cache-Control": "no-store",
      "Content-Security-Policy": pagePolicy(false),
      "Retry-After": String(problem.retryAfter),
    };
    return new StoredResponse(problem.status, headers, await compress(text));
  }
}
