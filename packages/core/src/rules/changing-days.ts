import type { Check } from '../kinds/check.js';
import type { DayIdentity } from '../kinds/identity.js';
import { DAY, startOfDay, startOfHour, type Instant } from '../kinds/instant.js';
import { dayKeyOf, type Carry, type CheckIdentity, type ServiceDay, type StatusDay } from '../kinds/status-day.js';
import { countDay, type KeptHours } from './count-day.js';
import { sameValue } from './stored-record.js';
import { NOTHING_CARRIED, reachOf, sameReach } from './timeline.js';
import { compareDuplicates } from './uptime.js';

/** What changes one day of a service. */
export interface ChangeOfDay<Item> extends ServiceDay {
  /** The time of the check that was put. If something was removed, the start of the day. */
  readonly since: Instant;
  readonly item: Item;
}

/** A day that is counted again from the start of an hour. */
export interface Recount extends ServiceDay {
  readonly from: Instant;
}

/** The change of its day by a record that is put. */
export function changeByPut<Item extends Check | StatusDay | DayIdentity>(item: Item): ChangeOfDay<Item> {
  const since = item.kind === 'check' ? item.checkedAt : item.day;
  return { serviceKey: item.serviceKey, day: startOfDay(since), since, item };
}

/** The change of its day by a removal. The whole day is counted again. */
export function changeByRemoval(item: DayIdentity): ChangeOfDay<DayIdentity> {
  const change = changeByPut(item);
  return { ...change, since: change.day };
}

/** Applies the item of a change to the days. Returns whether it has changed something. */
export type ApplyToDays<Item> = (days: ChangingDays, item: Item) => boolean;

export const putOnDays: ApplyToDays<Check | StatusDay> = (days, record) => (record.kind === 'check' ? days.put(record) : days.putTally(record));

export const removeFromDays: ApplyToDays<DayIdentity> = (days, identity) =>
  identity.kind === 'check' ? days.remove(identity) : days.removeTally(identity);

export interface ChangedDays<Item> {
  /** The items that have changed something. */
  readonly effective: readonly Item[];
  readonly written: DayChanges;
}

/**
 * Applies changes, and counts their days and the later days that they reach again. Yields the days whose stored data it needs next, so a store reads them in its own way.
 *
 * @param isFrozen whether the raw checks of a day may be gone
 */
export function* changedDays<Item>(
  changes: readonly ChangeOfDay<Item>[],
  apply: ApplyToDays<Item>,
  isFrozen: (day: ServiceDay) => boolean,
): Generator<readonly Recount[], ChangedDays<Item>, StoredDays> {
  const days = new ChangingDays(isFrozen);
  const recounts = recountsOf(changes);
  days.learn(recounts, yield recounts);
  const effective = changes.filter(({ item }) => apply(days, item)).map(({ item }) => item);
  if (effective.length > 0) for (let next = days.count(); next.length > 0; next = days.count()) days.learn(next, yield next);
  return { effective, written: days.changes() };
}

/** The days that must be counted again because of their own checks, each from the first hour that changes; sorted by day. */
export function recountsOf(changes: readonly ChangeOfDay<unknown>[]): readonly Recount[] {
  const recounts = new Map<string, Recount>();
  for (const { serviceKey, day, since } of changes) {
    const key = dayKeyOf({ serviceKey, day });
    const from = Math.min(recounts.get(key)?.from ?? Infinity, startOfHour(since));
    recounts.set(key, { serviceKey, day, from });
  }
  return [...recounts.values()].sort((a, b) => a.day - b.day);
}

/** The hours to keep of a stored day; `null` if all must be counted. Counts of another version may lack fields. */
export function keptHours(stored: StatusDay | null, { day, from }: Recount): KeptHours | null {
  if (stored === null || from === day || stored.hours.some(({ outageMs }) => outageMs === null)) return null;
  const times = [stored.firstCheckedAt, stored.lastCheckedAt].filter((time) => time !== null);
  return { from, hours: stored.hours.filter(({ hour }) => hour < from), times: times.filter((time) => time < from) };
}

export interface StoredDays {
  /** The stored ones of the days that are counted again with their hours, and of the days before them. */
  readonly days: readonly StatusDay[];
  /** The raw checks of the hours that are counted again. */
  readonly checks: readonly Check[];
}

export interface RecountedDay {
  readonly counted: StatusDay;
  /** The hours before this one have not changed. */
  readonly from: Instant;
}

export interface DayChanges {
  /** New checks, and those that replace a stored one. */
  readonly checks: readonly Check[];
  readonly removedChecks: readonly CheckIdentity[];
  /** Days whose counts differ from the stored ones. */
  readonly days: readonly RecountedDay[];
  /** Days whose counts must be deleted. */
  readonly removedDays: readonly ServiceDay[];
}

/** Days whose checks are changed in memory and counted again. A check that was put counts as stored for the following ones. */
class ChangingDays {
  readonly #days = new Map<string, StatusDay>();
  readonly #checks = new Map<string, Map<string, Check>>();
  readonly #put = new Map<string, Check>();
  readonly #removed = new Map<string, CheckIdentity>();
  /** The changed days, and from which hour on. */
  readonly #changed = new Map<string, Recount>();
  /** Days whose counts were put, and replace their raw checks. */
  readonly #tallied = new Set<string>();
  #pending: readonly Recount[] = [];
  /** Days after a changed one, which must be counted from their start. */
  readonly #next = new Map<string, Recount>();

  constructor(private readonly isFrozen: (day: ServiceDay) => boolean) {}

  /** Adds the stored data of the days that are to be counted. Earlier changes stay. */
  learn(recounts: readonly Recount[], { days, checks }: StoredDays): void {
    this.#pending = recounts;
    for (const recount of recounts) this.#checks.set(dayKeyOf(recount), new Map());
    for (const day of days) if (!this.#changed.has(dayKeyOf(day))) this.#days.set(dayKeyOf(day), day);
    for (const check of [...checks, ...this.#put.values()]) this.#of(check)?.set(momentOf(identityOf(check)), check);
    for (const identity of this.#removed.values()) this.#of(identity)?.delete(momentOf(identity));
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
  putTally(tally: StatusDay): boolean {
    const stored = this.#days.get(dayKeyOf(tally));
    const counted = { ...tally, hours: [] };
    if (stored !== undefined && sameValue({ ...stored, hours: [] }, counted)) return false;
    this.#tallied.add(dayKeyOf(tally));
    this.#replace({ ...tally, from: tally.day }, counted);
    return true;
  }

  /** Returns whether the day had counts. */
  removeTally(day: ServiceDay): boolean {
    if (!this.#days.has(dayKeyOf(day))) return false;
    this.#replace({ ...day, from: day.day }, null);
    return true;
  }

  /** Counts the days again. Returns the days after them that must be counted too: read their stored data, and call this again. */
  count(): readonly Recount[] {
    for (const recount of this.#pending.toSorted((a, b) => a.day - b.day)) {
      const key = dayKeyOf(recount);
      const stored = this.#days.get(key) ?? null;
      if (this.#needsWholeDay(recount, stored)) {
        this.#next.set(key, { ...recount, from: recount.day });
        continue;
      }
      this.#next.delete(key);
      if (!this.#isKept(recount, stored)) this.#recount(recount, stored);
    }
    const next = [...this.#next.values()];
    this.#next.clear();
    return next;
  }

  changes(): DayChanges {
    return {
      checks: [...this.#put.values()],
      removedChecks: [...this.#removed.values()],
      days: [...this.#changed].flatMap(([key, { from }]) => {
        const counted = this.#days.get(key);
        return counted === undefined ? [] : [{ counted, from }];
      }),
      removedDays: [...this.#changed].flatMap(([key, day]) => (this.#days.has(key) ? [] : [day])),
    };
  }

  /** The checks from an hour on are not enough if the carry of the day before has changed, or if an earlier version has counted the hours. */
  #needsWholeDay(recount: Recount, stored: StatusDay | null): boolean {
    if (recount.from === recount.day) return false;
    return this.#next.has(dayKeyOf(recount)) || (stored !== null && keptHours(stored, recount) === null);
  }

  /** Of a frozen day, only the carry of earlier days can be counted. */
  #isKept(day: ServiceDay, stored: StatusDay | null): boolean {
    if (this.#tallied.has(dayKeyOf(day))) return true;
    return stored !== null && stored.firstCheckedAt !== null && this.isFrozen(day);
  }

  #recount(recount: Recount, stored: StatusDay | null): void {
    const { serviceKey, day } = recount;
    const kept = keptHours(stored, recount);
    const from = kept?.from ?? day;
    const checks = this.isFrozen(recount) ? [] : [...(this.#checks.get(dayKeyOf(recount))?.values() ?? [])];
    const counted = checks.filter(({ checkedAt }) => checkedAt >= from).sort((a, b) => a.checkedAt - b.checkedAt);
    const carry = this.#days.get(dayKeyOf({ serviceKey, day: day - DAY })) ?? NOTHING_CARRIED;
    this.#replace({ serviceKey, day, from }, countDay(recount, counted, carry, kept));
  }

  #replace({ serviceKey, day, from }: Recount, counted: StatusDay | null): void {
    const key = dayKeyOf({ serviceKey, day });
    const stored = this.#days.get(key) ?? null;
    if (sameValue(stored, counted)) return;
    const { from: earlier = from } = this.#changed.get(key) ?? {};
    this.#changed.set(key, { serviceKey, day, from: Math.min(from, earlier) });
    if (counted === null) this.#days.delete(key);
    else this.#days.set(key, counted);
    this.#carry({ serviceKey, day }, stored ?? NOTHING_CARRIED, counted ?? NOTHING_CARRIED);
  }

  /** If what a day carries has changed, the days that it reaches are counted again: all at once, because each time something is read. */
  #carry({ serviceKey, day }: ServiceDay, before: Carry, after: Carry): void {
    if (sameReach(before, after, day + DAY)) return;
    const end = Math.max(day + DAY, reachOf(before), reachOf(after));
    for (let next = day + DAY; next <= end; next += DAY) this.#next.set(dayKeyOf({ serviceKey, day: next }), { serviceKey, day: next, from: next });
  }

  #of({ serviceKey, checkedAt }: { readonly serviceKey: string; readonly checkedAt: Instant }): Map<string, Check> | undefined {
    return this.#checks.get(dayKeyOf({ serviceKey, day: startOfDay(checkedAt) }));
  }
}

function identityOf({ serviceKey, checkedAt, provenance }: Check): CheckIdentity {
  return { serviceKey, checkedAt, source: provenance.source };
}

/** Names a check of a service. */
export function momentOf({ checkedAt, source }: CheckIdentity): string {
  return `${String(checkedAt)} ${source}`;
}
