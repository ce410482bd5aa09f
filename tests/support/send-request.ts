import { type IncomingHttpHeaders, request } from "node:http";

export interface HttpResponse {
  status: number;
  headers: IncomingHttpHeaders;
  /** The headers as sent: names and values in turn. */
  rawHeaders: string[];
  /** The body, not decoded. */
  bytes: Buffer;
}

/**
 * Sends the headers unchanged and returns the response undecoded; fetch does neither.
 * @throws Error if the connection fails, or breaks within the response
 */
export function sendRequest(
  url: string,
  path: string,
  {
    method = "GET",
    headers = {},
    body,
    socketPath,
  }: {
    method?: string;
    headers?: Record<string, string>;
    body?: string | Buffer;
    socketPath?: string;
  } = {},
): Promise<HttpResponse> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      url,
      { path, method, headers, socketPath, agent: false },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk) => chunks.push(chunk)).once("error", reject);
        response.on("end", () =>
          resolve({
            status: response.statusCode!,
            headers: response.headers,
            rawHeaders: response.rawHeaders,
            bytes: Buffer.concat(chunks),
          }),
        );
      },
    );
    outgoing.once("error", reject);
    outgoing.end(body);
  });
}

export const formType = { "Content-Type": "application/x-www-form-urlencoded" };

/** Options of `sendRequest` for a POST. */
export const postOf = (
  body: string,
  headers: Record<string, string> = formType,
): Parameters<typeof sendRequest>[2] => ({
  method: "POST",
  body,
  headers: { "Content-Length": String(Buffer.byteLength(body)), ...headers },
});

interface TextResponse {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

/** GETs a path with another Host header. */
export async function getWithHost(url: string, path: string, host: string): Promise<TextResponse> {
  const { bytes, ...response } = await sendRequest(url, path, { headers: { Host: host } });
  return { ...response, body: bytes.toString() };
}
