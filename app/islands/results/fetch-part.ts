import { wholePageHeader } from "../../domain/late.ts";
import { sampleToken } from "../../domain/result.ts";

export interface FetchedPart {
  status: number;
  /** The URL after redirects, without its fragment. */
  url: string;
  /** The part of the page that shows results or the desk; null if the page has none. */
  results: HTMLElement | null;
  /** Why a form was rejected, from the summary at the top of the page; "" if there is no summary. */
  problem: string;
}

/** How long a response may take, in milliseconds. */
const timeoutMs = 20_000;

/**
 * Fetches a page of results or of the desk, or posts a form to it. The document of an XMLHttpRequest is inert; parsing
 * text would need a Trusted Types policy.
 * @throws if there is no response, the server is busy or failing, or a network responds in its place
 */
export async function fetchPart(url: string, form?: Record<string, string>): Promise<FetchedPart> {
  const link = new URL(url, window.location.href).searchParams.get("link");
  if (link !== sampleToken) return await requestPart(url, form);
  const { respondInSample } = await import("../marking/sample-answers.ts");
  return await respondInSample(url, form, requestPart);
}

function requestPart(url: string, form?: Record<string, string>): Promise<FetchedPart> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(form ? "POST" : "GET", url);
    request.setRequestHeader(wholePageHeader, "1");
    request.responseType = "document";
    request.timeout = timeoutMs;
    const fail = () => reject(new Error(`status ${request.status}`));
    request.onerror = fail;
    request.ontimeout = fail;
    request.onload = () => {
      const { status, responseXML: page, responseURL } = request;
      const results = page?.querySelector<HTMLElement>(".results") ?? null;
      // The page of a captive portal or a proxy, or the page that says that the desk does not open from this network.
      const isOfNetwork = !results && (status < 400 || status === 401 || status === 403);
      if (!page || status === 429 || status >= 500 || isOfNetwork) return fail();
      resolve({
        status,
        url: responseURL,
        results,
        problem: page.querySelector(".problem-summary :is(li, p)")?.textContent ?? "",
      });
    };
    request.send(form && new URLSearchParams(form));
  });
}

/** Whether the browser opens the link of a click in a new tab or window. */
export const opensElsewhere = ({ ctrlKey, metaKey, shiftKey }: MouseEvent) =>
  ctrlKey || metaKey || shiftKey;

export const learnerIn = (url: string): string | null =>
  new URL(url, window.location.href).searchParams.get("learner");
