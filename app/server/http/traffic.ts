import type { ServerResponse } from "node:http";

/**
 * Response counts since the start. Plain numbers, because serving a cached page takes microseconds.
 */
export class Traffic {
  /** By the first digit of the status; 0 if the client disconnected before the response. */
  readonly responses = [0, 0, 0, 0, 0, 0];
  /** Pages served from the cache. */
  cachedPages = 0;

  /** Call after the handler: responses from memory have been sent by then, and need no listener. */
  count(response: ServerResponse): void {
    if (response.headersSent) this.#add(response.statusCode);
    else {
      response.once("close", () => this.#add(response.headersSent ? response.statusCode : 0));
    }
  }

  #add(status: number): void {
    this.responses[Math.floor(status / 100)]! += 1;
  }
}
