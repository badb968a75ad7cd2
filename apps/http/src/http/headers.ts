/** Sent with every answer, as raw pairs. */
export const STATIC_HEADERS: readonly string[] = [
  'X-Content-Type-Options',
  'nosniff',
  'Content-Security-Policy',
  "default-src 'none'; frame-ancestors 'none'",
  'Referrer-Policy',
  'no-referrer',
  'Cross-Origin-Resource-Policy',
  'cross-origin',
  'Access-Control-Allow-Origin',
  '*',
  'Access-Control-Expose-Headers',
  'ETag, Link, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id',
];

export const ALLOWED_METHODS = 'GET, HEAD, OPTIONS';

/** The answer to OPTIONS, CORS preflights included. */
export const PREFLIGHT_HEADERS: Readonly<Record<string, string>> = {
  Allow: ALLOWED_METHODS,
  'Access-Control-Allow-Methods': ALLOWED_METHODS,
  'Access-Control-Allow-Headers': '*',
  'Access-Control-Max-Age': '86400',
};

/** Seconds for which caches may keep an answer. `live` judges the present moment; `pinned` is named by its content. */
export const CACHE_SECONDS = { live: 15, record: 30, pinned: 300 } as const;
export type CachePolicy = keyof typeof CACHE_SECONDS;

export const NO_STORE = 'no-store';

const CACHE_CONTROL: Readonly<Record<CachePolicy, string>> = {
  live: cacheControl(CACHE_SECONDS.live),
  record: cacheControl(CACHE_SECONDS.record),
  pinned: cacheControl(CACHE_SECONDS.pinned),
};

function cacheControl(seconds: number): string {
  return `public, max-age=${String(seconds)}, stale-while-revalidate=60, stale-if-error=300`;
}

export function cacheControlOf(policy: CachePolicy): string {
  return CACHE_CONTROL[policy];
}

export function serviceDescLink(basePath: string): string {
  return `<${basePath}/openapi.json>; rel="service-desc"`;
}
