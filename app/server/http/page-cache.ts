import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { sampleToken } from "../../domain/result.ts";
import { resultsCall } from "../../site.ts";
import { compress } from "./encoding.ts";
import { pagePolicy, strictPolicy } from "./headers.ts";
import { StoredAnswer } from "./stored-response.ts";

/** What the cache must know of the site. */
export interface Cacheable {
  /** Addresses that are the same for everybody. */
  paths: Set<string>;
  /** Addresses that have to be asked each time. */
  uncached: Set<string>;
  categories: Set<string>;
}

/** Anything of this in the query makes a page its visitor's own. */
const personal = ["q", "received", "results", "upload"];

/** The one view of results that is the same for everybody. */
const sample = `/?results=${sampleToken}`;

/** After a day a page is drawn anew: one of them tells a date that lies ahead. */
const mostAgeMs = 24 * 60 * 60 * 1000;

const mostBytes = 64 * 1_048_576;

/**
 * The address that stands for all unknown ones: their one answer is drawn for it, and not for what the
 * first visitor happened to ask for.
 */
const notFound = "/404";

/**
 * Public pages, drawn once and kept whole: text, compressed text, ETag and their own security policy.
 * Content and brand are read at the start only, so nothing here can be out of date while the program runs.
 */
export class PageCache {
  readonly #kept = new Map<string, { answer: StoredAnswer; until: number }>();
  readonly #underWay = new Map<string, Promise<StoredAnswer | undefined>>();
  readonly #site: Cacheable;
  readonly #draw: (address: string) => Promise<Response>;
  readonly #headers: [string, string][];
  #bytes = 0;

  /** @param draw renders a page whole */
  constructor(
    site: Cacheable,
    headers: [string, string][],
    draw: (address: string) => Promise<Response>,
  ) {
    this.#site = site;
    this.#headers = headers;
    this.#draw = draw;
  }

  /** Answers what it may, at once or when the page has been drawn. False: somebody else must. */
  async answer(request: IncomingMessage, response: ServerResponse): Promise<boolean> {
    const key = this.#keyOf(request.url!);
    if (key === undefined) return false;
    const kept = this.#kept.get(key);
    if (kept && kept.until > Date.now()) {
      kept.answer.send(request, response);
      return true;
    }
    const answer = await this.#drawOnce(key);
    answer?.send(request, response);
    return answer !== undefined;
  }

  /** The same without waiting, for what is kept already. */
  answerKept(request: IncomingMessage, response: ServerResponse): boolean {
    const kept = this.#kept.get(request.url!);
    if (!kept || kept.until <= Date.now()) return false;
    kept.answer.send(request, response);
    return true;
  }

  #keyOf(url: string): string | undefined {
    const [path, query] = url.split("?", 2) as [string, string | undefined];
    const { paths, uncached, categories } = this.#site;
    if (url === sample) return sample;
    if (uncached.has(path) || (path.startsWith(resultsCall) && !paths.has(path))) return undefined;
    const parameters = new URLSearchParams(query);
    if (personal.some((name) => parameters.has(name))) return undefined;
    if (!paths.has(path)) return notFound;
    const category = path === "/blog" ? parameters.get("category") : null;
    if (category === null) return path;
    return categories.has(category)
      ? `${path}?category=${encodeURIComponent(category)}`
      : undefined;
  }

  /** Many who come at once wait for one drawing. */
  #drawOnce(key: string): Promise<StoredAnswer | undefined> {
    const before = this.#underWay.get(key);
    if (before) return before;
    const drawing = this.#drawAndKeep(key).finally(() => this.#underWay.delete(key));
    this.#underWay.set(key, drawing);
    return drawing;
  }

  async #drawAndKeep(key: string): Promise<StoredAnswer | undefined> {
    const response = await this.#draw(key);
    const isExpected = response.status === (key === notFound ? 404 : 200);
    if (!isExpected || response.headers.get("Cache-Control") === "no-store") {
      await response.body?.cancel();
      return undefined;
    }
    const text = Buffer.from(await response.arrayBuffer());
    const type = response.headers.get("Content-Type") ?? "text/plain; charset=utf-8";
    const isPage = type.startsWith("text/html");
    const answer = new StoredAnswer(
      response.status,
      [
        ...this.#headers,
        ["Content-Type", type],
        ["Cache-Control", "no-cache"],
        ["Content-Security-Policy", isPage ? pagePolicy(scriptHashes(text)) : strictPolicy],
      ],
      await compress(text),
    );
    if (this.#bytes + answer.size <= mostBytes) {
      this.#bytes += answer.size - (this.#kept.get(key)?.answer.size ?? 0);
      this.#kept.set(key, { answer, until: Date.now() + mostAgeMs });
    }
    return answer;
  }
}

/** Of the scripts that stand in the page and run; data for search engines does not. */
function scriptHashes(html: Buffer): string[] {
  const scripts = html.toString().matchAll(/<script(?:\s[^>]*)?>([\s\S]*?)<\/script>/g);
  return [...scripts]
    .filter(([tag]) => !tag.startsWith('<script type="application/ld+json"'))
    .map(([, text]) => `'sha256-${createHash("sha256").update(text!).digest("base64")}'`);
}
