import { startOfDay, type Instant } from '../../domain/shared/instant.js';
import { compareText } from '../../domain/shared/text-order.js';
import type { Check } from '../../domain/status/check.js';
import type { DayTally } from '../../domain/status/day-tally.js';
import { sameValue } from '../same-value.js';
import { compareDuplicates } from '../tally.js';
import { countDay } from './count-day.js';
import { dayKeyOf, dayTallyOf, NEVER_COVERED, storedBefore, type CheckIdentity, type CountedDay, type ServiceDay } from './counted-day.js';
import type { Recount } from './recounts.js';

/** The stored data that a change of days needs. */
export interface StoredDays {
  /** The stored ones of the days that are counted again, and of each of them the last one before. */
  readonly days: Iterable<CountedDay>;
  /** The raw checks of the hours that are counted again. */
  readonly checks: Iterable<Check>;
  readonly recounts: readonly Recount[];
}

/** What must be written. */
export interface DayChanges {
  /** New checks, and those that replace a stored one. */
  readonly checks: readonly Check[];
  readonly removedChecks: readonly CheckIdentity[];
  /** Days whose counts differ from the stored ones. */
  readonly days: readonly CountedDay[];
  /** Days whose counts must be deleted, because they have no checks left. */
  readonly removedDays: readonly ServiceDay[];
}

/** Days whose checks are changed in memory and counted again. A check that was put counts as stored for the following ones. */
export class ChangingDays {
  readonly #days: Map<string, CountedDay>;
  readonly #recounts: readonly Recount[];
  readonly #checks: ReadonlyMap<string, Map<string, Check>>;
  readonly #put = new Map<string, Check>();
  readonly #removed = new Map<string, CheckIdentity>();
  readonly #replaced = new Map<string, ServiceDay>();

  constructor({ days, checks, recounts }: StoredDays) {
    this.#days = new Map([...days].map((day) => [dayKeyOf(day), day]));
    this.#recounts = [...recounts].sort((a, b) => compareText(a.serviceKey, b.serviceKey) || a.day - b.day);
    this.#checks = new Map(recounts.map((recount) => [dayKeyOf(recount), new Map()]));
    for (const check of checks) this.#of(check)?.set(momentOf(identityOf(check)), check);
  }

  /** Returns whether the check is new, or replaces the stored one with the same time and source. */
  put(check: Check): boolean {
    const moment = momentOf(identityOf(check));
    const stored = this.#of(check)?.get(moment);
    if (stored !== undefined && compareDuplicates(check, stored) <= 0) return false;
    this.#of(check)?.set(moment, check);
    this.#put.set(`${check.serviceKey} ${moment}`, check);
    return true;
  }

  /** Returns whether the check was stored. */
  remove({ serviceKey, checkedAt, source }: CheckIdentity): boolean {
    const identity = { serviceKey, checkedAt, source };
    const moment = momentOf(identity);
    if (this.#of(identity)?.delete(moment) !== true) return false;
    this.#removed.set(`${serviceKey} ${moment}`, identity);
    return true;
  }

  /** Replaces the counts of a day whose raw checks are not kept. Returns whether they differ from the stored ones. */
  putTally(tally: DayTally): boolean {
    const { serviceKey, day } = tally;
    const key = dayKeyOf(tally);
    const stored = this.#days.get(key);
    if (stored !== undefined && sameValue(dayTallyOf(stored), dayTallyOf(tally))) return false;
    this.#days.set(key, { ...dayTallyOf(tally), sources: [], hours: [] });
    this.#replaced.set(key, { serviceKey, day });
    return true;
  }

  /** Returns whether the day had counts. */
  removeTally({ serviceKey, day }: ServiceDay): boolean {
    const key = dayKeyOf({ serviceKey, day });
    if (this.#days.delete(key)) this.#replaced.set(key, { serviceKey, day });
    return this.#replaced.has(key);
  }

  /** Counts all days that must be counted again. Call it once, after all changes. */
  count(): DayChanges {
    const changed = new Map(this.#replaced);
    for (const recount of this.#recounts) {
      const key = dayKeyOf(recount);
      const stored = this.#days.get(key) ?? null;
      const counted = this.#count(recount, stored);
      if (sameValue(counted, stored)) continue;
      changed.set(key, { serviceKey: recount.serviceKey, day: recount.day });
      if (counted === null) this.#days.delete(key);
      else this.#days.set(key, counted);
    }
    return {
      checks: [...this.#put.values()],
      removedChecks: [...this.#removed.values()],
      days: [...changed.keys()].flatMap((key) => this.#days.get(key) ?? []),
      removedDays: [...changed].flatMap(([key, day]) => (this.#days.has(key) ? [] : [day])),
    };
  }

  #count({ serviceKey, day, from }: Recount, stored: CountedDay | null): CountedDay | null {
    const checks = [...(this.#checks.get(dayKeyOf({ serviceKey, day }))?.values() ?? [])].sort((a, b) => a.checkedAt - b.checkedAt);
    const before = storedBefore(day, (other) => this.#days.get(dayKeyOf({ serviceKey, day: other })));
    return countDay({ serviceKey, day }, checks, before?.coveredUntil ?? NEVER_COVERED, stored === null || from === day ? null : { stored, from });
  }

  #of({ serviceKey, checkedAt }: { readonly serviceKey: string; readonly checkedAt: Instant }): Map<string, Check> | undefined {
    return this.#checks.get(dayKeyOf({ serviceKey, day: startOfDay(checkedAt) }));
  }
}

function identityOf({ serviceKey, checkedAt, provenance }: Check): CheckIdentity {
  return { serviceKey, checkedAt, source: provenance.source };
}

function momentOf({ checkedAt, source }: CheckIdentity): string {
  return `${String(checkedAt)} ${source}`;
}
