import type { Response as ExpressResponse, Request } from "express";
import type { Problem } from "../../domain/problem.ts";
import { compress } from "./encoding.ts";
import { pagePolicy } from "./headers.ts";
import type { DrainRequest } from "./reject.ts";
import { StoredResponse } from "./stored-response.ts";

/**
 * Time that a client gets to send the rest of its form: a browser shows the response only when it has sent everything.
 */
const lingerMs = 60_000;

/** Pages that tell people why their request was rejected, and where to send their form or when to try again. */
export class RejectionPages {
  readonly #drain: DrainRequest;
  readonly #render: (url: string, rejection: Problem) => Promise<Response>;
  /**
   * Each page is rendered once, so that a flood of rejected requests costs little. There are a handful of pages, which
   * differ in the minutes to wait or in the form that they lead to.
   */
  readonly #pages = new Map<string, Promise<StoredResponse>>();

  constructor(drain: DrainRequest, render: (url: string, rejection: Problem) => Promise<Response>) {
    this.#drain = drain;
    this.#render = render;
  }

  async send(request: Request, response: ExpressResponse, problem: Problem): Promise<void> {
    await this.#drain(request, response, lingerMs);
    (await this.#pageFor(problem)).send(request, response);
  }

  #pageFor(problem: Problem): Promise<StoredResponse> {
    const key = `${problem.error} ${problem.formPage}`;
    const known = this.#pages.get(key);
    if (known) return known;
    const page = this.#renderPage(problem);
    this.#pages.set(key, page);
    // Forget a page that could not be rendered, so that the next request renders it again.
    page.catch(() => this.#pages.delete(key));
    return page;
  }

  async #renderPage(problem: Problem): Promise<StoredResponse> {
    const response = await this.#render("/", problem);
    const text = Buffer.from(await response.arrayBuffer());
    const headers = {
      "Content-Type": "text/html; charset=utf-8",
      "Cache-Control": "no-store",
      "Content-Security-Policy": pagePolicy({ hasScript: false }),
      ...(problem.retryAfter !== undefined && { "Retry-After": String(problem.retryAfter) }),
    };
    return new StoredResponse(problem.status, headers, await compress(text));
  }
}
