import type { IncomingMessage } from 'node:http';
import type { Refusal } from './refusal.js';

/** The rate limit headers of a request that was counted. */
export interface Counted {
  /** Headers of its response, as alternating names and values. */
  readonly headers: readonly string[];
  /** `null` if the client may send it. */
  readonly refusal: Refusal | null;
}

/** Limits how many requests a client may send. */
export interface RequestLimiter {
  /** Counts a request. Returns `null` if the requests of its client are not limited. */
  readonly take: (request: IncomingMessage, isSearch: boolean) => Counted | null;
}

export const UNLIMITED: RequestLimiter = { take: () => null };

const HEALTH_PATHS: ReadonlySet<string> = new Set(['/livez', '/readyz']);

/** Whether a path, or the path of a route, is that of a health check. Health checks are never limited. */
export function isHealthPath(path: string): boolean {
  return HEALTH_PATHS.has(path);
}
