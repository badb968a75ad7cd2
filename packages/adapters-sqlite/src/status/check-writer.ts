import {
  compareDuplicates,
  countDay,
  DAY,
  HOUR,
  keptHours,
  latestStateAfter,
  NOTHING_CARRIED,
  recountsOf,
  type Retention,
  sameReach,
  sameValue,
  startOfDay,
  type Carry,
  type ChangeSet,
  type Check,
  type Clock,
  type DayChange,
  type Instant,
  type LatestState,
  type RecordIdentity,
  type Recount,
  type ServiceDay,
  type StatusDay,
} from '@vitrine/core';
import type { SqliteDatabase } from '../database/sqlite-database.js';
import { StatusStore } from './status-store.js';

/** What a batch has changed for one service. */
class ServiceChanges {
  readonly days: DayChange[] = [];
  readonly checks: Check[] = [];
  /** Whether the latest state must be read again, because a check was removed or replaced. */
  isRemoval = false;
}

/** Writes checks and daily counts. All methods run in the writer's thread, inside the transaction of a batch. */
export class CheckWriter {
  readonly #store: StatusStore;
  readonly #changes = new Map<string, ServiceChanges>();

  /** @param retention outlives this writer: it knows how long the process has run */
  constructor(
    database: SqliteDatabase,
    private readonly clock: Pick<Clock, 'now'>,
    private readonly retention: Retention,
  ) {
    this.#store = new StatusStore(database, null);
  }

  put(check: Check, told: ChangeSet): 'stored' | 'unchanged' | 'frozen-day' {
    const { serviceKey, checkedAt, provenance } = check;
    const day = startOfDay(checkedAt);
    // If the clock was set back, a frozen day must stay frozen.
    if (this.retention.isFrozen(day) || this.#store.stateOf({ serviceKey, day }) === 'frozen') return 'frozen-day';
    const stored = this.#store.check({ serviceKey, checkedAt, source: provenance.source });
    if (stored !== null && compareDuplicates(check, stored) <= 0) return 'unchanged';
    this.#store.putCheck(check);
    told.day('put', 'check', { serviceKey, day });
    this.#changed({ serviceKey, day, since: checkedAt }).checks.push(check);
    return 'stored';
  }

  putTally(tally: StatusDay, told: ChangeSet): 'stored' | 'unchanged' | 'open-day' {
    if (!this.#mayHoldTally(tally)) return 'open-day';
    const counted = { ...tally, hours: [] };
    const stored = this.#frozenDay(tally);
    if (stored !== null && sameValue({ ...stored, hours: [] }, counted)) return 'unchanged';
    told.day('put', 'status-day', tally);
    this.#replaced(tally, counted);
    // The counts replace the raw checks of the day.
    if (this.#store.removeChecksOf(tally)) told.day('remove', 'check', tally);
    this.#store.putDay(counted, true);
    return 'stored';
  }

  remove({ serviceKey, checkedAt, source }: Extract<RecordIdentity, { readonly kind: 'check' }>, told: ChangeSet): boolean {
    if (!this.#store.removeCheck({ serviceKey, checkedAt, source })) return false;
    const day = startOfDay(checkedAt);
    told.day('remove', 'check', { serviceKey, day });
    this.#changed({ serviceKey, day, since: day }).isRemoval = true;
    return true;
  }

  removeTally({ serviceKey, day }: Extract<RecordIdentity, { readonly kind: 'status-day' }>, told: ChangeSet): boolean {
    if (this.#frozenDay({ serviceKey, day }) === null) return false;
    told.day('remove', 'status-day', { serviceKey, day });
    this.#replaced({ serviceKey, day }, NOTHING_CARRIED);
    this.#store.removeDay({ serviceKey, day });
    return true;
  }

  /** Called at the end of each batch: counts its days again. */
  finish(): void {
    for (const [serviceKey, changes] of this.#changes) {
      this.#countAgain(serviceKey, changes.days);
      this.#store.putLatest(serviceKey, this.#latestAfter(serviceKey, changes));
    }
    this.#changes.clear();
  }

  /** Deletes raw checks that are older than the retention, and keeps the counts of their days. Called before each call that puts records. */
  freezeOverdue(): void {
    const now = this.clock.now();
    if (!this.retention.isStarted) this.retention.start({ newest: this.#store.newestUntil(now + HOUR), dayOld: this.#store.newestUntil(now - DAY) });
    this.retention.look();
    for (const day of this.#store.openDaysBefore(this.retention.surelyKeptFrom)) {
      this.#store.removeChecksOf(day);
      this.#store.freezeDay(day);
      const latest = this.#store.latest(day.serviceKey);
      if (latest !== null) this.#store.putLatest(day.serviceKey, withoutChecksBefore(latest, day.day + DAY));
    }
  }

  #changed(change: DayChange): ServiceChanges {
    const changes = this.#changes.get(change.serviceKey) ?? new ServiceChanges();
    this.#changes.set(change.serviceKey, changes);
    changes.days.push(change);
    return changes;
  }

  /** Whether imported counts may replace a day: only if it has no raw checks, or if they are certainly older than the retention. */
  #mayHoldTally({ serviceKey, day }: ServiceDay): boolean {
    return this.retention.isSurelyFrozen(day) || (this.retention.isFrozen(day) && !this.#store.hasChecks({ serviceKey, day }));
  }

  #frozenDay(day: ServiceDay): StatusDay | null {
    return this.#store.stateOf(day) === 'frozen' ? this.#store.day(day) : null;
  }

  /** The counts of a day without raw checks are replaced. If that changes what it carries, the next day is counted again. */
  #replaced({ serviceKey, day }: ServiceDay, after: Carry): void {
    const changes = this.#changed({ serviceKey, day, since: day });
    changes.isRemoval = true;
    const next = day + DAY;
    if (!sameReach(this.#store.carryOf({ serviceKey, day }), after, next)) changes.days.push({ serviceKey, day: next, since: next });
  }

  /** Counts the changed days again, and then each next day while the carry of the day before has changed. */
  #countAgain(serviceKey: string, changes: readonly DayChange[]): void {
    const recounts = new Map(recountsOf(changes).map((recount) => [recount.day, recount]));
    while (recounts.size > 0) {
      const day = Math.min(...recounts.keys());
      const recount = recounts.get(day) ?? { serviceKey, day, from: day };
      recounts.delete(day);
      const next = day + DAY;
      if (this.#store.stateOf({ serviceKey, day }) === 'frozen' || !this.#recount(recount)) continue;
      recounts.set(next, { serviceKey, day: next, from: next });
    }
  }

  /** Returns whether the carry of the day has changed. */
  #recount(recount: Recount): boolean {
    const { serviceKey, day } = recount;
    const stored = this.#store.day(recount);
    const kept = keptHours(stored, recount);
    const from = kept?.from ?? day;
    const checks = this.#store.checksBetween(serviceKey, from, day + DAY - 1);
    const counted = countDay(recount, checks, this.#store.carryOf({ serviceKey, day: day - DAY }), kept);
    if (counted === null) this.#store.removeDay(recount);
    else if (!sameValue(counted, stored)) this.#store.putDay(counted, false, from);
    return !sameReach(stored ?? NOTHING_CARRIED, counted ?? NOTHING_CARRIED, day + DAY);
  }

  #latestAfter(serviceKey: string, { checks, isRemoval }: ServiceChanges): LatestState | null {
    const before = isRemoval ? null : this.#store.latest(serviceKey);
    return before === null ? this.#store.foundLatest(serviceKey) : latestStateAfter(before, checks);
  }
}

/** The checks of frozen days are gone. */
function withoutChecksBefore(latest: LatestState, instant: Instant): LatestState {
  const kept = latest.sources.filter(({ newest }) => newest.checkedAt >= instant);
  const sources = kept.map(({ newest, known }) => ({ newest, known: known !== null && known.checkedAt >= instant ? known : null }));
  return { ...latest, sources };
}
