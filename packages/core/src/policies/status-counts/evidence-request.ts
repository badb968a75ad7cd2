import { HOUR, startOfDay, type Instant } from '../../domain/shared/instant.js';
import { CHECK_CLOCK_TOLERANCE_MS, type Check } from '../../domain/status/check.js';
import type { Tally, TallyWindow, Window } from '../../domain/status/day-tally.js';
import type { ServiceEvidence } from '../../domain/status/service-evidence.js';
import { countedAt, mergeTallies } from '../tally.js';
import type { DaySums } from './day-sums.js';
import type { LatestOfSource, LatestState } from './latest-state.js';
import { boundaryOf, coveredBefore, tallyOfHours, tallyOfLatest, tallyOfRaw, type HoursByDay, type RawCheck, type RawHour } from './part-tallies.js';
import { isPast, KnownParts } from './remembered-past.js';
import { partsBefore, type AskedWindow, type CountedPart, type WindowPart } from './window-parts.js';

/** A source whose newest check is too far in the future: the newest one that counts is needed. */
export interface NewestOfSource {
  readonly source: string;
  /** Whether the newest check that is not `unknown` is needed. */
  readonly isKnown: boolean;
}

/** What a store must read to answer for one service. */
export interface ServiceNeeds {
  readonly serviceKey: string;
  /** The start of the first stored day. */
  readonly firstDay: Instant;
  /** Ranges of whole days that must be added up: see `DaySums`. */
  readonly sums: readonly TallyWindow[];
  /** The starts of the days whose hours are needed. Of the last stored day before each of them, `coveredUntil` is needed. */
  readonly hourDays: readonly Instant[];
  /** Ranges of raw checks; both ends are included. */
  readonly checks: readonly Window[];
  /** For each, the newest check up to `latest`. */
  readonly newest: readonly NewestOfSource[];
  /** Checks after this time do not count yet. */
  readonly latest: Instant;
}

/** What a store has read for one service. */
export interface ServiceFacts {
  readonly sums: DaySums;
  readonly days: HoursByDay;
  /** In time order. */
  readonly checks: readonly RawCheck[];
  readonly newest: readonly Check[];
}

interface PlannedWindow {
  readonly window: AskedWindow;
  /** Its parts before the boundary. */
  readonly parts: readonly WindowPart[];
}

interface Missing {
  readonly counted: readonly CountedPart[];
  readonly rawHours: readonly Instant[];
  /** The start of the range in which all raw checks up to now are needed; `null` for none. */
  readonly openFrom: Instant | null;
}

/** By the list of windows and the boundary: most services of a query have the same boundary. */
const PLANNED = new WeakMap<readonly AskedWindow[], Map<Instant, readonly PlannedWindow[]>>();

function plannedWindows(windows: readonly AskedWindow[], boundary: Instant): readonly PlannedWindow[] {
  const byBoundary = PLANNED.get(windows) ?? new Map<Instant, readonly PlannedWindow[]>();
  PLANNED.set(windows, byBoundary);
  const planned = byBoundary.get(boundary) ?? windows.map((window) => ({ window, parts: partsBefore(boundary, window) }));
  byBoundary.set(boundary, planned);
  return planned;
}

/**
 * A request for the evidence about one service: `needs` says what must be read, `learn` takes it, `evidence` or `tallies` compute the answer. The answer is
 * equal to that of `tallyOf` over all checks of the service.
 */
export class EvidenceRequest {
  readonly #latest: LatestState;
  readonly #past: KnownParts;
  readonly #windows: readonly PlannedWindow[];
  readonly #now: Instant;
  readonly #boundary: Instant;
  readonly #missing: Missing;
  readonly #read = new KnownParts();
  #newest: readonly Check[] = [];
  #open: RawHour = { coveredBefore: 0, checks: [] };

  /** @param past what is remembered of days that have ended, from `RememberedPast`; parts that are read are added to it */
  constructor(latest: LatestState, windows: readonly AskedWindow[], now: Instant, past = new KnownParts()) {
    this.#latest = latest;
    this.#past = past;
    this.#now = now;
    this.#boundary = boundaryOf(latest, now);
    this.#windows = plannedWindows(windows, this.#boundary);
    this.#missing = this.#findMissing();
  }

  get serviceKey(): string {
    return this.#latest.serviceKey;
  }

  /** `null` if nothing must be read. */
  needs(): ServiceNeeds | null {
    const { counted, rawHours, openFrom } = this.#missing;
    const newest = this.#newestNeeded();
    if (counted.length + rawHours.length + newest.length === 0 && openFrom === null) return null;
    const latest = this.#now + CHECK_CLOCK_TOLERANCE_MS;
    const open = openFrom === null ? [] : [{ from: openFrom, to: latest }];
    const hours = counted.filter(({ kind }) => kind === 'hours').map(({ from }) => from);
    return {
      serviceKey: this.serviceKey,
      firstDay: startOfDay(this.#latest.firstCheckedAt),
      sums: counted.flatMap(({ kind, from, to, withoutLatency = false }) => (kind === 'days' ? [{ from, to, withoutLatency }] : [])),
      hourDays: [...new Set([...hours, ...rawHours, ...open.map(({ from }) => from)].map(startOfDay))],
      checks: [...rawHours.map((hour) => ({ from: hour, to: hour + HOUR - 1 })), ...open],
      newest,
      latest,
    };
  }

  /** Adds what was read for `needs`. */
  learn({ sums, days, checks, newest }: ServiceFacts): void {
    this.#newest = newest;
    const { counted, rawHours, openFrom } = this.#missing;
    for (const part of counted) this.#partsFor(part).setTally(part, part.kind === 'days' ? sums.tallyOf(part) : tallyOfHours(days, part));
    const rawHour = (from: Instant, to: Instant): RawHour => ({
      coveredBefore: coveredBefore(days, from),
      checks: checks.filter(({ checkedAt }) => checkedAt >= from && checkedAt < to),
    });
    for (const hour of rawHours) this.#partsFor({ to: hour + HOUR }).setRawHour(hour, rawHour(hour, hour + HOUR));
    if (openFrom !== null) this.#open = rawHour(openFrom, Infinity);
  }

  /** `null` if no check counts yet. @param keptFrom raw checks of days that start earlier are no longer kept */
  evidence(keptFrom: Instant): ServiceEvidence | null {
    const { firstCheckedAt, lastCheckedAt, sources } = this.#latest;
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

  /** The tally of each window, in their order. */
  tallies(): readonly Tally[] {
    return this.#windows.map(({ window, parts }) => {
      const tallies = parts.map((part) => this.#tallyOf(part));
      return mergeTallies(this.#isOpen(window) ? [...tallies, this.#openTally(window)] : tallies, window);
    });
  }

  #findMissing(): Missing {
    const counted = new Map<string, CountedPart>();
    const rawHours = new Set<Instant>();
    for (const part of this.#windows.flatMap(({ parts }) => parts)) {
      if (part.kind === 'raw') {
        if (this.#past.rawHour(part.hour) === null) rawHours.add(part.hour);
      } else if (this.#past.tally(part) === null) counted.set(part.key, part);
    }
    const isOpenNeeded = this.#windows.some(({ window }) => this.#isOpen(window) && this.#tallyOfLatest(window) === null);
    return { counted: [...counted.values()], rawHours: [...rawHours], openFrom: isOpenNeeded ? this.#boundary : null };
  }

  #newestNeeded(): readonly NewestOfSource[] {
    const isAhead = (check: Check | null): boolean => check !== null && !this.#counts(check);
    return this.#latest.sources.flatMap(({ newest, known }) => {
      const { source } = newest.provenance;
      return [...(isAhead(newest) ? [{ source, isKnown: false }] : []), ...(isAhead(known) ? [{ source, isKnown: true }] : [])];
    });
  }

  #partsFor(part: Pick<Window, 'to'>): KnownParts {
    return isPast(part, this.#now) ? this.#past : this.#read;
  }

  #isOpen({ to, isEndOpen = false }: AskedWindow): boolean {
    return isEndOpen ? to > this.#boundary : to >= this.#boundary;
  }

  #tallyOf(part: WindowPart): Tally {
    if (part.kind !== 'raw') return this.#partsFor(part).tally(part) ?? mergeTallies([]);
    const raw = this.#partsFor({ to: part.hour + HOUR }).rawHour(part.hour);
    return raw === null ? mergeTallies([]) : tallyOfRaw(raw, part, this.#now);
  }

  #openTally(window: Window): Tally {
    const open = { from: Math.max(window.from, this.#boundary), to: window.to };
    return this.#tallyOfLatest(window) ?? tallyOfRaw(this.#open, open, this.#now);
  }

  #tallyOfLatest(window: Window): Tally | null {
    return tallyOfLatest(this.#latest, this.#boundary, window, this.#now);
  }

  #newestOf({ newest, known }: LatestOfSource, isKnown: boolean): Check | null {
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
