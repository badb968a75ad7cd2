import {
  CHECK_CLOCK_TOLERANCE_MS,
  countedAt,
  HOUR,
  mergeTallies,
  startOfDay,
  type Check,
  type Instant,
  type ServiceEvidence,
  type Tally,
  type Window,
} from '@vitrine/core';
import { boundaryOf, coveredBefore, tallyOfHours, tallyOfRaw, tallyOfTrail, type RawHour } from './counted-hours.js';
import { MissingParts } from './missing-parts.js';
import type { ServiceParts } from './part-cache.js';
import type { CountedReads } from './counted-reads.js';
import type { NewestOfSource, RawReads } from './raw-reads.js';
import type { SourceTrail, Trail } from './trail-document.js';
import { partsBefore, type CountedPart, type RawPart } from './window-parts.js';

/** A window. A check exactly at its end may be excluded, so that it belongs to the next window. */
export interface AskedWindow extends Window {
  readonly isEndOpen?: boolean;
}

/** Evidence about one service: the request, the data that must be read for it, and the result. */
export class ServiceQuestion {
  readonly #trail: Trail;
  readonly #known: ServiceParts;
  readonly #windows: readonly AskedWindow[];
  readonly #now: Instant;
  readonly #boundary: Instant;
  #newest: readonly Check[] = [];
  #open: RawHour = { coveredBefore: 0, checks: [] };

  /** @param known the cached data of the time before the boundary */
  constructor(trail: Trail, known: ServiceParts, windows: readonly AskedWindow[], now: Instant) {
    this.#trail = trail;
    this.#known = known;
    this.#windows = windows;
    this.#now = now;
    this.#boundary = boundaryOf(trail, now);
  }

  get serviceKey(): string {
    return this.#trail.serviceKey;
  }

  /** `null` if no more data is needed. */
  missing(): MissingParts | null {
    const missing = new MissingParts(this.serviceKey);
    for (const part of this.#windows.flatMap((window) => this.#partsOf(window))) {
      if (part.kind !== 'raw') {
        if (this.#known.tally(part) === null) missing.add(part);
      } else if (this.#known.rawHour(part.hour) === null) missing.rawHours.add(part.hour);
    }
    const isOpenAsked = this.#windows.some((window) => this.#isOpen(window) && this.#tallyOfTrail(window) === null);
    if (isOpenAsked) missing.openFrom = this.#boundary;
    return missing.counted.length + missing.rawHours.size === 0 && !isOpenAsked ? null : missing;
  }

  /** The sources whose newest check is too far in the future to count. */
  missingNewest(): readonly NewestOfSource[] {
    const ahead = (check: Check | null): boolean => check !== null && !this.#counts(check);
    return this.#trail.sources.flatMap(({ newest, known }) => {
      const one = { serviceKey: this.serviceKey, source: newest.provenance.source };
      return [...(ahead(newest) ? [{ ...one, isKnown: false }] : []), ...(ahead(known) ? [{ ...one, isKnown: true }] : [])];
    });
  }

  /** Adds data that was read. */
  learn(missing: MissingParts | null, counted: CountedReads, { checks, newest }: RawReads): void {
    this.#newest = newest;
    if (missing === null) return;
    const days = counted.hoursOf(this.serviceKey);
    for (const part of missing.counted)
      this.#known.setTally(part, part.kind === 'days' ? counted.tallyOf(this.serviceKey, part) : tallyOfHours(days, part));
    const rawHour = (from: Instant, to: Instant): RawHour => ({
      coveredBefore: coveredBefore(days, from),
      checks: checks.filter(({ checkedAt }) => checkedAt >= from && checkedAt < to),
    });
    for (const hour of missing.rawHours) this.#known.setRawHour(hour, rawHour(hour, hour + HOUR));
    if (missing.openFrom !== null) this.#open = rawHour(missing.openFrom, Infinity);
  }

  /** `null` if no check counts yet. @param keptFrom raw checks of days that start earlier are no longer kept */
  evidence(keptFrom: Instant): ServiceEvidence | null {
    const { firstCheckedAt, lastCheckedAt, sources } = this.#trail;
    const trackedFrom = countedAt(firstCheckedAt, this.#now);
    if (trackedFrom === null) return null;
    const kept = (check: Check | null): Check[] => (check === null || startOfDay(check.checkedAt) < keptFrom ? [] : [check]);
    const newest = sources.flatMap((source) => kept(this.#newestOf(source, false)));
    return {
      trackedFrom,
      lastCheckedAt: countedAt(lastCheckedAt, this.#now) ?? Math.max(trackedFrom, ...newest.map(({ checkedAt }) => Math.min(checkedAt, this.#now))),
      newest,
      newestKnown: sources.flatMap((source) => kept(this.#newestOf(source, true))),
      tallies: this.tallies(),
    };
  }

  /** The tally of each window. Call it when no more data is missing. */
  tallies(): readonly Tally[] {
    return this.#windows.map((window) => {
      const tallies = this.#partsOf(window).map((part) => this.#tallyOf(part));
      return mergeTallies(this.#isOpen(window) ? [...tallies, this.#openTally(window)] : tallies);
    });
  }

  #partsOf(window: AskedWindow): (CountedPart | RawPart)[] {
    return partsBefore(this.#boundary, window, window.isEndOpen);
  }

  #isOpen({ to, isEndOpen = false }: AskedWindow): boolean {
    return isEndOpen ? to > this.#boundary : to >= this.#boundary;
  }

  #tallyOf(part: CountedPart | RawPart): Tally {
    if (part.kind !== 'raw') return this.#known.tally(part) ?? mergeTallies([]);
    const raw = this.#known.rawHour(part.hour);
    return raw === null ? mergeTallies([]) : tallyOfRaw(raw, part, this.#now);
  }

  #openTally(window: Window): Tally {
    const open = { from: Math.max(window.from, this.#boundary), to: window.to };
    return this.#tallyOfTrail(window) ?? tallyOfRaw(this.#open, open, this.#now);
  }

  #tallyOfTrail(window: Window): Tally | null {
    return tallyOfTrail(this.#trail, this.#boundary, window, this.#now);
  }

  #newestOf({ newest, known }: SourceTrail, isKnown: boolean): Check | null {
    const check = isKnown ? known : newest;
    if (check === null || this.#counts(check)) return check;
    const { source } = newest.provenance;
    // Two checks of the source may have been read. The newest comes first, but it does not count here if it is unknown.
    return this.#newest.find((one) => one.provenance.source === source && !(isKnown && one.state === 'unknown')) ?? null;
  }

  #counts({ checkedAt }: Check): boolean {
    return checkedAt <= this.#now + CHECK_CLOCK_TOLERANCE_MS;
  }
}
