import { type Check, UNCONFIRMED, isRated, severityOf } from '../kinds/check.js';
import type { Instant } from '../kinds/instant.js';
import { compareText } from '../kinds/page.js';
import type { Carry, Claim, Tally } from '../kinds/status-day.js';
import { sameValue } from './stored-record.js';

/** Before the first check. */
export const NOTHING_CARRIED: Carry = { coveredUntil: Number.NEGATIVE_INFINITY, claims: [] };

/** The fields of a check that are counted. */
export type CountedCheck = Pick<Check, 'checkedAt' | 'state' | 'rawState' | 'validForMs' | 'responseTimeMs'> & {
  readonly provenance: Pick<Check['provenance'], 'source'>;
};

const OUTAGE = severityOf('outage');
const DEGRADED = severityOf('degraded');
const UNKNOWN = severityOf('unknown');

/** The end of the time that a check covers. An `unknown` check covers nothing. */
function coveredUntilBy({ checkedAt, state, validForMs }: Pick<Check, 'checkedAt' | 'state' | 'validForMs'>): Instant {
  return state === 'unknown' ? checkedAt : checkedAt + validForMs;
}

/** Whether checks of an earlier period are still valid at a time, or end exactly then. */
export function reaches({ coveredUntil, claims }: Carry, time: Instant): boolean {
  return coveredUntil > time || claims.some((claim) => endOf(claim) >= time);
}

/** The end of the carry of a period: none of its states is valid later. */
export function reachOf({ coveredUntil, claims }: Carry): Instant {
  return Math.max(coveredUntil, ...claims.map(endOf));
}

/** Whether two periods that end at the same time carry the same into the next period. */
export function sameReach(a: Carry, b: Carry, end: Instant): boolean {
  return (!reaches(a, end) && !reaches(b, end)) || (a.coveredUntil === b.coveredUntil && sameValue(a.claims, b.claims));
}

function endOf({ until, rated }: Claim): Instant {
  return rated === null ? until : Math.max(until, rated.until);
}

function ratedPart(claim: Claim | undefined): Claim['rated'] {
  return claim === undefined || claim.rated !== null || !isRated(claim.state) ? (claim?.rated ?? null) : { state: claim.state, until: claim.until };
}

/** The states of a service through time, by the checks of all its sources. Put the checks in time order. */
export class Timeline {
  #at: Instant;
  /** The severity of the state just before `#at`. */
  #state: number;
  #coveredUntil: Instant;
  readonly #claims: Map<string, Claim>;
  #coveredMs = 0;
  #outageMs = 0;
  #degradedMs = 0;
  #changedAt: Instant | null = null;

  constructor(from: Instant, { coveredUntil, claims }: Carry) {
    this.#at = from;
    this.#coveredUntil = coveredUntil;
    this.#claims = new Map(claims.map((claim) => [claim.source, claim]));
    this.#state = this.#worst((until) => until >= from);
  }

  /** @param at the time at which the check counts */
  put(at: Instant, check: CountedCheck): void {
    this.advance(at);
    const { state, rawState, checkedAt, validForMs, provenance } = check;
    const { source } = provenance;
    this.#coveredUntil = Math.max(this.#coveredUntil, coveredUntilBy(check));
    const rated = ratedPart(this.#claims.get(source));
    // While a failure is unconfirmed, the source keeps its last state.
    if (rawState === UNCONFIRMED && state === 'unknown') this.#restore(source, rated);
    else this.#claims.set(source, { source, state, until: checkedAt + validForMs, rated: isRated(state) ? null : rated });
  }

  advance(to: Instant): void {
    if (to <= this.#at) return;
    this.#coveredMs += Math.max(0, Math.min(this.#coveredUntil, to) - this.#at);
    while (this.#at < to) this.#pass(to);
  }

  /** What was counted so far, and the state of this moment. */
  get figures(): Pick<Tally, 'coveredMs' | 'outageMs' | 'degradedMs' | 'changedAt'> {
    return { coveredMs: this.#coveredMs, outageMs: this.#outageMs, degradedMs: this.#degradedMs, changedAt: this.#changedAt };
  }

  /** Whether the checks of this very moment have changed the state. */
  get isChanging(): boolean {
    return this.#worst((until) => until > this.#at) !== this.#state;
  }

  get carry(): Carry {
    const claims = [...this.#claims.values()].filter((claim) => endOf(claim) >= this.#at);
    return { coveredUntil: this.#coveredUntil, claims: claims.sort((a, b) => compareText(a.source, b.source)) };
  }

  #restore(source: string, rated: Claim['rated']): void {
    const claim = this.#claims.get(source);
    if (claim?.state === 'unknown' && rated !== null) this.#claims.set(source, { source, ...rated, rated: null });
  }

  #worst(isValid: (until: Instant) => boolean): number {
    let worst = -1;
    for (const { state, until } of this.#claims.values()) if (isValid(until)) worst = Math.max(worst, severityOf(state));
    return worst === -1 ? UNKNOWN : worst;
  }

  /** Goes on to the next moment at which something ceases to be valid. */
  #pass(to: Instant): void {
    const at = this.#at;
    const state = this.#worst((until) => until > at);
    if (state !== this.#state) this.#changedAt = at;
    this.#state = state;
    const claims = [...this.#claims.values()];
    const rated = claims.map((claim) => claim.rated ?? claim).filter((own) => own.until > at && isRated(own.state));
    const ends = [...rated, ...claims].map(({ until }) => until).filter((until) => until > at);
    this.#at = Math.min(to, ...ends);
    const worst = Math.max(-1, ...rated.map((own) => severityOf(own.state)));
    if (worst === OUTAGE) this.#outageMs += this.#at - at;
    if (worst === DEGRADED) this.#degradedMs += this.#at - at;
  }
}
