import type { ServerResponse } from "node:http";

/** What was answered since the start. Plain numbers, because a kept page is answered in microseconds. */
export class Traffic {
  /** By the first digit of the status; 0 is whoever left before the answer. */
  readonly answers = [0, 0, 0, 0, 0, 0];
  /** Pages that were answered from memory. */
  cachedPages = 0;

  /** To be called when the request has been handed on: what comes from memory is answered by then. */
  count(response: ServerResponse): void {
    if (response.headersSent) this.#add(response.statusCode);
    else {
      response.once("close", () => this.#add(response.headersSent ? response.statusCode : 0));
    }
  }

  #add(status: number): void {
    this.answers[Math.floor(status / 100)]! += 1;
  }
}
