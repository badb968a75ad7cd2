import {
  changedDays,
  compareDuplicates,
  compareText,
  countDay,
  DAY,
  daysAfter,
  dayTallyOf,
  HOUR,
  latestStateAfter,
  LatestStateRebuild,
  NEVER_COVERED,
  recountsOf,
  RetentionClock,
  sameValue,
  startOfDay,
  type ChangeSet,
  type Check,
  type Clock,
  type ClockDoubt,
  type CountedDay,
  type DayChange,
  type DayTally,
  type Instant,
  type LatestState,
  type Present,
  type RecordIdentity,
  type Recount,
  type ServiceDay,
} from '@vitrine/core';
import type { SqliteDatabase } from '../database/sqlite-database.js';
import { StatusStore } from './status-store.js';

export interface CheckWriterOptions {
  /** Shows the time of the running call. */
  readonly clock: Clock;
  readonly retentionMs: number;
  readonly onClockDoubt: (doubt: ClockDoubt) => void;
}

/** What a batch has changed for one service. */
class ServiceChanges {
  readonly days: DayChange[] = [];
  readonly checks: Check[] = [];
  readonly counted: CountedDay[] = [];
  /** Whether something was removed. Then the latest state is rebuilt. */
  isRemoval = false;
}

/** Writes checks and daily counts. All methods run in the writer's thread, inside the transaction of a batch. */
export class CheckWriter {
  readonly #store: StatusStore;
  readonly #clock: Clock;
  readonly #retentionMs: number;
  readonly #retentionClock: RetentionClock;
  readonly #changes = new Map<string, ServiceChanges>();
  readonly #told: Parameters<ChangeSet['day']>[] = [];
  #present: Present = { now: 0, certain: 0 };

  constructor(database: SqliteDatabase, { clock, retentionMs, onClockDoubt }: CheckWriterOptions) {
    this.#store = new StatusStore(database, null);
    this.#clock = clock;
    this.#retentionMs = retentionMs;
    this.#retentionClock = new RetentionClock(() => ({ wall: clock.now(), elapsed: clock.elapsed?.() ?? clock.now() }), onClockDoubt);
  }

  put(check: Check): 'stored' | 'unchanged' | 'frozen-day' {
    const { serviceKey, checkedAt, provenance } = check;
    const day = startOfDay(checkedAt);
    // If the clock was set back, a frozen day must stay frozen.
    if (this.#isFrozen(day, this.#present.now) || this.#store.stateOf({ serviceKey, day }) === 'frozen') return 'frozen-day';
    const stored = this.#store.check({ serviceKey, checkedAt, source: provenance.source });
    if (stored !== null && compareDuplicates(check, stored) <= 0) return 'unchanged';
    this.#store.putCheck(check);
    this.#changed('put', 'check', { serviceKey, day, since: checkedAt, until: checkedAt + check.validForMs }).checks.push(check);
    return 'stored';
  }

  putTally(tally: DayTally): 'stored' | 'unchanged' | 'open-day' {
    if (!this.#mayHoldTally(tally)) return 'open-day';
    const stored = this.#frozenDay(tally);
    if (stored !== null && sameValue(dayTallyOf(stored), dayTallyOf(tally))) return 'unchanged';
    const { serviceKey, day } = tally;
    const counted = { ...dayTallyOf(tally), sources: [], hours: [] };
    const until = Math.max(tally.coveredUntil, this.#store.coveredUntil(tally) ?? day);
    const change = this.#changed('put', 'status-day', { serviceKey, day, since: day, until });
    // The counts replace the raw checks of the day.
    if (this.#store.removeChecksOf(tally)) {
      change.isRemoval = true;
      this.#changed('remove', 'check', { serviceKey, day, since: day, until: day });
    }
    this.#store.putDay(counted, true);
    change.counted.push(counted);
    return 'stored';
  }

  remove({ serviceKey, checkedAt, source }: Extract<RecordIdentity, { readonly kind: 'check' }>): boolean {
    if (!this.#store.removeCheck({ serviceKey, checkedAt, source })) return false;
    const day = startOfDay(checkedAt);
    this.#changed('remove', 'check', { serviceKey, day, since: day, until: day }).isRemoval = true;
    return true;
  }

  removeTally({ serviceKey, day }: Extract<RecordIdentity, { readonly kind: 'status-day' }>): boolean {
    const stored = this.#frozenDay({ serviceKey, day });
    if (stored === null) return false;
    this.#store.removeDay({ serviceKey, day });
    this.#changed('remove', 'status-day', { serviceKey, day, since: day, until: stored.coveredUntil }).isRemoval = true;
    return true;
  }

  /** Called at the end of each batch: counts its days again. */
  finish(changed: ChangeSet): void {
    for (const told of this.#told) changed.day(...told);
    const today = startOfDay(this.#clock.now());
    const hasPast = [...this.#changes.values()].some(({ days }) => days.some(({ day }) => day < today));
    if (hasPast) this.#store.pastChanged();
    for (const [serviceKey, changes] of this.#changes) {
      for (const recount of this.#recounts(changes.days)) this.#recount(recount, changes.counted);
      this.#store.putLatest(serviceKey, this.#latestAfter(serviceKey, changes));
    }
    this.#clear();
  }

  /** Deletes raw checks that are older than the retention, and keeps the counts of their days. Called before each call that puts records. */
  freezeOverdue(): void {
    const now = this.#clock.now();
    if (!this.#retentionClock.isStarted)
      this.#retentionClock.start({ newest: this.#store.newestUntil(now + HOUR), dayOld: this.#store.newestUntil(now - DAY) });
    this.#present = this.#retentionClock.present();
    for (const day of this.#store.openDaysBefore(this.#present.certain - this.#retentionMs)) {
      this.#store.removeChecksOf(day);
      this.#store.freezeDay(day);
      const latest = this.#store.latest(day.serviceKey);
      if (latest !== null) this.#store.putLatest(day.serviceKey, withoutChecksBefore(latest, day.day + DAY));
    }
  }

  /** Called when a transaction has failed: what was remembered from it may not be stored. */
  forget(): void {
    this.#clear();
    this.#store.rows.forget();
  }

  #clear(): void {
    this.#changes.clear();
    this.#told.length = 0;
  }

  #changed(operation: 'put' | 'remove', kind: 'check' | 'status-day', change: DayChange): ServiceChanges {
    const { serviceKey } = change;
    this.#told.push([operation, kind, change]);
    const changes = this.#changes.get(serviceKey) ?? new ServiceChanges();
    this.#changes.set(serviceKey, changes);
    changes.days.push(change);
    return changes;
  }

  #isFrozen(day: Instant, at: Instant): boolean {
    return day < at - this.#retentionMs;
  }

  /** Whether imported counts may replace a day: only if it has no raw checks, or if they are certainly older than the retention. */
  #mayHoldTally({ serviceKey, day }: ServiceDay): boolean {
    const { now, certain } = this.#present;
    return this.#isFrozen(day, certain) || (this.#isFrozen(day, now) && !this.#store.hasChecks({ serviceKey, day }));
  }

  #frozenDay(day: ServiceDay): CountedDay | null {
    return this.#store.stateOf(day) === 'frozen' ? this.#store.day(day) : null;
  }

  /** In time order: a day needs the coverage of the days before. */
  #recounts(changes: readonly DayChange[]): readonly Recount[] {
    const changed = changedDays(changes);
    const stored = changed.flatMap((change) => {
      const last = daysAfter(change, this.#store.coveredUntil(change) ?? NEVER_COVERED).at(-1) ?? change.day;
      return this.#store.daysBetween(change.serviceKey, change.day, last);
    });
    return recountsOf(changed, stored)
      .filter((day) => this.#store.stateOf(day) !== 'frozen')
      .toSorted((a, b) => compareText(a.serviceKey, b.serviceKey) || a.day - b.day);
  }

  #recount({ serviceKey, day, from }: Recount, counted: CountedDay[]): void {
    const stored = this.#store.day({ serviceKey, day });
    const coveredBefore = this.#store.coveredBefore({ serviceKey, day }) ?? NEVER_COVERED;
    const kept = stored === null || from === day ? null : { stored, from };
    const counts = countDay({ serviceKey, day }, this.#store.checksBetween(serviceKey, from, day + DAY - 1), coveredBefore, kept);
    if (counts === null) this.#store.removeDay({ serviceKey, day });
    else if (!sameValue(counts, stored)) {
      this.#store.putDay(counts, false);
      counted.push(counts);
    }
  }

  #latestAfter(serviceKey: string, { counted, checks, isRemoval }: ServiceChanges): LatestState | null {
    const before = isRemoval ? null : this.#store.latest(serviceKey);
    return before === null ? this.#rebuiltLatest(serviceKey) : latestStateAfter(before, counted, checks);
  }

  #rebuiltLatest(serviceKey: string): LatestState | null {
    const rebuild = new LatestStateRebuild();
    for (const day of this.#store.daysOf(serviceKey)) rebuild.add(day);
    return rebuild.latestState(
      rebuild.last === null ? null : this.#store.day(rebuild.last),
      rebuild.newestChecks.flatMap((identity) => this.#store.check(identity) ?? []),
    );
  }
}

/** The checks of frozen days are gone. */
function withoutChecksBefore(latest: LatestState, instant: Instant): LatestState {
  const kept = latest.sources.filter(({ newest }) => newest.checkedAt >= instant);
  const sources = kept.map(({ newest, known }) => ({ newest, known: known !== null && known.checkedAt >= instant ? known : null }));
  return { ...latest, sources };
}
