/** What routes share: the responses of private links, and loaders, actions and headers of pages with a form. */
import { data, type HeadersArgs, type LoaderFunctionArgs, redirect } from "react-router";
import { type Download, type MarksFile, type RouteContext, routeContext } from "../context.ts";
import { dayMs } from "../domain/duration.ts";
import type { Problem, ReturnedForm } from "../domain/problem.ts";
import type { FormName } from "../domain/request.ts";
import { idIn } from "../domain/row-id.ts";
import { inTime } from "../rendering.ts";
import type { FormPageData } from "../ui/form-page.tsx";
import { pointsField, proposalsField } from "../ui/results/results-urls.ts";

/** Headers of responses with one visitor's data. */
export const privateHeaders = { "Cache-Control": "no-store", "X-Robots-Tag": "noindex" };

/** False for HEAD, by which mail servers and previews look at links. */
export const isRead = ({ request }: { request: Request }) => request.method !== "HEAD";

/** Headers of a response to a post, with Retry-After if the problem says when to try again. */
export const headersOf = (problem: Problem | undefined) => ({
  ...privateHeaders,
  ...(problem?.retryAfter !== undefined && { "Retry-After": String(problem.retryAfter) }),
});

const notOpened = (what: "file" | "page") =>
  new Response(`This link does not open this ${what}. Please ask us for a new link.\n`, {
    status: 404,
    headers: privateHeaders,
  });

/** Responds with a file of a private link to download, or with status 404 if the link does not open the file. */
export function downloadResponse(
  found: { bytes: BodyInit; mediaType: string; disposition: string } | null,
): Response {
  if (!found) return notOpened("file");
  return new Response(found.bytes, {
    headers: {
      ...privateHeaders,
      "Content-Type": found.mediaType,
      "Content-Disposition": found.disposition,
    },
  });
}

/** Responds with a stored file. Response takes no Buffer, whose type allows shared memory, so the bytes are copied. */
export const fileResponse = (found: Download<Buffer> | null): Response =>
  downloadResponse(found && { ...found, bytes: new Uint8Array(found.bytes) });

/** Responds with a file of marks. */
export const csvResponse = (found: MarksFile | null): Response =>
  downloadResponse(found && { ...found, mediaType: "text/csv; charset=utf-8", bytes: found.text });

/** Responds to a rejection with `retryAfter`, such as one for too many downloads at once. @throws any other error */
export function busyResponse(error: unknown): Response {
  const { problem } = error as { problem?: Problem };
  if (problem?.retryAfter === undefined) throw error;
  return new Response(`${problem.error}\n`, {
    status: problem.status,
    headers: headersOf(problem),
  });
}

/** Responds with the picture of a page, or with status 404 if the link does not open the page. */
export async function pageImageResponse(
  { file, page }: { file: string; page: string },
  find: (page: { fileId: number; page: number }) => Promise<Uint8Array | null | undefined>,
): Promise<Response> {
  const [fileId, number] = [idIn(file), idIn(page)];
  const isPage = fileId !== undefined && number !== undefined;
  const found = isPage && (await find({ fileId, page: number }));
  if (!found) return notOpened("page");
  return new Response(new Uint8Array(found), {
    headers: { ...privateHeaders, "Content-Type": "image/webp" },
  });
}

/** Returns the optional columns that the URL of a file of marks asks for. */
export function marksOptions(url: string) {
  const { searchParams: query } = new URL(url);
  return { withProposals: query.has(proposalsField), withPoints: query.has(pointsField) };
}

/** When a request is deleted: ISO 8601, UTC. */
export const deletionOf = (receivedAt: string, days: number): string =>
  new Date(Date.parse(receivedAt) + days * dayMs).toISOString();

/** The URL of the article on scanning with a phone; null if the site does not serve the article. */
function scanGuideOf({ brand, articles }: RouteContext): string | null {
  const guide = `improve-remote-learning-with-${brand.slug}`;
  const hasGuide = articles.some(({ slug }) => slug === guide);
  return hasGuide ? `/${guide}#the-photograph-in-six-steps` : null;
}

/**
 * Loader data of a form page, with the receipt that `?received=REFERENCE` asks for, if any.
 * @param own further data of the page
 */
export async function loadFormPage<Own extends object>(
  { request, context }: Pick<LoaderFunctionArgs, "request" | "context">,
  forms: readonly FormName[],
  own: Own,
) {
  const site = context.get(routeContext);
  const { retentionDays, maxFileBytes, mailsFiles } = site;
  const fileHelp = { scanGuide: scanGuideOf(site), maxFileBytes };
  const page = { ...own, retentionDays, mailsFiles, fileHelp };
  const reference = new URL(request.url).searchParams.get("received");
  if (reference === null) {
    return data<FormPageData & Own>({ ...page, receipt: null });
  }
  const received = await site.findReceived(forms, reference);
  const receipt = received && {
    form: received.form,
    found: await inTime(site.findReceipt(received), { request, context }),
  };
  return data<FormPageData & Own>(
    { ...page, receipt: receipt ?? "unknown" },
    { status: receipt ? 200 : 404, headers: privateHeaders },
  );
}

/** The `loader` of a page whose only form is this one. */
export const formLoader =
  (form: FormName) =>
  ({ request, context }: LoaderFunctionArgs) =>
    loadFormPage({ request, context }, [form], {});

/**
 * The `action` of a page for posts of a form: responds by a redirect to the receipt, or by the page again.
 * @param anchor the receipt's anchor on the page, with its #
 */
export const formAction =
  (form: FormName, path: string, anchor = "") =>
  async ({ context }: Pick<LoaderFunctionArgs, "context">) => {
    const outcome = await context.get(routeContext).submit(form);
    if (outcome.received) return redirect(`${path}?received=${outcome.reference}${anchor}`, 303);
    const { problem, typed, draft } = outcome;
    return data<ReturnedForm>(
      { form, problem, typed, draft },
      { status: problem?.status ?? 200, headers: headersOf(problem) },
    );
  };

/** A route's `headers`: those of the action, if the action ran, or else of the loader. */
export const formPageHeaders = ({ loaderHeaders, actionHeaders }: HeadersArgs) =>
  actionHeaders.has("Cache-Control") ? actionHeaders : loaderHeaders;
