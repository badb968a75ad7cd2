import {
  compareDuplicates,
  countDay,
  DAY,
  dayKeyOf,
  keptHours,
  NOTHING_CARRIED,
  reachOf,
  sameReach,
  sameValue,
  startOfDay,
  type Check,
  type CheckIdentity,
  type Instant,
  type Recount,
  type ServiceDay,
  type StatusDay,
} from '@vitrine/core';

/** What is read to count days again. */
export interface StoredDays {
  /** The stored ones of the days that are counted again with their hours, and of the days before them. */
  readonly days: readonly StatusDay[];
  /** The raw checks of the hours that are counted again. */
  readonly checks: readonly Check[];
}

/** What must be written. */
export interface DayChanges {
  /** New checks, and those that replace a stored one. */
  readonly checks: readonly Check[];
  readonly removedChecks: readonly CheckIdentity[];
  /** Days whose counts differ from the stored ones. */
  readonly days: readonly StatusDay[];
  /** Days whose counts must be deleted. */
  readonly removedDays: readonly ServiceDay[];
}

/** Days whose checks are changed in memory and counted again. A check that was put counts as stored for the following ones. */
export class ChangingDays {
  readonly #days = new Map<string, StatusDay>();
  readonly #checks = new Map<string, Map<string, Check>>();
  readonly #put = new Map<string, Check>();
  readonly #removed = new Map<string, CheckIdentity>();
  readonly #changed = new Map<string, ServiceDay>();
  #pending: readonly Recount[] = [];
  /** Days after a changed one, which must be counted from their start. */
  readonly #next = new Map<string, Recount>();

  /** @param isFrozen whether the raw checks of a day may be gone */
  constructor(private readonly isFrozen: (day: Instant) => boolean) {}

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
    this.#replace(tally, counted);
    return true;
  }

  /** Returns whether the day had counts. */
  removeTally(day: ServiceDay): boolean {
    if (!this.#days.has(dayKeyOf(day))) return false;
    this.#replace(day, null);
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
      if (!this.#isKept(recount.day, stored)) this.#replace(recount, this.#count(recount, stored));
    }
    const next = [...this.#next.values()];
    this.#next.clear();
    return next;
  }

  changes(): DayChanges {
    return {
      checks: [...this.#put.values()],
      removedChecks: [...this.#removed.values()],
      days: [...this.#changed.keys()].flatMap((key) => this.#days.get(key) ?? []),
      removedDays: [...this.#changed].flatMap(([key, day]) => (this.#days.has(key) ? [] : [day])),
    };
  }

  /** The checks from an hour on are not enough if the carry of the day before has changed, or if an earlier version has counted the hours. */
  #needsWholeDay(recount: Recount, stored: StatusDay | null): boolean {
    if (recount.from === recount.day) return false;
    return this.#next.has(dayKeyOf(recount)) || (stored !== null && keptHours(stored, recount) === null);
  }

  /** Of a frozen day, only the carry of earlier days can be counted. */
  #isKept(day: Instant, stored: StatusDay | null): boolean {
    return this.isFrozen(day) && stored !== null && stored.firstCheckedAt !== null;
  }

  #count(recount: Recount, stored: StatusDay | null): StatusDay | null {
    const { serviceKey, day } = recount;
    const kept = keptHours(stored, recount);
    const from = kept?.from ?? day;
    const checks = this.isFrozen(day) ? [] : [...(this.#checks.get(dayKeyOf(recount))?.values() ?? [])];
    const counted = checks.filter(({ checkedAt }) => checkedAt >= from).sort((a, b) => a.checkedAt - b.checkedAt);
    return countDay(recount, counted, this.#days.get(dayKeyOf({ serviceKey, day: day - DAY })) ?? NOTHING_CARRIED, kept);
  }

  #replace({ serviceKey, day }: ServiceDay, counted: StatusDay | null): void {
    const key = dayKeyOf({ serviceKey, day });
    const stored = this.#days.get(key) ?? null;
    if (sameValue(stored, counted)) return;
    this.#changed.set(key, { serviceKey, day });
    if (counted === null) this.#days.delete(key);
    else this.#days.set(key, counted);
    const [before, after] = [stored ?? NOTHING_CARRIED, counted ?? NOTHING_CARRIED];
    if (sameReach(before, after, day + DAY)) return;
    // All at once, because each time something is read.
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

function momentOf({ checkedAt, source }: CheckIdentity): string {
  return `${String(checkedAt)} ${source}`;
}
