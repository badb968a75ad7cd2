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

export interface ForgeAccountOptions {
  readonly host: string;
  /** The requests in an hour that the forge allows without a token, as far as it is known before the first response; `null`: it is not limited, or there is a token. */
  readonly perHour: number | null;
  /** How to get more requests, for messages. */
  readonly remedy: string;
}

/** The limit of requests that several sources of one forge share, because they use the same token, or none. */
export class ForgeAccount {
  members = 1;
  readonly #options: ForgeAccountOptions;
  readonly #turns = new Slots(1);
  readonly #runs = new Slots(1);
  /** As the forge says; `null`: it has not said it yet. */
  #perHour: number | null = null;
  /** Until when no request may be sent. */
  #stoppedUntil: Instant = 0;

  constructor(options: ForgeAccountOptions) {
    this.#options = options;
  }

  /** How many pages of a long list are read at once: only the first ones if the forge is known to allow few requests. */
  mostPages(most: number): number {
    return this.#options.perHour === null ? most : Math.min(FEW_PAGES, most);
  }

  /** Runs a source when all others have ended their runs. Otherwise, they could use up a small limit together, and none of them would complete. */
  runInTurn<Result>(run: () => Promise<Result>): Promise<Result> {
    return this.#runs.run(run);
  }

  /** Makes a call when all earlier ones have ended. */
  inTurn<Result>(call: () => Promise<Result>): Promise<Result> {
    return this.#turns.run(call);
  }

  /** Throws a {@link SourceError} if one more request would use up the reserve, or if the forge has asked to wait. */
  require(now: Instant): void {
    if (this.#isStopped(now)) throw this.#limited(now);
  }

  /** Remembers the limit from the headers of a response. */
  note(headers: IncomingHttpHeaders, now: Instant): void {
    const [limit, remaining, reset] = ['limit', 'remaining', 'reset'].map((name) => numberIn(headers, name));
    if (limit === undefined || remaining === undefined || reset === undefined) return;
    // By the clock of the server, which may differ from this one.
    const resetsAt = now + (reset * SECOND - dateOf(headers, now));
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
    const { perHour } = this.#options;
    if (perHour === null) return intervalMs;
    const usable = usableOf(this.#perHour ?? perHour);
    return Math.max(intervalMs, Math.ceil((this.members * requests * HOUR) / usable));
  }

  #limited(now: Instant): SourceError {
    const { host, remedy } = this.#options;
    const until = this.#stoppedUntil;
    const message = `the limit of requests to ${host} is nearly used up; the source continues at ${formatInstant(until)}`;
    return new SourceError(remedy === '' ? message : `${message}. ${remedy}`, 'RATE_LIMITED', until - now);
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

function dateOf({ date = '' }: IncomingHttpHeaders, now: Instant): Instant {
  const stated = Date.parse(date);
  return Number.isNaN(stated) ? now : stated;
}
