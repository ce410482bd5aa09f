import { type IncomingHttpHeaders, request } from "node:http";

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  /** As they were sent: names and values in turn. */
  rawHeaders: string[];
  /** Not decoded. */
  bytes: Buffer;
}

/** Sends headers as they are, and gives back what came as it came; fetch would do neither. */
export function ask(
  url: string,
  path: string,
  {
    method = "GET",
    headers = {},
    body,
  }: { method?: string; headers?: Record<string, string>; body?: string | Buffer } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const call = request(url, { path, method, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk) => chunks.push(chunk));
      response.on("end", () =>
        resolve({
          status: response.statusCode!,
          headers: response.headers,
          rawHeaders: response.rawHeaders,
          bytes: Buffer.concat(chunks),
        }),
      );
    });
    call.once("error", reject);
    call.end(body);
  });
}

export interface Got {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

/** GETs under another Host. */
export async function getFrom(
  url: string,
  path: string,
  host: string,
  headers: Record<string, string> = {},
): Promise<Got> {
  const { bytes, ...got } = await ask(url, path, { headers: { Host: host, ...headers } });
  return { ...got, body: bytes.toString() };
}
