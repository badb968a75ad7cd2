import { SECOND, type Instant } from '@vitrine/core';

/** How long a `Retry-After` header asks to wait, in milliseconds; `null` if there is none, or if it is malformed or in the past. */
export function retryAfterMs(header: string | undefined, now: Instant): number | null {
  if (header === undefined) return null;
  const text = header.trim();
  const wait = /^\d{1,9}$/.test(text) ? Number(text) * SECOND : Date.parse(text) - now;
  return wait > 0 ? wait : null;
}
