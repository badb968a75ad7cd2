/** Headers by which scripts of other origins may read a response, as alternating names and values. */
export const CORS_HEADERS: readonly string[] = [
  'Access-Control-Allow-Origin',
  '*',
  'Access-Control-Expose-Headers',
  'ETag, Link, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id',
];

/** The default `Content-Security-Policy` of responses: nothing may be loaded. */
export const STRICT_POLICY = "default-src 'none'; frame-ancestors 'none'";

/** Headers of every response except a 304, which has no headers about the content. */
export const STATIC_HEADERS: readonly string[] = [
  'X-Content-Type-Options',
  'nosniff',
  'Referrer-Policy',
  'no-referrer',
  'Cross-Origin-Resource-Policy',
  'cross-origin',
  ...CORS_HEADERS,
];

export const ALLOWED_METHODS = 'GET, HEAD, OPTIONS';

/** The response to OPTIONS, including CORS preflights. */
export const PREFLIGHT_HEADERS: Readonly<Record<string, string>> = {
  Allow: ALLOWED_METHODS,
  'Access-Control-Allow-Methods': ALLOWED_METHODS,
  'Access-Control-Allow-Headers': '*',
  'Access-Control-Max-Age': '86400',
};

/** Seconds for which caches may keep a response. `live`: depends on the present time. `pinned`: its address contains a hash of its content. */
export const CACHE_SECONDS = { live: 15, record: 30, pinned: 300 } as const;
export type CachePolicy = keyof typeof CACHE_SECONDS;

export const NO_STORE = 'no-store';
/** Of addresses that change with their content. */
export const FOR_EVER = 'public, max-age=31536000, immutable';

/** How long caches may show an expired response while they fetch the next one. */
const WHILE_REVALIDATED = 'stale-while-revalidate=30';
/** How long caches may show an expired response while Vitrine fails. Only for responses without repository data, because a removed repository must disappear earlier. */
const IF_ERROR = 'stale-if-error=300';

/** @param holdsRepositories whether the response can contain data of a repository */
export function cacheControlOf(policy: CachePolicy, holdsRepositories: boolean): string {
  const kept = `public, max-age=${String(CACHE_SECONDS[policy])}, ${WHILE_REVALIDATED}`;
  return holdsRepositories ? kept : `${kept}, ${IF_ERROR}`;
}

/** The headers from which caches read purge keys, and the separator between the keys. */
export const PURGE_SEPARATORS = { 'Surrogate-Key': ' ', 'Cache-Tag': ',' } as const;
export type PurgeHeader = keyof typeof PURGE_SEPARATORS;

export function serviceDescLink(basePath: string): string {
  return `<${basePath}/openapi.json>; rel="service-desc"`;
}
