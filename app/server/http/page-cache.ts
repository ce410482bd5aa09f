import type { IncomingMessage, ServerResponse } from "node:http";
import { isTrackingParameter } from "../../site.ts";
import { compress } from "./encoding.ts";
import { pagePolicy, strictPolicy } from "./headers.ts";
import { StoredResponse } from "./stored-response.ts";

/** Which pages are cached, and under which query parameters. */
export interface CacheRules {
  /** Cached paths, each with the parameters, and their values, that give it entries of its own. */
  paths: ReadonlyMap<string, Readonly<Record<string, ReadonlySet<string>>>>;
  /** Whether a path that is not in `paths` exists, and is rendered for every request. */
  isUncacheable(path: string): boolean;
}

/** security.txt names a date, so pages are rendered again after a day. */
const maxAgeMs = 24 * 60 * 60 * 1000;

const maxBytes = 64 * 1_048_576;

/** The key of the one not-found page, which every unknown path shares. */
const notFoundKey = "/404";

/**
 * Renders public pages once and keeps each in memory: its HTML, compressed variants, ETag and
 * security policy. Content and brand are read at start-up only, so an entry never goes stale before
 * its age limit.
 */
export class PageCache {
  readonly #pages = new Map<string, { stored: StoredResponse; expiresAt: number }>();
  readonly #rendering = new Map<string, Promise<StoredResponse | undefined>>();
  readonly #rules: CacheRules;
  readonly #render: (url: string) => Promise<Response>;
  readonly #headers: [string, string][];
  #bytes = 0;

  /** @param render returns the complete page at a path */
  constructor(
    rules: CacheRules,
    headers: [string, string][],
    render: (url: string) => Promise<Response>,
  ) {
    this.#rules = rules;
    this.#headers = headers;
    this.#render = render;
  }

  /**
   * Responds from the cache, rendering the page first if needed; returns false if the page is not
   * cacheable.
   */
  async respond(request: IncomingMessage, response: ServerResponse): Promise<boolean> {
    const key = this.#keyOf(request.url!);
    if (key === undefined) return false;
    const cached = this.#pages.get(key);
    if (cached && cached.expiresAt > Date.now()) {
      cached.stored.send(request, response);
      return true;
    }
    const stored = await this.#renderOnce(key);
    stored?.send(request, response);
    return stored !== undefined;
  }

  /** The fast path: responds only if the URL itself is the key of a fresh entry. */
  sendCached(request: IncomingMessage, response: ServerResponse): boolean {
    const cached = this.#pages.get(request.url!);
    if (!cached || cached.expiresAt <= Date.now()) return false;
    cached.stored.send(request, response);
    return true;
  }

  /** Returns the entry's key, or undefined for a page that must not come from the cache. */
  #keyOf(url: string): string | undefined {
    const [path, query] = url.split("?", 2) as [string, string | undefined];
    if (this.#rules.isUncacheable(path)) return undefined;
    const cacheBy = this.#rules.paths.get(path);
    if (!cacheBy) return notFoundKey;
    const parameters = new Map<string, string>();
    for (const [name, value] of new URLSearchParams(query)) {
      if (isTrackingParameter(name)) continue;
      if (!cacheBy[name]?.has(value) || parameters.has(name)) return undefined;
      parameters.set(name, value);
    }
    const canonical = [...parameters].map(
      ([name, value]) => `${name}=${encodeURIComponent(value)}`,
    );
    return canonical.length > 0 ? `${path}?${canonical.join("&")}` : path;
  }

  /** Concurrent requests for a page share one render. */
  #renderOnce(key: string): Promise<StoredResponse | undefined> {
    const pending = this.#rendering.get(key);
    if (pending) return pending;
    const rendering = this.#renderAndCache(key).finally(() => this.#rendering.delete(key));
    this.#rendering.set(key, rendering);
    return rendering;
  }

  async #renderAndCache(key: string): Promise<StoredResponse | undefined> {
    const response = await this.#render(key);
    const isExpected = response.status === (key === notFoundKey ? 404 : 200);
    if (!isExpected || response.headers.get("Cache-Control") === "no-store") {
      await response.body?.cancel();
      return undefined;
    }
    const text = Buffer.from(await response.arrayBuffer());
    const type = response.headers.get("Content-Type") ?? "text/plain; charset=utf-8";
    const isPage = type.startsWith("text/html");
    const stored = new StoredResponse(
      response.status,
      [
        ...this.#headers,
        ["Content-Type", type],
        ["Cache-Control", "no-cache"],
        [
          "Content-Security-Policy",
          isPage ? pagePolicy(text.includes('<script type="module"')) : strictPolicy,
        ],
      ],
      await compress(text),
    );
    if (this.#bytes + stored.size <= maxBytes) {
      this.#bytes += stored.size - (this.#pages.get(key)?.stored.size ?? 0);
      this.#pages.set(key, { stored, expiresAt: Date.now() + maxAgeMs });
    }
    return stored;
  }
}
