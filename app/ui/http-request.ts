/** A call that was answered, but not with success. */
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
 * Calls the server, with a body where one is given: a form as it is, anything else as JSON.
 * @returns the answer; its body is JSON
 * @throws RequestFailed, whose message is the status, a colon and the body (or the status text)
 */
export async function request(method: string, path: string, body?: unknown): Promise<Response> {
  const answer = await fetch(path, {
    method,
    credentials: "include",
    ...(body instanceof FormData
      ? { body }
      : body !== undefined && {
          headers: { "Content-Type": "application/json" },
          body: JSON.stringify(body),
        }),
  });
  if (!answer.ok) throw new RequestFailed(answer, await answer.text());
  return answer;
}
