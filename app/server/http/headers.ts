/** What every answer carries, whatever it is: pages, calls, files, refusals. */
export function commonHeaders(isHttps: boolean): [name: string, value: string][] {
  return [
    ["X-Content-Type-Options", "nosniff"],
    // Not no-referrer: with it browsers send `Origin: null`, and forms without JavaScript are refused.
    ["Referrer-Policy", "strict-origin-when-cross-origin"],
    ["X-Frame-Options", "DENY"],
    ["Cross-Origin-Opener-Policy", "same-origin"],
    ["Cross-Origin-Embedder-Policy", "require-corp"],
    ["Cross-Origin-Resource-Policy", "same-origin"],
    [
      "Permissions-Policy",
      "camera=(), microphone=(), geolocation=(), payment=(), usb=(), browsing-topics=()",
    ],
    // Without includeSubDomains: the institution's other hosts are not ours to judge.
    ...(isHttps ? [["Strict-Transport-Security", "max-age=63072000"] as [string, string]] : []),
  ];
}

/** For what is no page: nothing in it may run, load or be framed. */
export const strictPolicy = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'";

/** What is no page and good for this once, as names and values in turn. */
export const noStoreHeaders = [
  "Cache-Control",
  "no-store",
  "Content-Security-Policy",
  strictPolicy,
];

/**
 * A page's content security policy.
 * @param scripts sources of its inline scripts, as 'sha256-…' or 'nonce-…'; none where it has no script
 */
export function pagePolicy(scripts: string[]): string {
  const own = "'self'";
  return [
    "default-src 'none'",
    `script-src ${scripts.length > 0 ? [own, ...scripts].join(" ") : "'none'"}`,
    `style-src ${own}`,
    `img-src ${own}`,
    `font-src ${own}`,
    `media-src ${own}`,
    `connect-src ${own}`,
    `manifest-src ${own}`,
    `form-action ${own}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; ");
}
