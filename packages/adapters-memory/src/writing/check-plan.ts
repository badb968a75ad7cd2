import { sameValue, startOfDay, type ChangeSet, type Check, type DayTally, type Instant, type Present, type RecordIdentity } from '@vitrine/core';
import type { CheckIndex } from '../checks/check-index.js';
import { encodePack } from '../checks/check-pack.js';
import { DayChecks } from '../checks/day-checks.js';
import { dayLogKey, packLogKey } from '../log/log-keys.js';
import { encodeTally } from '../log/record-codec.js';
import type { LogChange } from '../log/record-log.js';
import type { CheckTails } from './check-tails.js';

/** A tail with this many checks is merged into the pack of its day. */
const MAX_TAIL_CHECKS = 64;

interface PlannedDay {
  readonly checks: DayChecks;
  readonly stored: Check[];
  readonly removed: Check[];
}

type CheckIdentity = Extract<RecordIdentity, { readonly kind: 'check' }>;
type DayIdentity = Extract<RecordIdentity, { readonly kind: 'status-day' }>;

/** The changes of one batch to checks and to the counts of frozen days. Changed days are copies until the log has the changes. */
export class CheckPlan {
  readonly #index: CheckIndex;
  readonly #tails: CheckTails;
  readonly #present: Present;
  readonly #days = new Map<string, PlannedDay>();
  readonly #tallies = new Map<string, { readonly serviceKey: string; readonly day: Instant; readonly tally: DayTally | null }>();
  readonly #applied: ((changed: ChangeSet) => void)[] = [];

  constructor(index: CheckIndex, tails: CheckTails, present: Present) {
    this.#index = index;
    this.#tails = tails;
    this.#present = present;
  }

  put(check: Check): 'stored' | 'unchanged' | 'frozen-day' {
    const day = startOfDay(check.checkedAt);
    // If the clock was set back, a frozen day must stay frozen.
    if (this.#index.isFrozen(day, this.#present.now) || this.#tally(check.serviceKey, day) !== null) return 'frozen-day';
    const planned = this.#planned(check.serviceKey, day);
    if (!planned.checks.put(check)) return 'unchanged';
    planned.stored.push(check);
    return 'stored';
  }

  remove({ serviceKey, checkedAt, source }: CheckIdentity): boolean {
    const { checks, removed } = this.#planned(serviceKey, startOfDay(checkedAt));
    const index = checks.find(checkedAt, source);
    if (index < 0) return false;
    removed.push(checks.checkAt(index));
    checks.removeAt(index);
    return true;
  }

  putTally(tally: DayTally): 'stored' | 'unchanged' | 'open-day' {
    const { serviceKey, day } = tally;
    if (!this.#mayHoldTally(serviceKey, day)) return 'open-day';
    if (sameValue(tally, this.#tally(serviceKey, day))) return 'unchanged';
    this.#tallies.set(dayLogKey(serviceKey, day), { serviceKey, day, tally });
    return 'stored';
  }

  removeTally({ serviceKey, day }: DayIdentity): boolean {
    if (this.#tally(serviceKey, day) === null) return false;
    this.#tallies.set(dayLogKey(serviceKey, day), { serviceKey, day, tally: null });
    return true;
  }

  /** Whether imported counts may replace a day: only if it has no raw checks, or if they are certainly older than the retention. */
  #mayHoldTally(serviceKey: string, day: Instant): boolean {
    const { now, certain } = this.#present;
    if (this.#index.isFrozen(day, certain)) return true;
    return this.#index.isFrozen(day, now) && (this.#index.service(serviceKey)?.openDay(day) ?? null) === null;
  }

  /** Deletes raw checks that are older than the retention, and keeps the counts of their days. */
  freezeOverdue(): void {
    for (const { serviceKey, day } of this.#index.overdue(this.#present.certain)) {
      const tally = this.#index.service(serviceKey)?.tallies.of(day) ?? null;
      if (tally !== null) this.#tallies.set(dayLogKey(serviceKey, day), { serviceKey, day, tally });
    }
  }

  /** Call this once, when everything is planned. */
  changes(): LogChange[] {
    const days = [...this.#days.values()].filter(({ stored, removed }) => stored.length + removed.length > 0);
    const tallies = [...this.#tallies].flatMap(([key, { serviceKey, day, tally }]) => this.#tallyChanges(key, serviceKey, day, tally));
    return [...days.flatMap((day) => this.#dayChanges(day)), ...this.#outgrownTails(days), ...tallies];
  }

  apply(changed: ChangeSet): void {
    for (const apply of this.#applied) apply(changed);
  }

  #planned(serviceKey: string, day: Instant): PlannedDay {
    const key = packLogKey(serviceKey, day);
    const known = this.#days.get(key);
    if (known !== undefined) return known;
    const planned: PlannedDay = { checks: this.#index.copyOfDay(serviceKey, day), stored: [], removed: [] };
    this.#days.set(key, planned);
    return planned;
  }

  #tally(serviceKey: string, day: Instant): DayTally | null {
    const planned = this.#tallies.get(dayLogKey(serviceKey, day));
    return planned === undefined ? (this.#index.service(serviceKey)?.tallies.frozen(day) ?? null) : planned.tally;
  }

  #dayChanges({ checks, stored, removed }: PlannedDay): LogChange[] {
    const { serviceKey, day } = checks;
    this.#applied.push((changed) => {
      changed.service('check', serviceKey);
      if (removed.length > 0) this.#index.setDayWithout(checks, removed);
      if (stored.length > 0) this.#index.setDay(checks, stored);
    });
    if (removed.length > 0 || this.#tails.checksOf(serviceKey, day) + stored.length >= MAX_TAIL_CHECKS) return this.#folded(checks);
    const key = this.#tails.nextKey(serviceKey, day);
    this.#applied.push(() => {
      this.#tails.added(serviceKey, day, key, stored.length);
    });
    return [{ key, value: encodePack(this.#tailOf(checks, stored)) }];
  }

  #tailOf({ serviceKey, day }: DayChecks, stored: readonly Check[]): DayChecks {
    const tail = new DayChecks(serviceKey, day, this.#index.profiles);
    for (const check of stored) tail.put(check);
    return tail;
  }

  /** The tails of past days. They are found when a later day of the service gets a check. */
  #outgrownTails(days: readonly PlannedDay[]): LogChange[] {
    const outgrown = new Map<string, DayChecks>();
    for (const { checks } of days) {
      for (const day of this.#tails.daysBefore(checks.serviceKey, checks.day)) {
        const key = packLogKey(checks.serviceKey, day);
        const open = this.#index.service(checks.serviceKey)?.openDay(day) ?? null;
        if (open !== null && !this.#days.has(key)) outgrown.set(key, open);
      }
    }
    return [...outgrown.values()].flatMap((checks) => this.#folded(checks));
  }

  #folded(checks: DayChecks): LogChange[] {
    const { serviceKey, day } = checks;
    return [{ key: packLogKey(serviceKey, day), value: checks.length === 0 ? null : encodePack(checks) }, ...this.#withoutTails(serviceKey, day)];
  }

  #withoutTails(serviceKey: string, day: Instant): LogChange[] {
    this.#applied.push(() => {
      this.#tails.folded(serviceKey, day);
    });
    return this.#tails.keysOf(serviceKey, day).map((key) => ({ key, value: null }));
  }

  #tallyChanges(key: string, serviceKey: string, day: Instant, tally: DayTally | null): LogChange[] {
    this.#applied.push((changed) => {
      changed.service('status-day', serviceKey);
      // The counts replace the raw checks of the day.
      if ((this.#index.service(serviceKey)?.openDay(day) ?? null) !== null) changed.service('check', serviceKey);
      if (tally === null) this.#index.thaw(serviceKey, day);
      else this.#index.freeze(tally);
    });
    return [
      { key, value: tally === null ? null : encodeTally(tally) },
      { key: packLogKey(serviceKey, day), value: null },
      ...this.#withoutTails(serviceKey, day),
    ];
  }
}
