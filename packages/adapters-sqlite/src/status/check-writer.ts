import {
  changeByPut,
  changeByRemoval,
  changedDays,
  DAY,
  dayKeyOf,
  HOUR,
  latestStateAfter,
  latestStateFrom,
  putOnDays,
  removeFromDays,
  type Retention,
  type ApplyToDays,
  type ChangedDays,
  type ChangeOfDay,
  type ChangeSet,
  type Check,
  type Clock,
  type DayChanges,
  type DayIdentity,
  type GivenRecord,
  type RefusedRecord,
  type ServiceDay,
  type StatusDay,
} from '@vitrine/core';
import type { SqliteDatabase } from '../database/sqlite-database.js';
import { StatusStore } from './status-store.js';

type Given = Check | StatusDay;

/** Writes checks and daily counts. All methods run in the writer's thread, inside a transaction. */
export class CheckWriter {
  readonly #store: StatusStore;

  /** @param retention outlives this writer: it knows how long the process has run */
  constructor(
    database: SqliteDatabase,
    private readonly clock: Pick<Clock, 'now'>,
    private readonly retention: Retention,
  ) {
    this.#store = new StatusStore(database, null);
  }

  /** Returns the number of new or changed ones. @param refused receives those that are not accepted */
  put(items: readonly GivenRecord<Given>[], refused: RefusedRecord[], told: ChangeSet): number {
    const accepted = this.#accepted(items, refused);
    const { effective, written } = this.#changed(accepted, putOnDays);
    const tallies = effective.filter((record) => record.kind === 'status-day');
    for (const record of effective) told.day('put', record.kind, changeByPut(record));
    // The counts replace the raw checks of the day.
    for (const tally of tallies) if (this.#store.removeChecksOf(tally)) told.day('remove', 'check', tally);
    this.#write(written, new Set(tallies.map(dayKeyOf)));
    this.#writeLatest(accepted, tallies.length === 0 ? written.checks : null);
    return effective.length;
  }

  remove(identities: readonly DayIdentity[], told: ChangeSet): number {
    const possible = identities
      .map(changeByRemoval)
      .filter(({ item, serviceKey, day }) => item.kind === 'check' || this.#store.stateOf({ serviceKey, day }) === 'frozen');
    const { effective, written } = this.#changed(possible, removeFromDays);
    for (const identity of effective) told.day('remove', identity.kind, changeByRemoval(identity));
    this.#write(written, new Set());
    if (effective.length > 0) this.#writeLatest(possible, null);
    return effective.length;
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
      if (latest !== null) this.#store.putLatest(day.serviceKey, latestStateFrom(latest, day.day + DAY));
    }
  }

  #accepted(items: readonly GivenRecord<Given>[], refused: RefusedRecord[]): readonly ChangeOfDay<Given>[] {
    return items.flatMap(({ index, record }) => {
      const change = changeByPut(record);
      const reason = this.#refusalOf(record.kind, change);
      if (reason !== null) refused.push({ index, reason });
      return reason === null ? [change] : [];
    });
  }

  #refusalOf(kind: Given['kind'], { serviceKey, day }: ServiceDay): 'frozen-day' | 'open-day' | null {
    const isFrozen = this.retention.isFrozen(day);
    // If the clock was set back, a frozen day must stay frozen.
    if (kind === 'check') return isFrozen || this.#store.stateOf({ serviceKey, day }) === 'frozen' ? 'frozen-day' : null;
    // Imported counts may replace a day only if it has no raw checks, or if they are certainly older than the retention.
    return this.retention.isSurelyFrozen(day) || (isFrozen && !this.#store.hasChecks({ serviceKey, day })) ? null : 'open-day';
  }

  #changed<Item>(changes: readonly ChangeOfDay<Item>[], apply: ApplyToDays<Item>): ChangedDays<Item> {
    const steps = changedDays(changes, apply, (day) => this.#store.stateOf(day) === 'frozen');
    let step = steps.next();
    while (step.done !== true) step = steps.next(this.#store.storedDays(step.value));
    return step.value;
  }

  /** @param tallied the days whose counts are kept without raw checks */
  #write({ checks, removedChecks, days, removedDays }: DayChanges, tallied: ReadonlySet<string>): void {
    for (const check of checks) this.#store.putCheck(check);
    for (const identity of removedChecks) this.#store.removeCheck(identity);
    for (const { counted, from } of days) this.#store.putDay(counted, tallied.has(dayKeyOf(counted)), from);
    for (const day of removedDays) this.#store.removeDay(day);
  }

  /** @param added the checks by which the latest states of the services have changed; `null` if they must be found again */
  #writeLatest(changes: readonly ServiceDay[], added: readonly Check[] | null): void {
    for (const serviceKey of new Set(changes.map((change) => change.serviceKey))) {
      const before = added === null ? null : this.#store.latest(serviceKey);
      const own = added?.filter((check) => check.serviceKey === serviceKey) ?? [];
      this.#store.putLatest(serviceKey, before === null ? this.#store.foundLatest(serviceKey) : latestStateAfter(before, own));
    }
  }
}
