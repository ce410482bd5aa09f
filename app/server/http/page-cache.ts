import { notFoundPath } from "../../site.ts";
import type { Log } from "../log.ts";
import { compress } from "./encoding.ts";
import type { Exchange, Handler } from "./exchange.ts";
import { pagePolicy, type ResponseHeaders, strictPolicy } from "./headers.ts";
import { StoredResponse } from "./stored-response.ts";
import type { Traffic } from "./traffic.ts";

/** Which pages are cached, and under which query parameters. */
export interface CacheRules {
  /**
   * Cached paths, each with the parameters that it reads and the values of these that give it cache
   * entries of its own.
   */
  paths: ReadonlyMap<string, Readonly<Record<string, ReadonlySet<string>>>>;
  /** Whether a path that is not in `paths` exists, and is rendered for every request. */
  isUncacheable(path: string): boolean;
}

interface PageCacheOptions {
  rules: CacheRules;
  /** Sent with every response. */
  headers: ResponseHeaders;
  /** Returns the complete page at a path. */
  render: (url: string) => Promise<Response>;
  traffic: Traffic;
  log: Log;
}

/** security.txt names a date, so pages are rendered again after a day. */
const maxAgeMs = 24 * 60 * 60 * 1000;

const maxBytes = 64 * 1_048_576;

/**
 * Renders public pages once and keeps each in memory: its HTML, compressed variants, ETag and
 * security policy. Content and brand are read at start-up only, so an entry never goes stale before
 * its age limit.
 */
export class PageCache {
  readonly #pages = new Map<string, { stored: StoredResponse; expiresAt: number }>();
  readonly #rendering = new Map<string, Promise<StoredResponse | undefined>>();
  readonly #options: PageCacheOptions;
  #bytes = 0;

  constructor(options: PageCacheOptions) {
    this.#options = options;
  }

  /** Handles a page whose cache entry has the URL itself as its key. */
  readonly handleCached: Handler = (exchange) => {
    const stored = exchange.isPost ? undefined : this.#find(exchange.url);
    return stored !== undefined && this.#send(stored, exchange);
  };

  /** Handles every page that may come from the cache, and renders it if it is not there yet. */
  readonly handleCacheable: Handler = (exchange) => {
    const key = exchange.isPost ? undefined : this.#keyOf(exchange);
    if (key === undefined) return false;
    const stored = this.#find(key);
    return stored ? this.#send(stored, exchange) : this.#renderAndSend(key, exchange);
  };

  #find(key: string): StoredResponse | undefined {
    const cached = this.#pages.get(key);
    return cached && cached.expiresAt > Date.now() ? cached.stored : undefined;
  }

  #send(stored: StoredResponse, exchange: Exchange): true {
    stored.send(exchange);
    this.#options.traffic.cachedPages += 1;
    return true;
  }

  async #renderAndSend(key: string, exchange: Exchange): Promise<boolean> {
    try {
      const stored = await this.#renderOnce(key);
      return stored !== undefined && this.#send(stored, exchange);
    } catch (error) {
      this.#options.log.error("rendering a page for the cache failed", error);
      return false;
    }
  }

  /** Returns the entry's key, or undefined for a page that must not come from the cache. */
  #keyOf({ path, query }: Exchange): string | undefined {
    const { rules } = this.#options;
    if (rules.isUncacheable(path)) return undefined;
    const cached = rules.paths.get(path);
    if (!cached) return notFoundPath;
    const parameters = new Map<string, string>();
    for (const [name, value] of query) {
      if (!Object.hasOwn(cached, name)) continue;
      if (!cached[name]!.has(value) || parameters.has(name)) return undefined;
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
    const response = await this.#options.render(key);
    const isExpected = response.status === (key === notFoundPath ? 404 : 200);
    if (!isExpected || response.headers.get("Cache-Control") === "no-store") {
      await response.body?.cancel();
      return undefined;
    }
    const text = Buffer.from(await response.arrayBuffer());
    const type = response.headers.get("Content-Type") ?? "text/plain; charset=utf-8";
    const isPage = type.startsWith("text/html");
    const stored = new StoredResponse(
      response.status,
      {
        ...this.#options.headers,
        "Content-Type": type,
        "Cache-Control": "no-cache",
        "Content-Security-Policy": isPage
          ? pagePolicy(text.includes('<script type="module"'))
          : strictPolicy,
      },
      await compress(text),
    );
    if (this.#bytes + stored.size <= maxBytes) {
      this.#bytes += stored.size - (this.#pages.get(key)?.stored.size ?? 0);
      this.#pages.set(key, { stored, expiresAt: Date.now() + maxAgeMs });
    }
    return stored;
  }
}
