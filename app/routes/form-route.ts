/** What the pages with a form have in common on the server. */
import { data, redirect } from "react-router";
import type { RouteContext } from "../context.ts";
import type { Outcome, Problem } from "../domain/problem.ts";
import type { Receipt } from "../domain/receipt.ts";
import type { FormName } from "../domain/request.ts";
import type { UploadDraft } from "../domain/upload.ts";

/** For what is one visitor's own. */
export const privateHeaders = { "Cache-Control": "no-store", "X-Robots-Tag": "noindex" };

export interface FormPageData {
  receipt: Receipt | null;
  /** A reference was followed that nothing is kept under. */
  receiptMissing: boolean;
  retentionDays: number;
  /** Who keeps what is sent. */
  company: string;
  /** What the address asks for with `?results=TOKEN`, where it does. */
  results?: { isSample: boolean; title: string };
}

/** What a form that came back shows again. */
export interface CameBack {
  form: FormName;
  problem: Problem | undefined;
  typed: Record<string, string>;
  draft: UploadDraft | undefined;
}

/** What a form's page shows: the receipt that `?received=REFERENCE` asks for, if any. */
export async function loadFormPage(
  request: Request,
  { brand, retentionDays, findReceipt }: RouteContext,
  forms: readonly FormName[],
) {
  const page = { retentionDays, company: brand.company };
  const reference = new URL(request.url).searchParams.get("received");
  if (reference === null) {
    return data<FormPageData>({ ...page, receipt: null, receiptMissing: false });
  }
  const receipt = await findReceipt(forms, reference);
  return data<FormPageData>(
    { ...page, receipt, receiptMissing: !receipt },
    { status: receipt ? 200 : 404, headers: privateHeaders },
  );
}

/**
 * The answer to a form that was posted to its page: on to the receipt, or the page again.
 * @param place where on the page the receipt stands, with its #
 */
export function respondToPost(form: FormName, outcome: Outcome, path: string, place = "") {
  if (outcome.received) {
    return redirect(`${path}?received=${outcome.reference}${place}`, 303);
  }
  const { problem, typed, draft } = outcome;
  const retry = problem?.retryAfter ? { "Retry-After": String(problem.retryAfter) } : undefined;
  return data<CameBack>(
    { form, problem, typed, draft },
    { status: problem?.status ?? 200, headers: { ...privateHeaders, ...retry } },
  );
}

/** For a route's `headers`: what the action or the loader has set. */
export function formPageHeaders({
  loaderHeaders,
  actionHeaders,
}: {
  loaderHeaders: Headers;
  actionHeaders: Headers;
}) {
  return actionHeaders.has("Cache-Control") ? actionHeaders : loaderHeaders;
}
