import type { Outcome } from "../../services.ts";

/** The answer that every call gives: 201 `{message, id, reference}`, or the problem's status and reasons. */
export function answer(outcome: Outcome, message: string): Response {
  const headers = { "Cache-Control": "no-store" };
  if (outcome.received) {
    const { id, reference } = outcome;
    return Response.json({ message, id, reference }, { status: 201, headers });
  }
  // Only a page can be posted without wanting an answer.
  const { status, error, code, fields } = outcome.problem!;
  return Response.json(
    { error, code, fields },
    { status, headers: status === 503 ? { ...headers, "Retry-After": "60" } : headers },
  );
}
