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
  'Link, Retry-After, X-Request-Id',
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

/** For how long caches may keep showing an answer while they fetch the next one. */
const WHILE_REVALIDATED = 'stale-while-revalidate=30';
/** For how long caches may show an answer when Vitrine fails. A repository that leaves the allowlist must be gone by then, so this is for answers without any. */
const IF_ERROR = 'stale-if-error=300';

/** @param holdsRepositories whether the answer can hold data of a repository */
export function cacheControlOf(policy: CachePolicy, holdsRepositories: boolean): string {
  const kept = `public, max-age=${String(CACHE_SECONDS[policy])}, ${WHILE_REVALIDATED}`;
  return holdsRepositories ? kept : `${kept}, ${IF_ERROR}`;
}

/** The headers by which caches know what to purge, and what stands between their keys. */
export const PURGE_SEPARATORS = { 'Surrogate-Key': ' ', 'Cache-Tag': ',' } as const;
export type PurgeHeader = keyof typeof PURGE_SEPARATORS;

export function serviceDescLink(basePath: string): string {
  return `<${basePath}/openapi.json>; rel="service-desc"`;
}
