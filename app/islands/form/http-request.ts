/** A response with an error status. */
export class RequestFailed extends Error {
  readonly status: number;
  readonly body: string;

  constructor({ status, statusText }: Response, body: string) {
    super(`${status}: ${body || statusText}`);
    this.status = status;
    this.body = body;
  }
}

/**
 * Sends a request to the server. FormData is sent as it is, any other body as JSON.
 * @throws RequestFailed for an error status; its message is "STATUS: BODY", or the status text if there is no body
 */
export async function request(
  method: string,
  path: string,
  body?: unknown,
  signal?: AbortSignal,
): Promise<Response> {
  const response = await fetch(path, {
    method,
    credentials: "include",
    ...(signal && { signal }),
    ...(body instanceof FormData
      ? { body }
      : body !== undefined && {
          headers: { "Content-Type": "application/json" },
          body: JSON.stringify(body),
        }),
  });
  if (!response.ok) throw new RequestFailed(response, await response.text());
  return response;
}
