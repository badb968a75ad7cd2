import { SourceError } from '../../running/source.js';
import { DAY, formatInstant, HOUR, type Instant, MINUTE, SECOND } from '@vitrine/core';
import type { IncomingHttpHeaders } from 'node:http';
import { retryAfterMs } from '../../fetching/outgoing-response.js';
import { Slots } from '../../running/slots.js';

/** The part of a limit that is left for others who use the same token or network. */
const RESERVED = 0.05;
/** No server may stop all its sources for longer. */
const LONGEST_STOP_MS = DAY;
/** If a forge refuses requests without saying for how long. */
const DEFAULT_STOP_MS = MINUTE;

const FEW_PAGES = 2;

/** The only forge that is known to allow few requests without a token. */
const PUBLIC_GITHUB = 'https://api.github.com';
const ANONYMOUS_PER_HOUR = 60;

/** The limit of requests that several sources of one forge share, because they use the same token, or none. */
export class ForgeAccount {
  members = 1;
  readonly #host: string;
  readonly #advice: string | null;
  readonly #isLimited: boolean;
  /** For the requests: each one is sent when all earlier ones have been answered, so that it knows the remaining limit. */
  readonly requests = new Slots(1);
  /** For the runs of sources: together, they could use up a small limit, and none of them would complete. */
  readonly runs = new Slots(1);
  #perHour = ANONYMOUS_PER_HOUR;
  /** Until when no request may be sent. */
  #stoppedUntil: Instant = 0;

  /** @param api its address @param isAnonymous whether no token is used */
  constructor(api: string, isAnonymous: boolean) {
    const isGitHub = api === PUBLIC_GITHUB;
    this.#host = new URL(api).host;
    this.#isLimited = isAnonymous && isGitHub;
    const advice = isGitHub ? 'Set GITHUB_TOKEN' : 'Name an environment variable with a token in the key token';
    this.#advice = isAnonymous ? `${advice} to get more requests` : null;
  }

  /** How many pages of a long list are read at once: only the first ones if the forge is known to allow few requests. */
  mostPages(most: number): number {
    return this.#isLimited ? Math.min(FEW_PAGES, most) : most;
  }

  /** Throws a {@link SourceError} if one more request would use up the reserve, or if the forge has asked to wait. */
  require(now: Instant): void {
    if (this.#isStopped(now)) throw this.#limited(now);
  }

  note(headers: IncomingHttpHeaders, now: Instant): void {
    const [limit, remaining, reset] = ['limit', 'remaining', 'reset'].map((name) => numberIn(headers, name));
    if (limit === undefined || remaining === undefined || reset === undefined) return;
    // By the clock of the server, which may differ from this one.
    const statedNow = Date.parse(headers.date ?? '');
    const resetsAt = now + (reset * SECOND - (Number.isNaN(statedNow) ? now : statedNow));
    this.#perHour = limit;
    this.#stoppedUntil = remaining <= limit - usableOf(limit) ? Math.min(resetsAt, now + LONGEST_STOP_MS) : 0;
  }

  /** Stops all sources after a response that says that a limit is reached, and throws the {@link SourceError}. */
  stop(headers: IncomingHttpHeaders, now: Instant): never {
    const asked = now + Math.min(retryAfterMs(headers['retry-after'], now) ?? DEFAULT_STOP_MS, LONGEST_STOP_MS);
    this.#stoppedUntil = this.#isStopped(now) ? Math.max(this.#stoppedUntil, asked) : asked;
    throw this.#limited(now);
  }

  /** The interval of a source that fits the limit. @param requests those of one run */
  intervalFor(intervalMs: number, requests: number): number {
    if (!this.#isLimited) return intervalMs;
    return Math.max(intervalMs, Math.ceil((this.members * requests * HOUR) / usableOf(this.#perHour)));
  }

  #limited(now: Instant): SourceError {
    const until = this.#stoppedUntil;
    const message = `the limit of requests to ${this.#host} is nearly used up; the source continues at ${formatInstant(until)}`;
    return new SourceError(this.#advice === null ? message : `${message}. ${this.#advice}`, 'RATE_LIMITED', until - now);
  }

  /** Nothing stops for longer than the longest stop. So an end that is further ahead was told by a clock that was wrong, and has been set back since. */
  #isStopped(now: Instant): boolean {
    return this.#stoppedUntil > now && this.#stoppedUntil - now <= LONGEST_STOP_MS;
  }
}

function usableOf(limit: number): number {
  return Math.max(1, Math.floor(limit * (1 - RESERVED)));
}

/** GitHub says `x-ratelimit-limit`, GitLab `ratelimit-limit`. */
function numberIn(headers: IncomingHttpHeaders, name: string): number | undefined {
  const text = headers[`x-ratelimit-${name}`] ?? headers[`ratelimit-${name}`];
  return typeof text === 'string' && /^\d{1,12}$/.test(text) ? Number(text) : undefined;
}
