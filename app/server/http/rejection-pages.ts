import type { Response as ExpressResponse, Request } from "express";
import type { Problem } from "../../domain/problem.ts";
import { compress } from "./encoding.ts";
import { pagePolicy } from "./headers.ts";
import type { DrainRequest } from "./reject.ts";
import { StoredResponse } from "./stored-response.ts";

/** Time for a client to send the rest of its form. A browser shows the response only when it has sent everything. */
const lingerMs = 60_000;

/** Returns a function that sends a page on why a request was rejected, and where or when to send it again. */
export function openRejectionPages(
  drain: DrainRequest,
  render: (url: string, rejection: Problem) => Promise<Response>,
) {
  /**
   * Each page is rendered once, so that a flood of rejected requests costs little. The few pages differ in the minutes
   * to wait, or in the form to go to.
   */
  const pages = new Map<string, Promise<StoredResponse>>();
  const renderPage = async (problem: Problem): Promise<StoredResponse> => {
    const response = await render("/", problem);
    const text = Buffer.from(await response.arrayBuffer());
    const headers = {
      "Content-Type": "text/html; charset=utf-8",
      "Cache-Control": "no-store",
      "Content-Security-Policy": pagePolicy({ hasScript: false }),
      ...(problem.retryAfter !== undefined && { "Retry-After": String(problem.retryAfter) }),
    };
    return new StoredResponse(problem.status, headers, await compress(text));
  };
  return async (request: Request, response: ExpressResponse, problem: Problem): Promise<void> => {
    await drain(request, response, lingerMs);
    const key = JSON.stringify(problem);
    let page = pages.get(key);
    if (!page) {
      page = renderPage(problem);
      pages.set(key, page);
      // Forget a page that failed, so that the next request renders it again.
      page.catch(() => pages.delete(key));
    }
    (await page).send(request, response);
  };
}
