import type { Site } from '@vitrine/pages';
import type { CopyPlan } from '../views/copy/copy-plan.js';
import type { RateLimits, TrustProxy } from '../serving/client-address.js';
import type { PurgeHeader } from '../serving/envelope.js';

/** Settings of the HTTP server, fixed at start. */
export interface Settings {
  /** Public address of this Vitrine, without a slash at its end; asked at each answer, because the port may be chosen by the system. */
  readonly publicUrl: () => string;
  /** What stands before every path of the API, such as `/vitrine`; empty for none. */
  readonly basePath: string;
  /** The texts of the pages; `null` for none. Default: only the API is served. */
  readonly site?: Site | null;
  /** The copy of the site that is made; default: none, the site is served. */
  readonly copy?: CopyPlan | null;
  /** Milliseconds for one request. */
  readonly requestBudgetMs: number;
  /** Requests that may ask the store at a time; default: as many as a store has connections. */
  readonly storeSlots?: number | undefined;
  /** Whether answers are sent again before they expire; default true. */
  readonly cacheAnswers?: boolean | undefined;
  /** The header that names the repositories of an answer to caches; default: none. */
  readonly purgeHeader?: PurgeHeader | null;
  /** How many requests a client may send; default: any number. */
  readonly limits?: RateLimits | null;
  /** Which proxies are trusted to name the client; default: none. */
  readonly trustProxy?: TrustProxy | null;
}

/** Why the service does not start: lines for people, and the exit code. */
export class StartError extends Error {
  constructor(
    readonly lines: readonly string[],
    readonly exitCode: 2 | 3,
  ) {
    super(lines.join('\n'));
    this.name = 'StartError';
  }
}

/** The command line or the configuration cannot be used. */
export function unusable(...lines: readonly string[]): StartError {
  return new StartError(lines, 2);
}

/** The store or the address cannot be had. */
export function unobtainable(line: string): StartError {
  return new StartError([line], 3);
}
