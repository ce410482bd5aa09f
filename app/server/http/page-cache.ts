import type { Response as ExpressResponse, Request, RequestHandler } from "express";
import { dayMs } from "../../domain/duration.ts";
import { notFoundPath } from "../../site.ts";
import type { Log } from "../log.ts";
import { compress, compressFast, type Variants } from "./encoding.ts";
import { pagePolicy, type ResponseHeaders, strictPolicy } from "./headers.ts";
import { queryOf } from "./posts.ts";
import { StoredResponse } from "./stored-response.ts";

/** Which pages are cached, and under which query parameters. */
export interface CacheRules {
  /** The cached paths, each with its query parameters and, for each parameter, the values that have a cache entry. */
  paths: ReadonlyMap<string, Readonly<Record<string, ReadonlySet<string>>>>;
  /** Whether a path that is not in `paths` exists, and is rendered for every request. */
  isUncacheable(path: string): boolean;
}

interface PageCacheOptions {
  rules: CacheRules;
  headers: ResponseHeaders;
  /** Returns the complete page at a path. */
  render: (url: string) => Promise<Response>;
  log: Log;
}

/** security.txt names a date, so pages are rendered again after a day. */
const maxAgeMs = dayMs;

/** Max bytes of all cached pages; further pages are rendered for every request. */
const maxBytes = 64 * 1_048_576;

/**
 * Renders public pages once and keeps each in memory: its HTML, compressed variants, ETag and security policy. Content
 * and brand are read at start-up only, so an entry never goes stale before its age limit.
 */
export class PageCache {
  readonly #pages = new Map<string, { stored: StoredResponse; expiresAt: number }>();
  readonly #rendering = new Map<string, Promise<StoredResponse | undefined>>();
  readonly #options: PageCacheOptions;
  #bytes = 0;

  constructor(options: PageCacheOptions) {
    this.#options = options;
  }

  /** Responds with a page from the cache. A page that is missing or too old is rendered and cached first. */
  readonly pages: RequestHandler = (request, response, next) => {
    if (request.method === "POST") return next();
    const key = this.#keyOf(request);
    return key === undefined ? next() : this.#respond(key, request, response, next);
  };

  /** Responds with the page for unknown addresses, from the cache, if no page has the request's path. */
  readonly unknownPages: RequestHandler = (request, response, next) => {
    const { rules } = this.#options;
    const { method, path } = request;
    if (method === "POST" || rules.paths.has(path) || rules.isUncacheable(path)) return next();
    return this.#respond(notFoundPath, request, response, next);
  };

  async #respond(key: string, request: Request, response: ExpressResponse, next: () => void) {
    const stored = this.#find(key) ?? (await this.#renderOnce(key));
    if (stored) stored.send(request, response);
    else next();
  }

  #find(key: string): StoredResponse | undefined {
    const cached = this.#pages.get(key);
    return cached && cached.expiresAt > Date.now() ? cached.stored : undefined;
  }

  /** Returns the key of a request's cache entry; undefined for a page that must not come from the cache. */
  #keyOf(request: Request): string | undefined {
    const { path } = request;
    const cached = this.#options.rules.paths.get(path);
    if (!cached) return undefined;
    const parameters = new Map<string, string>();
    for (const [name, value] of queryOf(request)) {
      if (!Object.hasOwn(cached, name)) continue;
      if (!cached[name]!.has(value) || parameters.has(name)) return undefined;
      parameters.set(name, value);
    }
    const canonical = [...parameters].map(
      ([name, value]) => `${name}=${encodeURIComponent(value)}`,
    );
    return canonical.length > 0 ? `${path}?${canonical.join("&")}` : path;
  }

  /**
   * Renders and caches a page, once for concurrent requests. Resolves with undefined if the page fails or must not be
   * cached.
   */
  #renderOnce(key: string): Promise<StoredResponse | undefined> {
    const pending = this.#rendering.get(key);
    if (pending) return pending;
    const rendering = this.#renderAndCache(key)
      .catch((error) => {
        this.#options.log.error("rendering a page for the cache failed", error);
        return undefined;
      })
      .finally(() => this.#rendering.delete(key));
    this.#rendering.set(key, rendering);
    return rendering;
  }

  async #renderAndCache(key: string): Promise<StoredResponse | undefined> {
    const response = await this.#options.render(key);
    const isExpected = response.status === (key === notFoundPath ? 404 : 200);
    if (!isExpected || response.headers.get("Cache-Control") === "no-store") {
      await response.body?.cancel();
      return undefined;
    }
    const text = Buffer.from(await response.arrayBuffer());
    const type = response.headers.get("Content-Type") ?? "text/plain; charset=utf-8";
    const isPage = type.startsWith("text/html");
    const headers = {
      ...this.#options.headers,
      "Content-Type": type,
      "Cache-Control": "no-cache",
      "Content-Security-Policy": isPage
        ? pagePolicy({ hasScript: text.includes('<script type="module"') })
        : strictPolicy,
    };
    const store = (variants: Variants) => {
      const stored = new StoredResponse(response.status, headers, variants);
      this.#add(key, stored);
      return stored;
    };
    // The first visitor waits for fast compression alone. The ETags stay the same, because they are made from the text.
    const first = store(await compressFast(text));
    void compress(text).then(store);
    return first;
  }

  #add(key: string, stored: StoredResponse): void {
    const bytes = this.#bytes + stored.size - (this.#pages.get(key)?.stored.size ?? 0);
    if (bytes > maxBytes) return;
    this.#bytes = bytes;
    this.#pages.set(key, { stored, expiresAt: Date.now() + maxAgeMs });
  }
}
