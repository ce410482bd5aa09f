import type { ServerResponse } from "node:http";
import { noStoreHeaders } from "./headers.ts";

/** Sends a short, uncacheable JSON response. Node leaves out the body for HEAD. */
export function sendJson(
  response: ServerResponse,
  status: number,
  body: object,
  headers: [name: string, value: string][],
): void {
  const text = JSON.stringify(body);
  response.writeHead(status, [
    ...headers.flat(),
    "Content-Type",
    "application/json; charset=utf-8",
    ...noStoreHeaders,
    "Content-Length",
    String(Buffer.byteLength(text)),
  ]);
  response.end(text);
}
