import type { Log } from "../log.ts";
import type { Exchange } from "./exchange.ts";

/** Logs the request once the response is sent or the client has disconnected. */
export function logWhenDone({ request, response, id }: Exchange, path: string, log: Log): void {
  const startedAt = performance.now();
  response.on("close", () => {
    log.request({
      id,
      method: request.method!,
      path,
      status: response.writableFinished ? response.statusCode : 0,
      ms: Math.round(performance.now() - startedAt),
    });
  });
}
