import { createServer, type IncomingHttpHeaders } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { Scope } from "./at-end.ts";
import { listen } from "./free-port.ts";

export const webhookSecret = `whsec_${Buffer.alloc(32, "key of the tests").toString("base64")}`;

/** Settings of webhooks to a receiver; by default to one that does not listen. */
export const webhookSettings = (url = "http://127.0.0.1:9/none") => ({
  RUBRICON_WEBHOOK_URL: url,
  RUBRICON_WEBHOOK_SECRET: webhookSecret,
});

interface Delivery {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/**
 * A receiver of webhooks, such as a ticket system. It answers posts by `answers` in turn, a status (307 to
 * /elsewhere) or silence, and then with 204; HEAD gets 405.
 */
export async function startReceiver(
  t: Scope,
  answers: (number | "silence")[] = [],
  tls?: { key: Buffer; cert: Buffer },
) {
  const deliveries: Delivery[] = [];
  const handle: Parameters<typeof createServer>[1] = async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const { method = "", url = "", headers } = request;
    if (method === "HEAD") {
      response.writeHead(405).end();
      return;
    }
    deliveries.push({ method, path: url, headers, body });
    const answer = answers.shift() ?? 204;
    if (answer === "silence") return;
    response.writeHead(answer, answer === 307 ? { Location: "/elsewhere" } : {}).end();
  };
  const server = tls ? createTlsServer(tls, handle) : createServer(handle);
  server.on("tlsClientError", () => {});
  const port = await listen(t, server);
  const url = `${tls ? "https://localhost" : "http://127.0.0.1"}:${port}/hooks/marking`;
  return {
    env: webhookSettings(url),
    deliveries,
    /** References, in the order of arrival. */
    references: () => deliveries.map(({ body }) => JSON.parse(body).data.reference as string),
    ids: () => deliveries.map(({ headers }) => headers["webhook-id"]),
  };
}
