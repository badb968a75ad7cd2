import type { Site } from '../site.js';

/** What only a header can say. */
const OF_HEADERS = "; frame-ancestors 'none'";

/**
 * The value of `Content-Security-Policy`. Everything is loaded from the same origin, apart from images where the site allows them. Nothing inside a page is
 * run or styled.
 */
export function policyOf(site: Site): string {
  return policyInside(site) + OF_HEADERS;
}

/** The same for a `meta` element, for hosts that send no such header. */
export function policyInside({ images }: Site): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src 'self'${images ? ' https:' : ''}`,
    "connect-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
  ].join('; ');
}
