import type { Outcome } from "../../services.ts";

const headers = { "Cache-Control": "no-store" };

/** The answer that every call gives: 201 `{message, id, reference}`, or the problem's status and reasons. */
export function answer(outcome: Outcome, message: string): Response {
  if (outcome.received) {
    const { id, reference } = outcome;
    return Response.json({ message, id, reference }, { status: 201, headers });
  }
  // Only a page can be posted without wanting an answer.
  const { status, error, code, fields, retryAfter } = outcome.problem!;
  const retry = retryAfter ? { "Retry-After": String(retryAfter) } : undefined;
  return Response.json({ error, code, fields }, { status, headers: { ...headers, ...retry } });
}

/** The loader of a call, which is there for posts alone. */
export function postOnly(): Response {
  return Response.json(
    { error: "Please send a POST request.", code: "method_not_allowed", fields: {} },
    { status: 405, headers: { ...headers, Allow: "POST" } },
  );
}

/** The loader of a call that takes files: with `?upload=ID` how far that upload is, `{step}`; null when it has ended. */
export function stepOrPostOnly(
  request: Request,
  findStep: (uploadId: string) => string | undefined,
): Response {
  const uploadId = new URL(request.url).searchParams.get("upload");
  return uploadId ? Response.json({ step: findStep(uploadId) ?? null }, { headers }) : postOnly();
}
